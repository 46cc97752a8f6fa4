package filters

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A Near is the argument near of a call, after parsing. The tool is for messages.
type Near struct {
	Tool, Text string
	At         place.Place
}

// ReadNear reads the argument near. If the call names one country, a postal code without a country belongs to that country. hasLocation
// reports whether the called tool has the argument location.
func ReadNear(text string, countries []string, hasLocation bool) (Near, error) {
	if len(countries) == 1 {
		text = place.WithCountry(text, countries[0])
	}
	at, err := place.ReadCity(text)
	if wrong, ok := errors.AsType[*place.Problem](err); ok {
		if len(countries) > 0 && wrong.Kind != place.Several {
			wrong = &place.Problem{Kind: wrong.Kind, Text: wrong.Text} // the other place may be in none of them
		}
		return Near{}, nearError(text, wrong, hasLocation)
	}
	if at.Within.Text != "" {
		return Near{}, Misread{Argument: "near", Text: text,
			Reason: TheText + " has a distance. near takes the place alone, within the distance",
			Again:  fmt.Sprintf(`with {"near":%q,"within":%q}`, at.Text, at.Within.Text)}
	}
	return Near{Text: text, At: at}, err
}

// ReadRadius reads the argument within.
func ReadRadius(text string) (place.Radius, error) {
	if text == "" {
		text = place.DefaultRadius
	}
	radius, ok := place.ParseRadius(text)
	if !ok {
		return radius, Misread{Argument: "within", Text: text, Again: "with a number and a unit in within: 50 mi, 80 km",
			Reason: TheLiteral + " is not a distance in miles or kilometres up to half around the Earth"}
	}
	return radius, nil
}

// GuessedUnit returns the notice that says which unit of a distance was assumed.
func GuessedUnit(text string, radius place.Radius) string {
	return "within: " + envelope.Quoted(text) + " has no unit and was read as " + radius.Text + "."
}

// IsCertain reports whether the sites of one trial are enough to find the place: a postal code, or a city with its state.
func (near Near) IsCertain() bool {
	isState := func(name string) bool { _, _, ok := place.StateOf(name); return ok }
	return near.At.Postal != "" || slices.ContainsFunc(near.At.Around, isState)
}

// Names reports whether the record of a site names the place as its city.
func (near Near) Names(site *entity.TrialLocation) bool {
	return near.At.MatchesPart(site)
}

// DistanceNotice returns the notice that says from where distances are measured.
func (near Near) DistanceNotice(at place.Spot) string {
	text := "near: distances are from " + at.String() + " to the city of each site."
	if len(at.Misplaced) > 0 {
		text += MisplacedNotice
	}
	return text
}

// Ambiguous returns the error for a name that several places have.
func (near Near) Ambiguous(spots []place.Spot) error {
	const shown = 8
	var calls []string
	for _, s := range spots[:min(len(spots), shown)] {
		calls = append(calls, tool.Object("near", place.Coordinates(s.Point))+" ("+s.Name+")")
	}
	return envelope.Refuse("near", near.Text, "at least %d places are called %s", len(spots), envelope.Quoted(near.Text)).
		As(entity.AmbiguousQuery).
		Again(near.Tool, "with the state or country as well, or with one of %s", strings.Join(calls, ", "))
}

// NotFoundError returns the error for a place where no trial has a site.
func (near Near) NotFoundError() error {
	const tooLarge = ", which is too large for near. near takes a city, a ZIP code or coordinates"
	m := nearError(near.Text, nil, true)
	m.Reason = "no site with coordinates was found in " + TheText
	without, location := `with {"near":null,"within":null,`, "location"
	state, in, isState := place.StateOf(near.Text)
	inState := state + ", " + in
	if near.Tool == tools.GetTrialLocations {
		without, location, inState = without+`"order":null,`, "state", state
	}
	country := place.CountryName(near.Text)
	withCountry := func(name string) string { return without + `"country":` + strconv.Quote(name) + "}" }
	switch {
	case isState:
		m.Reason = TheText + " is the state or province " + state + tooLarge
		m.Again = without + strconv.Quote(location) + ":" + strconv.Quote(inState) + "}"
		if country != "" && country != state {
			m.Again += ", or for the country " + country + " " + withCountry(country)
		} else if country != "" {
			m.Again += ", or for the country " + withCountry(country)
		}
	case country != "":
		m.Reason, m.Again = TheText+" is a country"+tooLarge, withCountry(near.Text)
	}
	return ForTool(near.Tool, m)
}

// nearError returns the error for a text that near cannot read.
func nearError(text string, wrong *place.Problem, hasLocation bool) Misread {
	m := Misread{Argument: "near", Text: text, Reason: TheText + " is not understood"}
	if wrong == nil {
		wrong = new(place.Problem)
	} else {
		m.Reason += ": " + wrong.Error()
	}
	read, _ := place.Read(wrong.Instead)
	m.Again = "with a city and its state or country, a ZIP code, or latitude and longitude"
	switch several := read.Alternatives(); {
	case wrong.Instead == "":
	case wrong.Kind == place.Several && hasLocation:
		m.hint = "For sites in these places call " + TheTool + " again with " +
			callOf(map[string]any{"near": nil, "within": nil, "location": wrong.Instead}) + "."
	case wrong.Kind == place.Several && several != nil:
		texts := make([]string, len(several))
		for i, at := range several {
			texts[i] = at.Text
		}
		m.hint = tool.OnceForEach(TheTool+" again", "near", texts)
	case wrong.Kind == place.FourDigits || wrong.Kind != place.Several && strings.Contains(text, wrong.Instead):
		m.Again += ", such as " + tool.Object("near", wrong.Instead)
	}
	return m
}

// WidestSearch is the longest distance that a search takes.
const WidestSearch = "500 mi"

// MisplacedNotice says how sites with wrong coordinates count.
const MisplacedNotice = " Some sites of this place have the coordinates of another one in the records; they count as here."

// searchRadius reads the argument within of a search.
func searchRadius(text string) (place.Radius, error) {
	radius, err := ReadRadius(text)
	widest, _ := place.ParseRadius(WidestSearch)
	if err == nil && radius.KM > widest.KM {
		err = Misread{Argument: "within", Text: text,
			Reason: TheText + " is more than " + WidestSearch + ", the longest distance of a search",
			Again: "with " + tool.Object("within", WidestSearch) +
				`, or with a country in place of near: {"near":null,"within":null,"country":"United States"}`}
	}
	return radius, err
}

// readLocationAsNear reads location as near in a call with a distance and without near. The text of the place is empty for other calls.
func readLocationAsNear(args tools.TrialFilters) (Near, error) {
	if args.Near != "" || args.Within == "" || args.Location == "" {
		return Near{}, nil
	}
	near, err := ReadNear(args.Location, args.Country, true)
	if err != nil { // several places, or none
		return near, Misread{Argument: "within", Text: args.Within, Again: `with {"within":null}`,
			Reason: "is a distance from one city, ZIP code or point, and location is another text"}
	}
	return near, nil
}

// readCircle reads near and within. asNear is location, if it was read as near. counts reports whether trials near a place are only
// counted.
func readCircle(args tools.TrialFilters, asNear Near, counts bool) (near Near, radius place.Radius, err error) {
	if near = asNear; args.Near != "" {
		near, err = ReadNear(args.Near, args.Country, true)
	}
	switch {
	case err != nil:
		return near, radius, err
	case near.Text == "":
		return near, radius, NeedsNear("within", args.Within)
	}
	if radius, err = searchRadius(args.Within); err != nil || !args.RecruitingSite || !counts {
		return near, radius, err
	}
	return near, radius, Misread{Argument: "recruiting_site", Text: "true",
		Reason: "ClinicalTrials.gov does not count the trials with a recruiting site near a place",
		hint: "For the trials that recruit and have a site there, which may not recruit itself, call " + TheTool +
			` again with {"recruiting_site":null,"status":"RECRUITING"}. ` +
			"search_trials with the same filters lists those whose site recruits."}
}

// checkStatus returns the error for a call with recruiting_site whose status does not allow it: the sites of trials with another status
// than RECRUITING do not recruit.
func checkStatus(args tools.TrialFilters, status []string) error {
	if !args.RecruitingSite || len(status) == 0 || slices.Contains(status, string(Recruiting)) {
		return nil
	}
	return Misread{Argument: "recruiting_site", Text: "true", Again: "with status RECRUITING, or without recruiting_site",
		Reason: "a trial has a recruiting site only while its status is RECRUITING, and status is another one"}
}

// statusNotice says that only recruiting trials were searched. The sites of a trial with status UNKNOWN have their last known status.
func statusNotice(status []string) []string {
	switch len(status) {
	case 0:
		return []string{"recruiting_site: trials with status RECRUITING were searched. Where the status of a trial is UNKNOWN, " +
			"a site may still have the status RECRUITING, which is its last known one."}
	case 1:
		return nil
	}
	return []string{"status: trials with status RECRUITING were searched. Others have no recruiting site."}
}

// NeedsNear returns the error for an argument that has no meaning without near.
func NeedsNear(name, value string) error {
	if value == "" {
		return nil
	}
	return Misread{Argument: name, Text: value, Reason: "needs near, the place that distances are from",
		Again: "with {\"" + name + "\":null}, or with near as well: a city, a ZIP code, or latitude and longitude"}
}

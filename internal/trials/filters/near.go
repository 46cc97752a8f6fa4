package filters

import (
	"errors"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A Near is the argument near of a call, after reading. The tool is for messages.
type Near struct {
	Tool, Text string
	At         place.Place
}

const (
	// nearForms lists the values that near takes, for messages.
	nearForms = "a city with its state or country, a postal code, or latitude and longitude"
	// WidestSearch is the longest distance that a search takes.
	WidestSearch = "500 mi"
	// MisplacedNotice says how sites with wrong coordinates count.
	MisplacedNotice = " Some sites of this place have the coordinates of another one in the records; they count as here."
)

// ReadNear reads the argument near. If the call names one country, a postal code without a country belongs to that country. hasLocation
// reports whether the called tool has the argument location.
func ReadNear(text string, countries []string, hasLocation bool) (Near, error) {
	if len(countries) == 1 {
		text = place.WithCountry(text, countries[0])
	}
	at, err := place.ReadCity(text)
	if wrong, ok := errors.AsType[*place.Problem](err); ok {
		m := Misread{Argument: "near", Text: text, Reason: wrong.Error(), Again: "with " + nearForms}
		switch {
		case len(wrong.Instead) == 1:
			m.change = map[string]any{"near": wrong.Instead[0]}
		case len(wrong.Instead) > 1 && hasLocation:
			m.change = map[string]any{"near": nil, "within": nil, "location": strings.Join(wrong.Instead, " OR ")}
		}
		return Near{}, m
	}
	return Near{Text: text, At: at}, err
}

// tooLarge returns the error for a state or a country.
func (near Near) tooLarge(hasLocation bool) error {
	call := map[string]any{"near": nil, "within": nil}
	switch state, in := place.StateOf(near.Text); {
	case hasLocation && state != "":
		call["location"] = near.At.Text
	case hasLocation:
		call["country"] = place.CountryName(near.Text)
	case state != "":
		call["state"], call["country"], call["order"] = state, in, nil
	default:
		call["country"], call["order"] = place.CountryName(near.Text), nil
	}
	return Misread{Argument: "near", Text: near.Text, Reason: TheText + " is a state or a country; near takes " + nearForms,
		change: call}
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
	return !slices.ContainsFunc(near.At.Read, func(r place.Reading) bool {
		state, _ := place.StateOf(r.State)
		return r.Postal == "" && (state == "" || r.City == "")
	})
}

// City returns the name of the city.
func (near Near) City() string {
	for _, r := range near.At.Cities() {
		if r.City != "" {
			return r.City
		}
	}
	return near.At.Text
}

// Names reports whether the record of a site names the place as its city.
func (near Near) Names(site *entity.TrialLocation) bool {
	return slices.ContainsFunc(near.At.Cities(), func(r place.Reading) bool { return r.City != "" && r.Matches(site) })
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
	if place.IsCountryOrState(near.Text) {
		return ForTool(near.Tool, near.tooLarge(near.Tool != tools.GetTrialLocations))
	}
	m := Misread{Argument: "near", Text: near.Text, Reason: "no site with coordinates was found in " + TheText, Again: "with " + nearForms}
	if nearest := tool.Nearest(near.City(), place.Names()); nearest != "" && nearest != near.City() {
		m.change = map[string]any{"near": strings.Replace(near.Text, near.City(), nearest, 1)}
	}
	return ForTool(near.Tool, m)
}

// readLocationAsNear reads location as near in a call with a distance and without near. The text of the place is empty for other calls.
func readLocationAsNear(args tools.TrialFilters) (Near, error) {
	if args.Near != "" || args.Within == "" || args.Location == "" {
		return Near{}, nil
	}
	near, err := ReadNear(args.Location, args.Country, true)
	if err != nil { // several places, or none
		return near, Misread{Argument: "within", Text: args.Within, Again: `with {"within":null}`,
			Reason: "is a distance from one city, postal code or point, and location is another text"}
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
	case args.RecruitingSite && counts:
		return near, radius, Misread{Argument: "recruiting_site", Text: "true",
			Reason: "ClinicalTrials.gov does not count the trials with a recruiting site near a place",
			hint: "For the trials that recruit and have a site there, which may not recruit itself, call " + TheTool +
				` again with {"recruiting_site":null,"status":"RECRUITING"}. ` +
				"search_trials with the same filters lists those whose site recruits."}
	}
	radius, err = ReadRadius(args.Within)
	if widest, _ := place.ParseRadius(WidestSearch); err == nil && radius.KM > widest.KM {
		err = Misread{Argument: "within", Text: args.Within,
			Reason: TheText + " is more than " + WidestSearch + ", the longest distance of a search",
			change: map[string]any{"within": WidestSearch}}
	}
	return near, radius, err
}

// NeedsNear returns the error for an argument that has no meaning without near.
func NeedsNear(name, value string) error {
	if value == "" {
		return nil
	}
	return Misread{Argument: name, Text: value, Reason: "needs near, the place that distances are from",
		Again: "with {\"" + name + "\":null}, or with near as well: " + nearForms}
}

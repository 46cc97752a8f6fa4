package trials

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// recordFilters returns the expressions of the filters that compare fields of a record, and notices. The registry calls a field a piece.
func recordFilters(caller string, args tools.TrialFilters, today *ranges.Calendar) (expressions, notices []string, err error) {
	for _, p := range args.Pieces() {
		e, more, err := pieceFilter(caller, p, today)
		if err != nil {
			return nil, nil, err
		}
		expressions, notices = append(expressions, e), append(notices, more...)
	}
	if args.Age != "" {
		age, err := ranges.ReadAge(args.Age)
		if err != nil {
			return nil, nil, ageError(caller, args, err)
		}
		expressions = append(expressions, essie.ForAge(age))
	}
	if args.Sex != "" {
		expressions = append(expressions, essie.ForSex(strings.ToUpper(args.Sex)))
	}
	if args.Expression != "" {
		if err := expressionError(caller, args); err != nil {
			return nil, nil, err
		}
		expressions = append(expressions, "("+args.Expression+")")
	}
	return append(expressions, documentFilter(args.Documents)), notices, nil
}

// unknownEnrollment is the registry's number of participants for an unknown number.
const unknownEnrollment = 99_999_999

// enrollmentPiece is the piece with the number of participants.
const enrollmentPiece = "EnrollmentCount"

// pieceFilter returns the expression of a filter that compares one piece, "" if it was not given. readTexts has read its words.
func pieceFilter(caller string, p tool.Piece, today *ranges.Calendar) (expression string, notices []string, err error) {
	switch {
	case p.Truth != nil:
		return essie.Area(p.Piece, strconv.FormatBool(*p.Truth)), nil, nil
	case p.Text == "":
		return anyOf(p.Piece, p.Values), nil, nil
	case p.Range == "dates":
		dates, err := today.Dates(p.Text)
		if err != nil {
			forms := "Dates are a year, a month or a day, or a range: 2022, 2022-03..2023, since 2023, until 2020-06, last 12 months."
			return "", nil, valueForm{p.Name, forms, likelyDates(p.Text)}.unreadable(caller, p.Text, err)
		}
		if dates.Relative {
			notices = []string{fmt.Sprintf("%s: %s was read as %s; today is %s.", p.Name, envelope.Quoted(p.Text), dates, today.Day())}
		}
		return essie.InRange(p.Piece, dates), notices, nil
	case p.Range == "numbers":
		numbers, err := ranges.ReadNumbers(p.Text)
		if err != nil {
			form := valueForm{p.Name, "A range is 100..500, at least 100 or at most 50.", nil}
			return "", nil, form.unreadable(caller, p.Text, err)
		}
		if numbers.To == "" && p.Piece == enrollmentPiece {
			numbers.To = strconv.Itoa(unknownEnrollment - 1)
		}
		return essie.InRange(p.Piece, numbers), nil, nil
	case p.Name == "primary_outcome": // of two pieces
		return p.Text, nil, nil
	}
	return essie.Area(p.Piece, "("+p.Text+")"), nil, nil
}

// anyOf returns the expression that a piece has one of the values.
func anyOf(piece string, values []string) string {
	var areas []string
	for _, v := range values {
		areas = append(areas, essie.Area(piece, v))
	}
	return essie.Or(areas...)
}

// documentFilter returns the expression for trials that have one of the documents.
func documentFilter(documents []string) string {
	pieces := map[string]string{"protocol": "LargeDocHasProtocol", "sap": "LargeDocHasSAP", "icf": "LargeDocHasICF"}
	var areas []string
	for _, d := range documents {
		areas = append(areas, essie.Area(pieces[d], "true"))
	}
	return essie.Or(areas...)
}

// A siteFilter is the condition on the places of sites: words for the location query, and a filter.
type siteFilter struct {
	words, filter string
	notices       []string
}

// placeFilter returns the condition for location, country and recruiting_site.
func placeFilter(caller string, args tools.TrialFilters) (at siteFilter, err error) {
	if args.RecruitingSite && args.Location == "" && len(args.Country) == 0 && args.Near == "" {
		return at, &entity.Error{
			Code:    entity.InvalidInput,
			Message: "recruiting_site: was given without a place.",
			Hint: "For the trials that recruit anywhere call " + caller + ` again with {"recruiting_site":null,"status":"RECRUITING"}, ` +
				"or with location, country or near as well.",
			Input: "true",
		}
	}
	countries, notices, err := readCountries(caller, args.Country)
	if err != nil {
		return at, err
	}
	at.notices = notices
	if len(countries.Read) > 0 {
		_, at.filter = essie.At(place.Expression{Place: &countries}, args.RecruitingSite)
	}
	if args.Location == "" {
		return at, nil
	}
	places, err := place.Read(args.Location)
	if included, excluded := places.Places(); err == nil {
		err = pointInLocation(caller, args.Location, append(included, excluded...))
	}
	if err != nil {
		return at, placeError(caller, args.Location, err)
	}
	words, filter := essie.At(places, args.RecruitingSite)
	at.words, at.filter = words, essie.And(at.filter, filter)
	at.notices = append(at.notices, placeNotices(caller, "location", places)...)
	return at, nil
}

// pointInLocation returns the error for coordinates, which near takes.
func pointInLocation(caller, text string, places []place.Place) error {
	at := slices.IndexFunc(places, func(p place.Place) bool { return p.Point != nil })
	if at < 0 {
		return nil
	}
	call := map[string]any{"location": nil, "near": places[at].String()}
	if places[at].Within.Text != "" {
		call["within"] = places[at].Within.Text
	}
	return &entity.Error{
		Code:    entity.InvalidInput,
		Message: "location: " + envelope.Quoted(text) + " has a point, which near takes.",
		Hint:    "Call " + caller + " again with " + callOf(call) + ".",
		Input:   text,
	}
}

// placeNotices says how the places of an argument were read. A call for one of several places would lose the others.
func placeNotices(caller, argument string, read place.Expression) (notices []string) {
	again := " call " + caller + " again with "
	add := func(text string) { notices = append(notices, argument+": "+text) }
	included, excluded := read.Places()
	for _, p := range slices.Concat(included, excluded) {
		for _, r := range p.Remarks {
			var calls []string
			for _, instead := range r.Instead {
				calls = append(calls, tool.Object(argument, instead))
			}
			if len(calls) > 0 && read.Place != nil {
				r.Text += " For " + r.For + again + strings.Join(calls, " or ") + "."
			} else if len(calls) > 0 {
				r.Text += " For " + r.For + " write it as " + tool.Listed(r.Instead) + "."
			}
			add(r.Text)
		}
		if !p.Vague {
			continue
		}
		text := "only " + envelope.Quoted(p.Text) + " itself was searched."
		if call := map[string]any{argument: nil, "near": p.Text}; read.Place != nil && !place.IsCountryOrState(p.Text) {
			if p.Within.Text != "" {
				call["within"] = p.Within.Text
			}
			text += " For sites around it" + again + callOf(call) + "."
		}
		add(text)
	}
	var names []string
	for _, p := range excluded {
		names = append(names, envelope.Quoted(p.Text))
	}
	if len(names) > 0 {
		add("trials with a site in " + entity.Cut(alternatives(names), 400) + " were left out, also those with sites elsewhere.")
	}
	if len(read.Ignored) > 0 {
		add("operators without a place on both sides were ignored: " + strings.Join(read.Ignored, ", ") + ".")
	}
	return notices
}

// readCountries reads the argument country as one place that is in any of the countries. A text may list several.
func readCountries(caller string, names []string) (all place.Place, notices []string, err error) {
	add := func(at place.Place) {
		all.Read, all.Remarks = append(all.Read, at.Read...), append(all.Remarks, at.Remarks...)
	}
	for _, name := range names {
		at, err := place.ReadCountry(name)
		if err == nil {
			add(at)
			continue
		}
		parts := severalCountries.Split(name, -1)
		for _, part := range parts {
			at, wrong := place.ReadCountry(part)
			if wrong != nil || len(parts) < 2 {
				return all, nil, countryError(caller, names, err)
			}
			add(at)
		}
		notices = append(notices, "country: "+envelope.Quoted(name)+" was read as "+alternatives(parts)+".")
	}
	return all, append(placeNotices(caller, "country", place.Expression{Place: &all}), notices...), nil
}

// severalCountries splits a text that lists countries. A country whose name contains a comma or "and" is looked up before the text is
// split.
var severalCountries = lazyregexp.New(`(?i)\s*[,;|/]\s*|\s+(?:or|and)\s+`)

// placeError returns the error for a location that names no known place.
func placeError(caller, text string, err error) error {
	wrong, ok := errors.AsType[*place.Problem](err)
	if !ok {
		return err
	}
	e := &entity.Error{Code: entity.InvalidInput, Message: "location: " + wrong.Error() + ".", Input: text}
	switch {
	case wrong.Kind == place.Anywhere && wrong.Text == text:
		e.Hint = "To search all places call " + caller + " again with " + tool.Object("location", nil) + "; " + placeForms + "."
	case wrong.Instead == "" || wrong.Kind == place.Caller:
		e.Hint = "Call " + caller + " again with another location, or without it to search all places; " + placeForms + "."
	default:
		e.Hint = placeForms + ": call " + caller + " again with " + tool.Object("location", wrong.In(text)) + "."
	}
	return e
}

// countryError returns the error for a name that is no country. The call of its hint has all names.
func countryError(caller string, names []string, err error) error {
	wrong, ok := errors.AsType[*place.Problem](err)
	if !ok {
		return err
	}
	forms := "country takes the English name of a country: call " + caller + " again with "
	e := &entity.Error{Code: entity.InvalidInput, Message: "country: " + wrong.Error() + ".", Input: wrong.Text}
	const mostCountries = 100 // values of country
	meant, countries := placesMeant(names)
	switch {
	case slices.Contains(meant, ""):
		e.Hint = forms + "one."
	case countries && len(meant) <= mostCountries:
		e.Hint = forms + tool.Object("country", meant) + "."
	case caller != tools.GetTrialLocations: // null removes this argument from the call
		e.Hint = forms + callOf(map[string]any{"country": nil, "location": strings.Join(meant, " OR ")}) + "."
	case wrong.Kind == place.State && len(meant) == 1:
		e.Hint = "Give a state as state: call " + caller + " again with " + callOf(map[string]any{"country": nil, "state": meant[0]}) + "."
	default:
		e.Hint = forms + "one; without country its summary has the number of sites in each."
	}
	return e
}

// placesMeant returns the places that names in the argument country may mean, "" for an unknown one, and whether all are countries.
func placesMeant(names []string) (places []string, countries bool) {
	for _, name := range names {
		parts := []string{name}
		if _, err := place.ReadCountry(name); err != nil {
			parts = severalCountries.Split(name, -1)
		}
		for _, part := range parts {
			_, err := place.ReadCountry(part)
			if wrong, ok := errors.AsType[*place.Problem](err); ok {
				part = wrong.Instead
				if _, err := place.Read(part); err != nil { // not France; anywhere
					part = ""
					if wrong, ok := errors.AsType[*place.Problem](err); ok && wrong.Kind != place.Caller {
						part = wrong.Instead
					}
				}
			}
			places = append(places, strings.Split(part, " or ")...)
		}
	}
	return places, !slices.ContainsFunc(places, func(name string) bool { _, err := place.ReadCountry(name); return err != nil })
}

// sortedSearch returns the search of a call with its order, without its page.
func (s *Trials) sortedSearch(ctx context.Context, args tools.SearchTrialsArgs, today *ranges.Calendar, notes *entity.Notes) (
	search *ctgov.Search, notices []string, err error) {
	if len(args.Given()) == 0 {
		return nil, nil, withoutCriterion(tools.SearchTrials, args.TrialFilters)
	}
	key, filter, sorted, err := sorting(args)
	if err != nil {
		return nil, nil, err
	}
	search, notices, err = s.trialSearch(ctx, tools.SearchTrials, args.TrialFilters, today, notes)
	if err != nil {
		return nil, nil, err
	}
	search.Sort = &[]string{key}
	if piece, _ := search.Order(); piece != relevanceOrder && !slices.Contains(*search.Fields, piece) {
		*search.Fields = append(*search.Fields, piece)
	}
	if filter != "" {
		if search.FilterAdvanced != nil {
			filter = essie.And(*search.FilterAdvanced, filter)
		}
		search.FilterAdvanced = &filter
	}
	return search, append(notices, sorted...), nil
}

// relevanceOrder is the order of relevance in a request.
const relevanceOrder = "@relevance"

// sortPieces has the pieces that a search can be sorted by.
var sortPieces = map[string]string{
	"first_posted": "StudyFirstPostDate", "last_updated": "LastUpdatePostDate", "start_date": "StartDate",
	"completion_date": "CompletionDate",
	"results_posted":  "ResultsFirstPostDate", "enrollment": enrollmentPiece,
}

// sorting returns the sort key of a search, the filter that the order needs, and notices.
func sorting(args tools.SearchTrialsArgs) (key, filter string, notices []string, err error) {
	by := args.Sort
	if by == "" {
		by = "first_posted"
		if ranks(args.TrialFilters) {
			by = "relevance"
		}
	}
	if by == "relevance" {
		if args.Order == "asc" {
			err = &entity.Error{
				Code:    entity.InvalidInput,
				Message: "order: ClinicalTrials.gov cannot list the least relevant trials first.",
				Hint:    "Call search_trials again without order, or with sort as well: a date or enrollment.",
				Input:   args.Order,
			}
		}
		return relevanceOrder, "", nil, err
	}
	order := cmp.Or(args.Order, "desc")
	switch {
	case by == "enrollment":
		filter = "NOT " + essie.InRange(enrollmentPiece, ranges.Range{From: strconv.Itoa(unknownEnrollment)})
	case order == "desc" && (by == "start_date" && args.StartDate == "" || by == "completion_date" && args.CompletionDate == ""):
		notices = []string{fmt.Sprintf("Sorted by %s, latest first: planned dates come first. "+
			"For past ones call search_trials again with %s.", by, tool.Object(by, "until today"))}
	}
	return sortPieces[by] + ":" + order, filter, notices, nil
}

// firstNumber finds the number in an age such as 65+.
var firstNumber = lazyregexp.New(`[1-9][0-9]{0,2}`)

// indistinct returns the error for words that every record has, or no record.
func indistinct(caller, argument, text string) *entity.Error {
	return &entity.Error{
		Code:    entity.AmbiguousQuery,
		Message: fmt.Sprintf("%s: %q has no word that distinguishes trials.", argument, entity.Cut(text, 80)),
		Hint: "Give a word of two letters or more that is not in every record, such as a disease, a drug or a name: call " +
			caller + " again with it in " + argument + ".",
		Input: text,
	}
}

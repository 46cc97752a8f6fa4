package query

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// expressionParameter is a parameter that takes an expression.
type expressionParameter struct {
	name  string
	label string // the parameter's name in the registry's sentences
	area  string // where words without AREA[] are looked for: an area, or a piece alone
}

var queries = []expressionParameter{
	{"query.cond", "Conditions or disease", "ConditionSearch"},
	{"query.term", "Other terms", "BasicSearch"},
	{"query.locn", "Location terms", "LocationSearch"},
	{"query.titles", "Title / acronym", "TitleSearch"},
	{"query.intr", "Intervention / treatment", "InterventionSearch"},
	{"query.outc", "Outcome measure", "OutcomeSearch"},
	{"query.spons", "Sponsor / collaborator", "SponsorSearch"},
	{"query.lead", "Lead sponsor", "LeadSponsorName"},
}

var advancedFilter = expressionParameter{"filter.advanced", "advanced filter", "BasicSearch"}

// otherParameters of /studies take no expression.
var otherParameters = []string{
	"format", "markupFormat", "filter.overallStatus", "filter.ids", "filter.geo", "fields", "sort", "countTotal", "pageSize", "pageToken",
}

// unsupportedParameters of /studies are documented, but Biofact does not send them.
var unsupportedParameters = []string{
	"query.id", "query.patient", "filter.synonyms",
	"postFilter.overallStatus", "postFilter.geo", "postFilter.ids", "postFilter.advanced",
	"postFilter.synonyms", "aggFilters", "geoDecay",
}

// ReadSearch reads the query string of a request to /studies. Its error is a BadRequest.
func ReadSearch(rawQuery string) (*Search, error) {
	known := slices.Concat(otherParameters, unsupportedParameters, []string{advancedFilter.name})
	for _, q := range queries {
		known = append(known, q.name)
	}
	p, err := readParameters(rawQuery, known...)
	if err != nil {
		return nil, err
	}
	for _, name := range unsupportedParameters {
		if _, given := p.get(name); given {
			return nil, unsupported("does not understand the parameter `%s`", name)
		}
	}
	s := &Search{}
	for _, read := range []func(parameters) error{s.readFormat, s.readExpressions, s.readStatuses, s.readIDs, s.readPlace, s.readSort,
		s.readPage, s.readFields, s.readOnlyIDs} {
		if err := read(p); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// ReadFetch reads the query string of a request to /studies/{nctId}. Its error is a BadRequest.
func ReadFetch(rawQuery string) (Projection, error) {
	p, err := readParameters(rawQuery, "format", "markupFormat", "fields")
	if err != nil {
		return nil, err
	}
	if err := p.checkFormat("csv", "json", "json.zip", "fhir.json", "ris"); err != nil {
		return nil, err
	}
	return readProjection(p)
}

// ReadNothing reads the query string of a request that takes no parameter. Its error
// is a BadRequest.
func ReadNothing(rawQuery string) error {
	_, err := readParameters(rawQuery)
	return err
}

func (s *Search) readFormat(p parameters) error { return p.checkFormat("csv", "json") }

func (s *Search) readFields(p parameters) (err error) {
	s.Fields, err = readProjection(p)
	return err
}

func (q expressionParameter) defaultArea() *Area {
	if area := AreaNamed(q.area); area != nil {
		return area
	}
	return &Area{q.area, []Weighted{{PieceNamed(q.area), 1}}}
}

func (q expressionParameter) read(p parameters) (Node, error) {
	text, _ := p.get(q.name)
	n, err := Parse(text, q.defaultArea())
	if bad, ok := errors.AsType[BadRequest](err); ok {
		bad.Where = "Error parsing query in " + q.label + ": "
		return nil, bad
	}
	return n, err
}

func (s *Search) readExpressions(p parameters) (err error) {
	for _, q := range queries {
		n, err := q.read(p)
		if err != nil {
			return err
		}
		if n != nil {
			s.Queries = append(s.Queries, n)
		}
	}
	s.Advanced, err = advancedFilter.read(p)
	return err
}

// readStatuses refuses with a sentence that lacks "filter.", as the registry's does.
func (s *Search) readStatuses(p parameters) error {
	s.Statuses = p.list("filter.overallStatus")
	for _, status := range s.Statuses {
		if !slices.Contains(enums()["Status"], status) {
			return refuse("Invalid value in parameter `overallStatus`: `%s`", status)
		}
	}
	return nil
}

func (s *Search) readIDs(p parameters) error {
	for i, text := range p.list("filter.ids") {
		id, ok := ParseID(text)
		if !ok {
			return refuse("Item %d in parameter `filter.ids` has incorrect format", i+1)
		}
		s.IDs = append(s.IDs, id)
	}
	return nil
}

// onlyIDs is text of NCT ids between commas and spaces.
var onlyIDs = lazyregexp.New(`^(?i)[,\s]*NCT0*[1-9][0-9]{0,7}([,\s]+NCT0*[1-9][0-9]{0,7})*[,\s]*$`)

// readOnlyIDs reads each query that has nothing but ids. Such a query makes the registry ignore
// all other queries and filters.
func (s *Search) readOnlyIDs(p parameters) error {
	var ids []string
	for _, q := range queries {
		text, _ := p.get(q.name)
		if !onlyIDs.MatchString(text) {
			continue
		}
		for _, text := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\r\n\f", r) }) {
			id, _ := ParseID(text)
			ids = append(ids, id)
		}
	}
	if ids != nil {
		s.Queries, s.Advanced, s.Statuses, s.IDs = nil, nil, nil, ids
	}
	return nil
}

var sortItem = lazyregexp.New(`^(@relevance|[a-zA-Z][a-zA-Z0-9\-. ]*)(?::(asc|desc))?$`)

func (s *Search) readSort(p parameters) error {
	items := p.list("sort")
	for i, item := range items {
		match := sortItem.FindStringSubmatch(item)
		if match == nil {
			return refuse("Item %d in parameter `sort` has incorrect format", i+1)
		}
		key, err := sortKey(match[1], match[2])
		if err != nil {
			return err
		}
		s.Sort = append(s.Sort, key)
	}
	if len(items) > 2 {
		return refuse("Parameter `sort` has incorrect format")
	}
	return nil
}

// sortKey returns the key of a name, such as @relevance or StartDate, and a direction, which may
// be empty: dates and the rank then descend, numbers ascend.
func sortKey(name, direction string) (SortKey, error) {
	k := SortKey{Descending: direction == "desc"}
	if name != "@relevance" {
		k.Piece = findPiece(name)
		switch {
		case k.Piece == nil:
			return k, refuse("Unknown piece name of field path: %s", name)
		case !k.Piece.IsDate() && !k.Piece.IsNumber():
			return k, refuse("Unsupported sort field type: text")
		}
	}
	if direction == "" {
		k.Descending = k.Piece == nil || k.Piece.IsDate()
	}
	return k, nil
}

// readPlace reads filter.geo, which takes a distance in round parentheses and without spaces.
func (s *Search) readPlace(p parameters) error {
	text, given := p.get("filter.geo")
	if !given {
		return nil
	}
	argument, isDistance := strings.CutPrefix(strings.TrimSuffix(text, ")"), "distance(")
	n, ok := readWithin(argument)
	if !ok || !isDistance || !strings.HasSuffix(text, ")") || strings.Contains(text, " ") {
		return refuse("Parameter `filter.geo` has incorrect format")
	}
	s.Advanced = AllOf(s.Advanced, n)
	return nil
}

func (s *Search) readPage(p parameters) error {
	if text, given := p.get("countTotal"); given {
		if text != "true" && text != "false" {
			return refuse("Parameter `countTotal` has incorrect format")
		}
		s.CountTotal = text == "true"
	}
	if text, given := p.get("pageSize"); given {
		size, err := strconv.ParseInt(text, 10, 32)
		if err != nil || size < 0 {
			return refuse("Parameter `pageSize` has incorrect format")
		}
		s.PageSize = min(int(size), maxPageSize)
	}
	if s.PageSize == 0 {
		s.PageSize = defaultPageSize
	}
	if text, given := p.get("pageToken"); given {
		offset, ok := readPageToken(text)
		if !ok {
			return refuse("Parameter `pageToken` has incorrect format")
		}
		s.Offset = offset
	}
	return nil
}

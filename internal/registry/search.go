package registry

import (
	"regexp"
	"slices"
	"strings"
)

// ParseID returns the NCT id as records write it. The registry takes any case and
// any number of zeros.
func ParseID(text string) (id string, ok bool) {
	if !looseID.MatchString(text) {
		return "", false
	}
	return canonicalise(text), true
}

var looseID = regexp.MustCompile(`^[Nn][Cc][Tt]0*[1-9][0-9]{0,7}$`)

// canonicalise writes an id that looseID admits in the one form of records.
func canonicalise(id string) string {
	digits := strings.TrimLeft(id[len("NCT"):], "0")
	return "NCT" + strings.Repeat("0", max(0, 8-len(digits))) + digits
}

// queryParameter is a parameter that takes an Essie expression.
type queryParameter struct {
	name  string
	label string // what the upstream's sentences call it
	area  string // where a bare word is looked for
}

var queryParameters = []queryParameter{
	{"query.cond", "Conditions or disease", "ConditionSearch"},
	{"query.term", "Other terms", "BasicSearch"},
	{"query.locn", "Location terms", "LocationSearch"},
	{"query.titles", "Title / acronym", "TitleSearch"},
	{"query.intr", "Intervention / treatment", "InterventionSearch"},
	{"query.outc", "Outcome measure", "OutcomeSearch"},
	{"query.spons", "Sponsor / collaborator", "SponsorSearch"},
}

var advancedFilter = queryParameter{"filter.advanced", "advanced filter", "BasicSearch"}

// notServed are documented parameters of /studies that Biofact never writes.
var notServed = []string{
	"query.lead", "query.id", "query.patient", "filter.geo", "filter.synonyms",
	"postFilter.overallStatus", "postFilter.geo", "postFilter.ids", "postFilter.advanced",
	"postFilter.synonyms", "aggFilters", "geoDecay",
}

// A Search is a checked request to /studies.
type Search struct {
	expressions []node   // query.*, which make the rank
	advanced    node     // filter.advanced, nil if there is none
	statuses    []string // filter.overallStatus, nil if there is none
	ids         []string // filter.ids, canonical, nil if there is none
	onlyIDs     []string // a query.* that is nothing but ids, and so all of the search
	fields      *Projection
	orders      []order
	countTotal  bool
	pageSize    int
	offset      int
}

// ReadSearch reads the query string of a request to /studies. Its error is a BadRequest.
func ReadSearch(query string) (*Search, error) {
	known := []string{
		"format", "markupFormat", "filter.overallStatus", "filter.ids", advancedFilter.name,
		"fields", "sort", "countTotal", "pageSize", "pageToken",
	}
	for _, q := range queryParameters {
		known = append(known, q.name)
	}
	values, err := readParameters(query, append(known, notServed...)...)
	if err != nil {
		return nil, err
	}
	for _, name := range notServed {
		if _, there := values.get(name); there {
			return nil, refuse("the sandbox does not understand the parameter `%s`", name)
		}
	}
	s := &Search{}
	steps := []func(parameters) error{
		func(p parameters) error { return p.checkFormat("csv", "json") },
		s.readQueries, s.readStatuses, s.readIDs, s.readSort, s.readPaging,
		func(p parameters) (err error) { s.fields, err = p.fields(); return err },
	}
	for _, step := range steps {
		if err := step(values); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// ReadFetch reads the query string of a request to /studies/{nctId}. Its error is a BadRequest.
func ReadFetch(query string) (*Projection, error) {
	values, err := readParameters(query, "format", "markupFormat", "fields")
	if err != nil {
		return nil, err
	}
	if err := values.checkFormat("csv", "json", "json.zip", "fhir.json", "ris"); err != nil {
		return nil, err
	}
	return values.fields()
}

// ReadNothing reads the query string of a request that takes no parameter.
// Its error is a BadRequest.
func ReadNothing(query string) error {
	_, err := readParameters(query)
	return err
}

func (q queryParameter) parse(text string) (node, error) {
	n, err := parse(text, searchAreas()[q.area])
	if err != nil {
		return nil, refuse("Error parsing query in %s: %s", q.label, err)
	}
	return n, nil
}

// onlyIDsText is text of nothing but NCT ids between commas and spaces.
var onlyIDsText = regexp.MustCompile(`^(?i)[,\s]*NCT0*[1-9][0-9]{0,7}([,\s]+NCT0*[1-9][0-9]{0,7})*[,\s]*$`)

func (s *Search) readQueries(p parameters) error {
	for _, q := range queryParameters {
		text, _ := p.get(q.name)
		if onlyIDsText.MatchString(text) {
			for _, id := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\r\n\f", r) }) {
				s.onlyIDs = append(s.onlyIDs, canonicalise(id))
			}
			continue
		}
		n, err := q.parse(text)
		if err != nil {
			return err
		}
		if n != nil {
			s.expressions = append(s.expressions, n)
		}
	}
	text, _ := p.get(advancedFilter.name)
	var err error
	s.advanced, err = advancedFilter.parse(text)
	return err
}

// readStatuses refuses in a sentence that leaves out "filter.", as upstream
// does.
func (s *Search) readStatuses(p parameters) error {
	s.statuses = p.list("filter.overallStatus")
	for _, status := range s.statuses {
		if !slices.Contains(enums["Status"], status) {
			return refuse("Invalid value in parameter `overallStatus`: `%s`", status)
		}
	}
	return nil
}

func (s *Search) readIDs(p parameters) error {
	for i, id := range p.list("filter.ids") {
		if !looseID.MatchString(id) {
			return refuse("Item %d in parameter `filter.ids` has incorrect format", i+1)
		}
		s.ids = append(s.ids, canonicalise(id))
	}
	return nil
}

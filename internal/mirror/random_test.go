package mirror

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/geo"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A source makes random records and random searches of them. Both use few values, so that searches have hits.
type source struct {
	*rand.Rand
	odd bool // records also have values that the registry does not document
}

func pick[T any](s source, from ...T) T { return from[s.IntN(len(from))] }

// chance reports true once in n times.
func (s source) chance(n int) bool { return s.IntN(n) == 0 }

// A field is a piece and the pieces below it.
type field struct {
	*query.Piece
	below []*field
}

// fields are the pieces of a record as a tree.
var fields = func() *field {
	root, byPath := &field{}, map[string]*field{}
	for _, p := range query.Pieces() {
		f := &field{Piece: p}
		byPath[strings.Join(p.Path, ".")] = f
		parent := byPath[strings.Join(p.Path[:len(p.Path)-1], ".")]
		if parent == nil {
			parent = root
		}
		parent.below = append(parent.below, f)
	}
	return root
}()

// leaves are the pieces that have values.
var leaves = slices.DeleteFunc(slices.Clone(query.Pieces()), func(p *query.Piece) bool { return p.Parent })

// leavesOfSites are the leaves that each site of a study has.
var leavesOfSites = slices.DeleteFunc(slices.Clone(leaves), func(p *query.Piece) bool { return !p.IsOfSite() })

// record returns a record.
func (s source) record(id int) []byte {
	body := s.object(fields).(map[string]any)
	protocol, _ := body["protocolSection"].(map[string]any)
	if protocol == nil {
		protocol = map[string]any{}
		body["protocolSection"] = protocol
	}
	names, _ := protocol["identificationModule"].(map[string]any)
	if names == nil {
		names = map[string]any{}
		protocol["identificationModule"] = names
	}
	names["nctId"] = stored.NCT(int64(id))
	delete(names, "nctIdAliases")
	if s.chance(5) {
		names["nctIdAliases"] = []string{stored.NCT(int64(id) + 50_000_000)}
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return text
}

// studies returns the records of a registry, and the records and the ids that a mirror has before a sync: the sync has not read all
// records, some have changed, and some were removed.
func (s source) studies() (records, before [][]byte, gone []int64) {
	for id := 1; id <= 100; id++ {
		if s.chance(20) {
			gone = append(gone, int64(id))
			before = append(before, s.record(id))
			continue
		}
		now := s.record(id)
		records = append(records, now)
		switch s.IntN(6) {
		case 0: // new
		case 1:
			before = append(before, s.record(id))
		default:
			before = append(before, now)
		}
	}
	return records, before, gone
}

func (s source) object(f *field) any {
	object := map[string]any{}
	for _, child := range f.below {
		present := 3
		switch child.Name {
		case "ResultsSection", "AnnotationSection", "DocumentSection":
			present = 1
		case "ContactsLocationsModule", "Location", "ProtocolSection":
			present = 4
		}
		if s.IntN(5) < present {
			object[child.Path[len(child.Path)-1]] = s.value(child)
		}
	}
	return object
}

func (s source) value(f *field) any {
	one := func() any {
		if len(f.below) > 0 {
			return s.object(f)
		}
		return s.leaf(f.Piece)
	}
	if !f.IsList() {
		return one()
	}
	list := make([]any, s.IntN(4))
	for i := range list {
		list[i] = one()
	}
	return list
}

var (
	vocabulary = []string{"heart", "attack", "Myocardial infarction", "stroke", "covid-19", "Naïve cells", "isn't", "5.5", "日本", "ÉTUDE",
		"AND", "the", `"quoted"`, "a_b", "drugs", "NCT00000017"}
	countries = []string{"France", "Korea, Republic of", "Republic of Korea", "United States", "Côte d'Ivoire", "Guinea",
		"Equatorial Guinea",
		"Atlantis"}
	cities = []string{"Paris", "Boston", "Suva", "St. Louis", "New York"}
	points = []geo.Point{
		{Lat: 48.85, Lon: 2.35}, {Lat: 42.36, Lon: -71.06}, {Lat: -18.14, Lon: 178.44}, {Lat: -16.5, Lon: -179.9}, {Lat: 89.9, Lon: 10},
	}
	dates  = []string{"2019-12-31", "2020", "2020-01-01", "2020-03", "2020-03-15", "2020-12-31", "2021-02"}
	ages   = []string{"1 Day", "6 Months", "1 Year", "18 Years", "65 years", "2.5 Years"}
	counts = []string{"0", "1", "2", "20", "100", "5000"}
)

func (s source) leaf(p *query.Piece) any {
	odd := s.odd && s.chance(6)
	switch {
	case p.Enum() != nil && odd:
		return pick(s, "NEW_VALUE", "OTHER_NEW", "phase1")
	case p.Enum() != nil:
		return pick(s, p.Enum()...)
	case p.IsDate() && odd:
		return pick(s, "soon", "2020-3", "2020-03-15T10:00", "99999-01-01")
	case p.IsDate():
		return pick(s, dates...)
	case p.IsAge() && odd:
		return pick(s, "N/A (No limit)", "-1 Days", "0.3333 Months", "1 Fortnight", "18", "900000 Years")
	case p.IsAge():
		return pick(s, ages...)
	case p.IsNumber() && odd:
		return json.Number(pick(s, "-3", "2.5", "4294967295", "4294967293", "1e3", "1e20"))
	case p.IsNumber():
		return json.Number(pick(s, counts...))
	case p.IsPoint():
		at := pick(s, points...)
		return map[string]any{"lat": at.Lat, "lon": at.Lon}
	case p.Type == "boolean":
		return s.chance(2)
	case strings.HasSuffix(p.Name, "Country"):
		return pick(s, countries...)
	case strings.HasSuffix(p.Name, "City"):
		return pick(s, cities...)
	case odd:
		return pick(s, "—", strings.Repeat("x", 300), "é\u0301", `\" {[`, `"versionHolder":""`)
	}
	return s.text()
}

func (s source) text() string {
	words := make([]string, 1+s.IntN(3))
	for i := range words {
		words[i] = pick(s, vocabulary...)
	}
	return strings.Join(words, " ")
}

// areas are the registry's search areas.
var areas = []string{"BasicSearch", "ConditionSearch", "InterventionSearch", "TitleSearch", "OutcomeSearch", "SponsorSearch",
	"LocationSearch"}

// node returns a condition of at most some levels, for one site if site is true.
func (s source) node(levels int, site bool) query.Node {
	if levels == 0 || s.chance(3) {
		return s.condition(site)
	}
	switch s.IntN(6) {
	case 0, 1:
		return query.And(s.nodes(levels-1, site))
	case 2:
		return query.Or(s.nodes(levels-1, site))
	case 3:
		return query.Not{Node: s.node(levels-1, site)}
	}
	if site {
		return s.condition(site)
	}
	return query.OneSite{Node: s.node(levels-1, true)}
}

func (s source) nodes(levels int, site bool) []query.Node {
	nodes := make([]query.Node, pick(s, 0, 1, 2, 2, 2, 3))
	for i := range nodes {
		nodes[i] = s.node(levels, site)
	}
	return nodes
}

// condition returns a condition on one piece or area.
func (s source) condition(site bool) query.Node {
	p := s.piece(site)
	switch {
	case s.chance(20):
		return query.All{}
	case s.chance(6):
		return query.Missing{Piece: p}
	case s.chance(12) && !site:
		return query.Count{Piece: query.PieceNamed(pick(s, "Phase", "Condition", "StdAge", "InterventionType")), N: s.IntN(4)}
	case s.chance(5) && !site:
		return s.term(query.AreaNamed(pick(s, areas...)), s.text())
	}
	return s.conditionOn(p)
}

// piece returns a piece that has values, often one that the mirror has a column or an index of.
func (s source) piece(site bool) *query.Piece {
	switch {
	case site && s.chance(2):
		return query.PieceNamed(pick(s, countryPiece, "LocationStatus"))
	case site:
		return pick(s, leavesOfSites...)
	case s.chance(2):
		return query.PieceNamed(pick(s, columns...).piece)
	case s.chance(2):
		return query.PieceNamed(pick(s, grouped...).piece)
	}
	return pick(s, leaves...)
}

// conditionOn returns a condition that the query language has for the type of a piece.
func (s source) conditionOn(p *query.Piece) query.Node {
	switch {
	case p.Enum() != nil:
		return query.Value{Piece: p, Text: pick(s, p.Enum()...)}
	case p.IsDate():
		from, to := query.FirstDay(pick(s, dates...)), query.FirstDay(pick(s, dates...))
		return query.DateRange{Piece: p, From: pick(s, from, ""), To: pick(s, to, "9999-12-31")}
	case p.IsAge(), p.IsNumber():
		values := counts
		if p.IsAge() {
			values = ages
		}
		from, _ := p.Number(pick(s, values...))
		to, _ := p.Number(pick(s, values...))
		return query.NumberRange{Piece: p, From: pick(s, from, math.Inf(-1)), To: pick(s, to, math.Inf(1))}
	case p.IsPoint():
		return query.Within{Piece: p, From: pick(s, points...), Kilometres: pick(s, 0.0, 10, 300, 6000, 30_000)}
	}
	text := s.text()
	switch {
	case p.Type == "boolean":
		text = pick(s, "true", "false", "true", "false", "true false", "heart")
	case strings.HasSuffix(p.Name, "Country"):
		text = pick(s, countries...)
	case strings.HasSuffix(p.Name, "City"):
		text = pick(s, cities...)
	}
	return s.term(&query.Area{Name: p.Name, Pieces: []query.Weighted{{Piece: p, Weight: 1}}}, text)
}

// term returns a term with some of the words of a text.
func (s source) term(area *query.Area, text string) query.Node {
	words := query.Words(text)
	if len(words) == 0 {
		return query.All{}
	}
	if s.chance(2) {
		words = words[:1+s.IntN(len(words))]
	}
	return query.Term{Area: area, Words: words, Phrase: s.chance(2), FullMatch: s.chance(5)}
}

// search returns a search.
func (s source) search() *query.Search {
	search := &query.Search{CountTotal: true, PageSize: 1000}
	if s.chance(3) {
		search.Queries = append(search.Queries, s.term(query.AreaNamed(pick(s, areas...)), s.text()))
	}
	if !s.chance(10) {
		search.Advanced = s.node(4, false)
	}
	if s.chance(8) {
		search.Statuses = []string{"RECRUITING", pick(s, query.PieceNamed("OverallStatus").Enum()...)}
	}
	if s.chance(8) {
		for range 5 {
			search.IDs = append(search.IDs, stored.NCT(int64(1+s.IntN(120)+50_000_000*s.IntN(2))))
		}
	}
	for range s.IntN(3) {
		if s.odd {
			break // the sandbox sorts texts that are no dates
		}
		var sortable []*query.Piece
		for _, c := range columns {
			if p := query.PieceNamed(c.piece); p.IsDate() || p.IsNumber() {
				sortable = append(sortable, p)
			}
		}
		search.Sort = append(search.Sort, query.SortKey{Piece: pick(s, sortable...), Descending: s.chance(2)})
	}
	if len(search.Sort) > 0 && s.chance(3) {
		search.PageSize, search.Offset = 1+s.IntN(8), s.IntN(30)
	}
	var names []string
	for range 1 + s.IntN(6) {
		names = append(names, pick(s, query.Pieces()...).Name)
	}
	if !s.chance(10) {
		search.Fields = query.Select(append(names, "NCTId")...)
	}
	return search
}

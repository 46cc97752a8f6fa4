package entrez

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// ReadSummaries reads a JSON ESummary: the documents by uid, and the uids of
// which NCBI has none, in the order of the answer. The error of an answer that
// is a failure as a whole is that of Check.
func ReadSummaries(body []byte) (docs map[string]json.RawMessage, missing []string, err error) {
	var answer struct {
		Result map[string]json.RawMessage `json:"result"`
	}
	if err := readAnswer("ESummary", body, &answer); err != nil {
		return nil, nil, err
	}
	var uids []scalar
	if err := json.Unmarshal(answer.Result["uids"], &uids); err != nil {
		return nil, nil, errors.New("an ESummary without uids")
	}
	docs = map[string]json.RawMessage{}
	for _, u := range uids {
		uid := string(u)
		doc := bytes.TrimSpace(answer.Result[uid])
		if _, known := docs[uid]; known || slices.Contains(missing, uid) {
			continue
		}
		var told struct {
			Error message `json:"error"`
		}
		if err := json.Unmarshal(doc, &told); err != nil || doc[0] != '{' {
			return nil, nil, fmt.Errorf("the ESummary of %q is no document", uid)
		}
		if told.Error != "" {
			missing = append(missing, uid)
			continue
		}
		docs[uid] = doc
	}
	return docs, missing, nil
}

// GeneSummary is the ESummary document of a gene.
type GeneSummary struct {
	UID         string
	Name        string // the current symbol
	Description string

	// NomenclatureStatus is Official or Interim.
	NomenclatureSymbol, NomenclatureName, NomenclatureStatus string

	Aliases      []string // otheraliases
	Designations []string // otherdesignations
	Status       int      // 0 live, 1 replaced, 2 discontinued, 3 known from GeneRIFs only
	CurrentID    string   // of a replaced record: what it is replaced by
	Chromosome   string
	MapLocation  string
	MIM          []string
	Summary      string
	Weight       int

	Organism, OrganismCommonName string
	TaxID                        int
}

// Live tells a record that is neither replaced nor discontinued.
func (g *GeneSummary) Live() bool { return g.Status != 1 && g.Status != 2 }

// ReadGeneSummary reads a document of ReadSummaries for db gene. An absent
// text is "", an absent number 0.
func ReadGeneSummary(doc json.RawMessage) (*GeneSummary, error) {
	var d struct {
		UID, Name, Description                                   scalar
		NomenclatureSymbol, NomenclatureName, NomenclatureStatus scalar
		OtherAliases, OtherDesignations                          scalar
		Status, CurrentID, Chromosome, MapLocation               scalar
		MIM                                                      scalars
		Summary, GeneWeight                                      scalar
		Organism                                                 struct{ ScientificName, CommonName, TaxID scalar }
		OrgName, TaxID                                           scalar // of former days
	}
	if err := json.Unmarshal(doc, &d); err != nil {
		return nil, fmt.Errorf("the ESummary of a gene: %w", err)
	}
	g := &GeneSummary{
		UID: d.UID.text(), Name: d.Name.text(), Description: d.Description.text(),
		NomenclatureSymbol: d.NomenclatureSymbol.text(),
		NomenclatureName:   d.NomenclatureName.text(),
		NomenclatureStatus: d.NomenclatureStatus.text(),
		Aliases:            d.OtherAliases.split(","),
		Designations:       d.OtherDesignations.split("|"),
		Status:             d.Status.number(),
		CurrentID:          d.CurrentID.text(),
		Chromosome:         d.Chromosome.text(),
		MapLocation:        d.MapLocation.text(),
		MIM:                d.MIM,
		Summary:            d.Summary.text(),
		Weight:             d.GeneWeight.number(),
		Organism:           cmp.Or(d.Organism.ScientificName.text(), d.OrgName.text()),
		OrganismCommonName: d.Organism.CommonName.text(),
		TaxID:              cmp.Or(d.Organism.TaxID.number(), d.TaxID.number()),
	}
	if g.CurrentID == "0" {
		g.CurrentID = ""
	}
	return g, nil
}

// ReadLinks is ReadNeighbors for links that have no order of their own: the ids
// fall numerically, and what is wrong is wrong there too.
func ReadLinks(body []byte, linkname string) (map[string][]string, error) {
	neighbors, err := ReadNeighbors(body, linkname)
	if err != nil {
		return nil, err
	}
	links := map[string][]string{}
	for id, near := range neighbors {
		var ids []string
		for _, n := range near {
			ids = append(ids, n.PMID)
		}
		slices.SortFunc(ids, func(a, b string) int { return compareIDs(b, a) })
		links[id] = ids
	}
	return links, nil
}

// Neighbor is an article that a record is linked to.
type Neighbor struct {
	PMID  string // digits
	Score int64  // of similarity, without a unit and comparable for one record only; 0 where none was asked for
}

// ReadNeighbors reads a JSON ELink that was asked for each id by itself
// (id=1&id=2, not id=1,2): what each is linked to under a linkname, in NCBI's
// order and without duplicates. Of similar articles the first is the article
// itself. An id without links is in the map; NCBI answers the same for an id
// that it does not know. An id without an answer is not. An answer in which
// the links of several ids are pooled is an error.
func ReadNeighbors(body []byte, linkname string) (map[string][]Neighbor, error) {
	var answer struct {
		LinkSets []struct {
			IDs   []scalar `json:"ids"`
			Error message  `json:"error"`
			DBs   []struct {
				LinkName scalar     `json:"linkname"`
				Links    []neighbor `json:"links"`
			} `json:"linksetdbs"`
		} `json:"linksets"`
	}
	if err := readAnswer("ELink", body, &answer); err != nil {
		return nil, err
	}
	if len(answer.LinkSets) == 0 {
		return nil, errors.New("an ELink without link sets")
	}
	neighbors := map[string][]Neighbor{}
	type pair struct{ from, to string }
	known := map[pair]bool{}
	for _, set := range answer.LinkSets {
		if len(set.IDs) != 1 {
			return nil, fmt.Errorf("an ELink with a link set of %d ids", len(set.IDs))
		}
		id := set.IDs[0].text()
		if !isNumber(id) {
			return nil, fmt.Errorf("an ELink from %.40q, which is no id", id)
		}
		near := neighbors[id]
		for _, db := range set.DBs {
			if db.LinkName.text() != linkname {
				continue
			}
			for _, l := range db.Links {
				if p := (pair{id, l.PMID}); !known[p] {
					known[p] = true
					near = append(near, Neighbor(l))
				}
			}
		}
		neighbors[id] = near
	}
	return neighbors, nil
}

// compareIDs compares numbers of any length.
func compareIDs(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// neighbor is an id, alone or beside its score.
type neighbor Neighbor

func (n *neighbor) UnmarshalJSON(text []byte) error {
	var scored struct {
		ID    scalar `json:"id"`
		Score scalar `json:"score"`
	}
	target := any(&scored.ID)
	if len(text) > 0 && text[0] == '{' {
		target = &scored
	}
	if err := json.Unmarshal(text, target); err != nil {
		return err
	}
	n.PMID = strings.TrimLeft(scored.ID.text(), "0")
	if !isNumber(n.PMID) {
		return fmt.Errorf("a link to %.40q, which is no id", scored.ID)
	}
	if score := scored.Score.text(); score != "" {
		value, err := strconv.ParseInt(score, 10, 64)
		if err != nil {
			return fmt.Errorf("a link with the score %.40q", score)
		}
		n.Score = value
	}
	return nil
}

// Search is the answer of an ESearch.
type Search struct {
	Count int      // of all hits, not only those of IDs
	IDs   []string // in the order of the sort that was asked for

	QueryTranslation string // what NCBI made of the term

	// What NCBI did not find or left out. Words that are not found do not make
	// a search fail: the others may have hits.
	PhrasesNotFound, FieldsNotFound                       []string
	PhrasesIgnored, QuotedPhrasesNotFound, OutputMessages []string

	// The history, where it was asked for; it expires after hours.
	WebEnv   string
	QueryKey int
}

// ReadSearch reads a JSON ESearch. An answer without a count is an error,
// never zero hits.
func ReadSearch(body []byte) (Search, error) {
	var answer struct {
		Result *struct {
			Count, QueryTranslation, WebEnv, QueryKey scalar
			IDList                                    scalars
			ErrorList                                 struct{ PhrasesNotFound, FieldsNotFound scalars }
			WarningList                               struct{ PhrasesIgnored, QuotedPhrasesNotFound, OutputMessages scalars }
		} `json:"esearchresult"`
	}
	if err := readAnswer("ESearch", body, &answer); err != nil {
		return Search{}, err
	}
	r := answer.Result
	if r == nil {
		return Search{}, errors.New("an ESearch without a result")
	}
	count, err := strconv.Atoi(r.Count.text())
	if err != nil || count < 0 {
		return Search{}, errors.New("an ESearch without a count")
	}
	return Search{
		Count: count, IDs: r.IDList,
		QueryTranslation:      r.QueryTranslation.text(),
		PhrasesNotFound:       r.ErrorList.PhrasesNotFound,
		FieldsNotFound:        r.ErrorList.FieldsNotFound,
		PhrasesIgnored:        r.WarningList.PhrasesIgnored,
		QuotedPhrasesNotFound: r.WarningList.QuotedPhrasesNotFound,
		OutputMessages:        r.WarningList.OutputMessages,
		WebEnv:                r.WebEnv.text(),
		QueryKey:              r.QueryKey.number(),
	}, nil
}

// Info describes a database, as EInfo tells it.
type Info struct {
	Name, MenuName, Description string
	DBBuild                     string // opaque
	Count                       int    // of records
	LastUpdate                  string // in NCBI's words: 2025/11/27 06:33
	Fields                      []InfoField
	Links                       []InfoLink
}

// InfoField is a search field of a database.
type InfoField struct {
	Name, FullName, Description                         string
	TermCount                                           int // 0 where it is not told
	IsDate, IsNumerical, SingleToken, Hierarchy, Hidden bool
}

// InfoLink is a linkname of a database.
type InfoLink struct{ Name, Menu, Description, DBTo string }

// ReadInfo reads a JSON EInfo of one database.
func ReadInfo(body []byte) (Info, error) {
	var answer struct {
		Result struct{ DBInfo dbInfos } `json:"einforesult"`
	}
	if err := readAnswer("EInfo", body, &answer); err != nil {
		return Info{}, err
	}
	if len(answer.Result.DBInfo) != 1 || answer.Result.DBInfo[0].DBName == "" {
		return Info{}, errors.New("an EInfo without a database")
	}
	d := answer.Result.DBInfo[0]
	info := Info{
		Name: d.DBName.text(), MenuName: d.MenuName.text(), Description: d.Description.text(),
		DBBuild: d.DBBuild.text(), Count: d.Count.number(), LastUpdate: d.LastUpdate.text(),
	}
	for _, f := range d.FieldList {
		info.Fields = append(info.Fields, InfoField{
			Name: f.Name.text(), FullName: f.FullName.text(), Description: f.Description.text(),
			TermCount: f.TermCount.number(),
			IsDate:    f.IsDate.yes(), IsNumerical: f.IsNumerical.yes(), SingleToken: f.SingleToken.yes(),
			Hierarchy: f.Hierarchy.yes(), Hidden: f.IsHidden.yes(),
		})
	}
	for _, l := range d.LinkList {
		info.Links = append(info.Links, InfoLink{
			Name: l.Name.text(), Menu: l.Menu.text(), Description: l.Description.text(), DBTo: l.DBTo.text(),
		})
	}
	return info, nil
}

type dbInfo struct {
	DBName, MenuName, Description, DBBuild, Count, LastUpdate scalar

	FieldList []struct {
		Name, FullName, Description, TermCount                scalar
		IsDate, IsNumerical, SingleToken, Hierarchy, IsHidden scalar
	}
	LinkList []struct{ Name, Menu, Description, DBTo scalar }
}

// dbInfos is one database: alone, as it was in former days, or in a list.
type dbInfos []dbInfo

func (d *dbInfos) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '[' {
		return json.Unmarshal(text, (*[]dbInfo)(d))
	}
	*d = make(dbInfos, 1)
	return json.Unmarshal(text, &(*d)[0])
}

// readAnswer decodes a JSON answer, after a check that it is one.
func readAnswer(utility string, body []byte, answer any) error {
	if err := check(http.StatusOK, url.Values{"retmode": {"json"}}, body); err != nil {
		return err
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return fmt.Errorf("%s: %w", utility, err)
	}
	return nil
}

// scalar is a string or a number, as NCBI sees fit from day to day; null and
// absent are "".
type scalar string

func (s *scalar) UnmarshalJSON(text []byte) error {
	var one string
	switch {
	case len(text) > 0 && (text[0] == '{' || text[0] == '['):
		return errors.New("text or a number was expected")
	case json.Unmarshal(text, &one) == nil:
		*s = scalar(one)
	default:
		*s = scalar(text)
	}
	return nil
}

func (s scalar) text() string { return strings.TrimSpace(string(s)) }

// number is 0 for what is none.
func (s scalar) number() int {
	n, err := strconv.Atoi(s.text())
	if err != nil {
		return 0
	}
	return n
}

func (s scalar) yes() bool { return s.text() == "Y" }

func (s scalar) split(by string) []string {
	var parts []string
	for part := range strings.SplitSeq(string(s), by) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// scalars is a list of them without the empty ones, or a single one.
type scalars []string

func (l *scalars) UnmarshalJSON(text []byte) error {
	var all []scalar
	if len(text) > 0 && text[0] == '[' {
		if err := json.Unmarshal(text, &all); err != nil {
			return err
		}
	} else {
		var one scalar
		if err := json.Unmarshal(text, &one); err != nil {
			return err
		}
		all = []scalar{one}
	}
	*l = nil
	for _, s := range all {
		if t := s.text(); t != "" {
			*l = append(*l, t)
		}
	}
	return nil
}

package sandbox

import (
	"errors"
	"strconv"
)

// mostRows is how many uids one ESearch lists.
const mostRows = 10_000

// search is ESearch.
func (e *eutils) search(r request) (answer, error) {
	s, env, err := e.searchOf(r)
	var result *searchResult
	if err == nil {
		result, err = e.run(s)
	}
	if inside, ok := errors.AsType[errorInside](err); ok {
		return r.searchError(string(inside))
	}
	if err != nil {
		return answer{}, err
	}
	info := result.info
	result.from = r.number("retstart", 0)
	if info.unreadable(result.from) {
		return r.searchError(beyondReach)
	}
	result.rows = window(info.reach(result.uids), result.from, min(r.number("retmax", 20), mostRows))
	result.env = env
	result.countOnly = r.get("rettype") == "count"
	return jsonAnswer(object{r.header(), {"esearchresult", result.object()}})
}

func (r request) searchError(sentence string) (answer, error) {
	return rawNewlines(jsonAnswer(object{r.header(), {"esearchresult", object{{"ERROR", sentence}}}}))
}

// storedSearch is a search that can be made again: what the history holds.
type storedSearch struct {
	Database string `json:"db"`
	Term     string `json:"term"`
	Sort     string `json:"sort,omitempty"`
}

// searchOf is the search that a request asks for, and where the history keeps
// it if it is to be kept.
func (e *eutils) searchOf(r request) (s storedSearch, env string, err error) {
	db, err := e.database(r, "db")
	if err != nil {
		return s, "", err
	}
	s = storedSearch{Database: db.info().name, Term: r.get("term"), Sort: r.get("sort")}
	if s.Term == "" {
		return s, "", errorInside("Empty term and query_key - nothing todo")
	}
	if r.get("usehistory") == "y" {
		env, err = remember(s)
	}
	return s, env, err
}

// searchResult is what a search comes to.
type searchResult struct {
	uids, rows   []uint64
	from         int
	env          string
	countOnly    bool
	info         databaseInfo
	translations []translation
	stack        []any
	translated   string
	phrases      []string // not found
	fields       []string // not found
	quoted       []string // quoted phrases not found
	ignored      []string // without any letter or digit
}

// translation is a term and what the upstream took it for.
type translation struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func (e *eutils) run(s storedSearch) (*searchResult, error) {
	db, err := e.open(s.Database)
	if err != nil {
		return nil, err
	}
	query, err := parseTerm(s.Term)
	if err != nil {
		return nil, err
	}
	result := &searchResult{info: db.info()}
	found := query.run(db, result)
	result.translated = query.translate(db)
	if result.info.noStack {
		result.stack = nil
	}
	result.uids = db.order(found, s.Sort)
	return result, nil
}

// beyondReach is what is said to who reads on where a database shows no more of
// its hits.
const beyondReach = "Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. For PubMed, ESearch can only retrieve the first 9,999 records matching the query. To obtain more than 9,999 PubMed records, consider using EDirect that contains additional logic to batch PubMed search results automatically so that an arbitrary number can be retrieved. For details see https://www.ncbi.nlm.nih.gov/books/NBK25499/"

// unreadable tells whether hits from start on are beyond what can be read.
func (d databaseInfo) unreadable(start int) bool { return d.readable > 0 && start >= d.readable }

// reach are the hits that can be read.
func (d databaseInfo) reach(uids []uint64) []uint64 {
	if d.readable > 0 {
		return window(uids, 0, d.readable)
	}
	return uids
}

// messages are the remarks on a search that finds nothing.
func (s *searchResult) messages() []string {
	if len(s.uids) == 0 {
		return []string{"No items found."}
	}
	return []string{}
}

func (s *searchResult) object() object {
	count := member{"count", strconv.Itoa(len(s.uids))}
	if s.countOnly {
		return object{count}
	}
	out := object{count, {"retmax", strconv.Itoa(len(s.rows))}, {"retstart", strconv.Itoa(s.from)}}
	if s.env != "" {
		out = append(out, member{"querykey", onlyKey}, member{"webenv", s.env})
	}
	translations := s.translations
	if translations == nil {
		translations = []translation{}
	}
	out = append(out, member{"idlist", decimals(s.rows)}, member{"translationset", translations})
	if len(s.stack) > 0 {
		out = append(out, member{"translationstack", s.stack})
	}
	out = append(out, member{"querytranslation", s.translated})
	if len(s.phrases)+len(s.fields) > 0 {
		out = append(out, member{"errorlist", object{{"phrasesnotfound", list0(s.phrases)}, {"fieldsnotfound", list0(s.fields)}}})
	}
	if len(s.uids) == 0 || len(s.quoted)+len(s.ignored) > 0 {
		out = append(out, member{"warninglist", object{
			{"phrasesignored", list0(s.ignored)}, {"quotedphrasesnotfound", list0(s.quoted)}, {"outputmessages", s.messages()},
		}})
	}
	return out
}

// list0 is a list that is never null.
func list0(list []string) []string { return append([]string{}, list...) }

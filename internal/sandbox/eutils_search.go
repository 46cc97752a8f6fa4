package sandbox

import (
	"errors"
	"strconv"
	"strings"
)

const searchType = `eSearchResult PUBLIC "-//NLM//DTD esearch 20060628//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/esearch.dtd"`

// mostRows is how many uids one ESearch lists.
const mostRows = 10_000

// search is ESearch.
func (e *eutils) search(r request) (answer, error) {
	s, key, env, err := e.searchOf(r)
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
	result.from = r.number("retstart", 0)
	result.rows = window(result.uids, result.from, min(r.number("retmax", 20), mostRows))
	result.key, result.env = key, env
	result.countOnly = r.get("rettype") == "count"
	if r.json() {
		return jsonAnswer(object{r.header(), {"esearchresult", result.object()}})
	}
	return xmlAnswer(searchType, el("eSearchResult", result.elements()...))
}

func (r request) searchError(sentence string) (answer, error) {
	if r.json() {
		return rawNewlines(jsonAnswer(object{r.header(), {"esearchresult", object{{"ERROR", sentence}}}}))
	}
	return xmlAnswer(searchType, el("eSearchResult", el("ERROR", sentence)))
}

// storedSearch is a search that can be made again: what the history holds.
type storedSearch struct {
	Database string `json:"db"`
	Term     string `json:"term"`
	Sort     string `json:"sort,omitempty"`
}

// searchOf is the search that a request asks for, and where the history keeps
// it if it is to be kept.
func (e *eutils) searchOf(r request) (s storedSearch, key, env string, err error) {
	if _, err := e.database(r, "db"); err != nil {
		return s, "", "", err
	}
	s = storedSearch{Database: strings.ToLower(r.get("db")), Term: r.get("term"), Sort: r.get("sort")}
	env = r.get("WebEnv")
	if r.get("query_key") != "" {
		before, err := recall(env, r.get("query_key"))
		if err != nil {
			return s, "", "", err
		}
		if s.Term == "" {
			s.Term = before.Term
		} else {
			s.Term = "(" + before.Term + ") AND (" + s.Term + ")"
		}
	}
	if s.Term == "" {
		return s, "", "", errorInside("Empty term and query_key - nothing todo")
	}
	if r.get("usehistory") != "y" {
		return s, "", "", nil
	}
	key, env, err = remember(env, s)
	return s, key, env, err
}

// searchResult is what a search comes to.
type searchResult struct {
	uids, rows   []uint64
	from         int
	key, env     string
	countOnly    bool
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
	db, ok := e.databases[s.Database]
	if !ok {
		return nil, errorInside("Invalid db name specified: " + s.Database)
	}
	query, err := parseTerm(s.Term)
	if err != nil {
		return nil, err
	}
	result := &searchResult{}
	found := query.run(db, result)
	result.translated = query.translate(db)
	result.uids = db.order(found, s.Sort)
	return result, nil
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
		out = append(out, member{"querykey", s.key}, member{"webenv", s.env})
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

func (s *searchResult) elements() []any {
	count := el("Count", strconv.Itoa(len(s.uids)))
	if s.countOnly {
		return []any{count}
	}
	var translations, stack []any
	for _, t := range s.translations {
		translations = append(translations, el("Translation", el("From", t.From), el("To", t.To)))
	}
	for _, step := range s.stack {
		switch step := step.(type) {
		case termCount:
			stack = append(stack, el("TermSet", el("Term", step.Term), el("Field", step.Field), el("Count", step.Count), el("Explode", step.Explode)))
		case string:
			stack = append(stack, el("OP", step))
		}
	}
	return []any{
		count, el("RetMax", strconv.Itoa(len(s.rows))), el("RetStart", strconv.Itoa(s.from)),
		some("QueryKey", s.key), some("WebEnv", s.env),
		el("IdList", repeated("Id", decimals(s.rows))), el("TranslationSet", translations), some("TranslationStack", stack),
		el("QueryTranslation", s.translated),
		some("ErrorList", repeated("PhraseNotFound", s.phrases), repeated("FieldNotFound", s.fields)),
		some("WarningList", repeated("PhraseIgnored", s.ignored), repeated("QuotedPhraseNotFound", s.quoted), repeated("OutputMessage", s.messages())),
	}
}

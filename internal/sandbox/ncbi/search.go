package ncbi

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
)

// maxRows is the maximum number of uids in an ESearch response.
const maxRows = 10_000

// search is ESearch.
func (u *Utilities) search(r request) (object, error) {
	s := storedSearch{Database: r.get("db"), Term: r.get("term"), Sort: r.get("sort")}
	result, err := u.find(s)
	if err != nil {
		return nil, err
	}
	start, uids := r.number("retstart", 0), result.uids
	if result.readable > 0 {
		if start >= result.readable {
			return nil, reportedError(errTooFar)
		}
		uids = window(uids, 0, result.readable)
	}
	rows := window(uids, start, min(r.number("retmax", 20), maxRows))
	out := object{{"count", strconv.Itoa(len(result.uids))}, {"retmax", strconv.Itoa(len(rows))}, {"retstart", strconv.Itoa(start)}}
	if r.get("usehistory") == "y" {
		env, err := encodeSearch(s)
		if err != nil {
			return nil, err
		}
		out = append(out, member{"querykey", onlyKey}, member{"webenv", env})
	}
	out = append(out, member{"idlist", decimals(rows)}, member{"querytranslation", result.translated})
	return object{{"esearchresult", append(out, result.remarks()...)}}, nil
}

func (u *Utilities) find(s storedSearch) (*searchResult, error) {
	db, err := u.open(s.Database)
	if err != nil {
		return nil, err
	}
	if s.Term == "" {
		return nil, reportedError("Empty term and query_key - nothing todo")
	}
	query, err := parseTerm(s.Term)
	if err != nil {
		return nil, err
	}
	result := &searchResult{readable: db.info().readable}
	var found hits
	found, result.translated = query.run(db, result)
	result.uids = db.order(found, s.Sort)
	return result, nil
}

// errTooFar is NCBI's error for a page beyond the hits that can be listed.
const errTooFar = "Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. " +
	"For PubMed, ESearch can only retrieve the first 9,999 records matching the query. " +
	"To obtain more than 9,999 PubMed records, consider using EDirect that contains additional logic to batch PubMed search results " +
	"automatically so that an arbitrary number can be retrieved. For details see https://www.ncbi.nlm.nih.gov/books/NBK25499/"

// remarks returns the lists of errors and warnings that are not empty.
func (s *searchResult) remarks() object {
	var out object
	if len(s.phrases)+len(s.fields) > 0 {
		out = append(out, member{"errorlist", object{{"phrasesnotfound", nonNil(s.phrases)}, {"fieldsnotfound", nonNil(s.fields)}}})
	}
	messages := []string{}
	if len(s.uids) == 0 {
		messages = append(messages, "No items found.")
	}
	if len(messages)+len(s.quoted)+len(s.ignored) > 0 {
		out = append(out, member{"warninglist", object{
			{"phrasesignored", nonNil(s.ignored)}, {"quotedphrasesnotfound", nonNil(s.quoted)}, {"outputmessages", messages},
		}})
	}
	return out
}

// nonNil returns an empty list for nil, so that JSON has [].
func nonNil(list []string) []string { return append([]string{}, list...) }

// storedSearch is a search that can be repeated. The sandbox keeps no history: a WebEnv contains the search itself, so that any sandbox
// with the same records can read it.
type storedSearch struct {
	Database string `json:"db"`
	Term     string `json:"term"`
	Sort     string `json:"sort,omitempty"`
}

const (
	webEnv  = "MCID_"
	onlyKey = "1"
)

// encodeSearch returns a WebEnv that contains a search.
func encodeSearch(s storedSearch) (env string, err error) {
	text, err := json.Marshal(s)
	return webEnv + base64.RawURLEncoding.EncodeToString(text), err
}

// decodeSearch returns the search of a WebEnv.
func decodeSearch(env, key string) (s storedSearch, err error) {
	coded, ok := strings.CutPrefix(env, webEnv)
	text, err := base64.RawURLEncoding.DecodeString(coded)
	if !ok || err != nil || key != onlyKey || json.Unmarshal(text, &s) != nil {
		return s, reportedError("Unable to obtain query #" + key)
	}
	return s, nil
}

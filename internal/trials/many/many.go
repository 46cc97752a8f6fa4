// Package many reads the ids of a call for several trials, and divides the answer into pages. It knows no section.
package many

import (
	"encoding/json"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	// Max is the largest number of trials in a call.
	Max = 20
	// PageBytes limits a page in bytes, if the call does not set its size.
	PageBytes = 30_000
)

// A Request holds the ids of a call.
type Request struct {
	// IDs are the distinct ids, as the registry writes them: NCT00461032.
	IDs  []string
	tool string
	bad  []string // texts without a trial, each with the reason
	none bool     // a text is not an id
}

// Read returns the request of a call. It returns an error if no text is an id, or if the ids are more than Max.
func Read(toolName string, texts []string) (*Request, error) {
	r := &Request{tool: toolName}
	for _, text := range strings.FieldsFunc(strings.Join(texts, ","), func(c rune) bool { return c == ',' || c == ';' }) {
		found, malformed := id.NCT.Find(text)
		r.IDs = append(r.IDs, found...)
		for _, bad := range malformed {
			r.refuse(bad, envelope.WrongDigits([]string{bad}))
		}
		if len(found)+len(malformed) == 0 {
			r.refuse(text, envelope.NoNCT(text))
		}
	}
	r.none = len(r.bad) > 0
	if r.IDs = entity.Once(r.IDs); len(r.IDs) > Max {
		return nil, envelope.Refuse("nct_ids", strings.Join(texts, ", "), "has %d ids, and one call answers at most %d", len(r.IDs), Max).
			Again(toolName, "with %s, and then with the others", tool.Object("nct_ids", CURIEs(r.IDs[:Max])))
	}
	if len(r.IDs) == 0 {
		return nil, r.nothing()
	}
	return r, nil
}

// CURIEs returns ids as answers have them.
func CURIEs(ids []string) (curies []string) {
	for _, nct := range ids {
		curies = append(curies, id.NCT.CURIE(nct))
	}
	return curies
}

func (r *Request) refuse(text, reason string) {
	r.bad = append(r.bad, envelope.Quoted(text)+" ("+reason+")")
}

// Found returns the records that have different ids, in the order of the request. records are by requested id, of returns the id of one.
// A notice names the texts without a trial. If no id has a record, it returns an error.
func Found[T any](r *Request, records map[string]*T, of func(*T) string, notes *entity.Notes) ([]*T, error) {
	var found []*T
	known := map[string]bool{}
	for _, nct := range r.IDs {
		record := records[nct]
		if record == nil {
			r.refuse(id.NCT.CURIE(nct), "ClinicalTrials.gov has no such trial")
			continue
		}
		curie := of(record)
		if curie != id.NCT.CURIE(nct) {
			notes.Add(id.NCT.CURIE(nct) + " is an obsolete id of a trial, which is " + curie + ".")
		}
		if !known[curie] {
			known[curie] = true
			found = append(found, record)
		}
	}
	if len(found) == 0 {
		return nil, r.nothing()
	}
	if len(r.bad) > 0 {
		notes.Add("nct_ids: left out, " + strings.Join(r.bad, ", ") + ".")
	}
	return found, nil
}

// nothing returns the error for a call of which no text has a trial.
func (r *Request) nothing() error {
	code := entity.EntityNotFound
	if r.none {
		code = entity.UnresolvedEntity
	}
	bad := strings.Join(r.bad, ", ")
	return envelope.Refuse("nct_ids", bad, "no text is the id of a trial: %s", entity.Cut(bad, 800)).As(code).
		Hint("Check the digits of the ids at their source, or call search_trials with words of the trials, "+
			"then %s with the ids of results.", r.tool)
}

// About collects notices about single trials.
type About struct {
	texts []string
	ids   map[string][]string // by text
}

// Add adds notices about a trial.
func (a *About) Add(curie string, texts ...string) {
	if a.ids == nil {
		a.ids = map[string][]string{}
	}
	for _, text := range texts {
		a.texts = append(a.texts, text)
		a.ids[text] = append(a.ids[text], curie)
	}
}

// Notice adds the notices to those of an answer, each once, with the ids of its trials.
func (a *About) Notice(notes *entity.Notes) {
	for _, text := range entity.Once(a.texts) {
		notes.Add(strings.Join(a.ids[text], ", ") + ": " + text)
	}
}

// Trials are the trials of a call.
type Trials[T any] struct {
	IDs []string // CURIEs
	// Record returns the record of a trial by its index; nil if the source has it no longer.
	Record func(index int) (*T, error)
	// Found is the number of trials of the search that the call has in the place of ids; nil: it has ids.
	Found *int
}

// Named returns trials of which all records are known. of returns the CURIE of one.
func Named[T any](records []*T, of func(*T) string) Trials[T] {
	t := Trials[T]{Record: func(i int) (*T, error) { return records[i], nil }}
	for _, r := range records {
		t.IDs = append(t.IDs, of(r))
	}
	return t
}

// Searched returns the trials of a search, of which found match and ids are the first. A requested record is read together with those
// after it.
func Searched[T any](ids []string, found int, read func(ids []string) (map[string]*T, error)) Trials[T] {
	known := map[string]*T{}
	first, last := 0, 0
	return Trials[T]{IDs: CURIEs(ids), Found: &found, Record: func(i int) (_ *T, err error) {
		if i < first || i >= last {
			first, last = i, min(i+Max, len(ids))
			known, err = read(ids[first:last])
		}
		return known[ids[i]], err
	}}
}

// Count sets the total of a page to the number of trials that match the search.
func (t Trials[T]) Count(p *entity.Pagination) {
	if t.Found != nil {
		p.TotalCount = t.Found
	}
}

// Gone is the notice about a trial that was removed after it was found.
const Gone = "ClinicalTrials.gov has no record of it any more."

// An Item is the answer for one trial, without its page. It has no JSON if the source has the trial no longer.
type Item struct {
	JSON    json.RawMessage
	Notices []string
}

// A List is a list of trials, one item each, of which a call gets a page.
type List struct {
	At    envelope.Cursor
	IDs   []string // CURIEs
	Size  int      // largest number of items on a page
	Bytes int      // limit of a page in bytes
}

// NewList returns the list of some trials. size is the requested number of items, 0 for as many as fit into PageBytes. maxAnswer
// limits an answer in bytes.
func NewList(curies []string, size, maxAnswer int) List {
	if size == 0 {
		return List{IDs: curies, Size: Max, Bytes: min(PageBytes, maxAnswer)}
	}
	return List{IDs: curies, Size: min(size, Max), Bytes: maxAnswer}
}

// Page returns a page of the items. It ends before the item that would pass the limit in bytes. The notices of each item come to those of
// the answer, with its id.
func (l List) Page(item func(index int) (Item, error), notes *entity.Notes) (page entity.Page[json.RawMessage], err error) {
	list := envelope.Listing[string]{At: l.At, Rows: l.IDs, Key: func(curie string) string { return curie }}
	used, count := envelope.ReservedBytes, 0
	var about About
	for i, curie := range list.Page(l.Size, notes) {
		one, err := item(list.Start + i)
		if err != nil {
			return page, err
		}
		if used += len(one.JSON) + 1 + entity.Size(one.Notices); used > l.Bytes && i > 0 {
			break
		}
		about.Add(curie, one.Notices...)
		if count++; one.JSON != nil {
			page.Items = append(page.Items, one.JSON)
		}
	}
	about.Notice(notes)
	page.Pagination.PageSize = l.Size
	next, more := list.Next(count)
	return page, envelope.FinishPage(&page.Pagination, next, more)
}

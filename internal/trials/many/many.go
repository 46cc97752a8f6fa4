// Package many reads the ids of a call for several trials, and divides the answer into pages. It asks no source, and knows no section.
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
			r.refuse(text, "is not an NCT id")
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

// An Item is the answer for one trial, without its page.
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
func NewList[T any](records []*T, of func(*T) string, size, maxAnswer int) List {
	l := List{Size: min(size, Max), Bytes: maxAnswer}
	if size == 0 {
		l.Size, l.Bytes = Max, min(PageBytes, maxAnswer)
	}
	for _, r := range records {
		l.IDs = append(l.IDs, of(r))
	}
	return l
}

// Page returns a page of the items. It ends before the item that would pass the limit in bytes. The notices of each item come to those of
// the answer, with its id.
func (l List) Page(item func(index int) (Item, error), notes *entity.Notes) (page entity.Page[json.RawMessage], err error) {
	list := envelope.Listing[string]{At: l.At, Rows: l.IDs, Key: func(curie string) string { return curie }}
	used := envelope.ReservedBytes
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
		page.Items = append(page.Items, one.JSON)
	}
	about.Notice(notes)
	page.Pagination.PageSize = l.Size
	next, more := list.Next(len(page.Items))
	return page, envelope.FinishPage(&page.Pagination, next, more)
}

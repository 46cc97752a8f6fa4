// Package mirrortest is a registry for tests of the mirror: any number of studies that are
// recombined from some real or embedded records, which change while they are read.
package mirrortest

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/biofact-mcp/biofact/internal/query"
)

// A Registry serves the part of the registry's API that a sync asks. Its page tokens are offsets, which is the
// worst kind: a change underneath moves the pages. It is safe for concurrent use.
type Registry struct {
	pool []parts

	mu       sync.Mutex
	studies  map[int64]*entry
	order    []*entry // by day and id; nil after a change
	aliases  map[int64]int64
	version  time.Time
	random   *rand.Rand
	requests int
	refuse   int // status that every request is answered with; 0: none
	claimed  int // total that is said in place of the true one; 0: none
	onPage   func(page int)
	pages    int
	nextID   int64
}

type entry struct {
	id       int64
	day      string // of the last update
	revision int
	aliases  []int64
}

// New returns a registry of n studies, recombined from records.
func New(records [][]byte, n int, seed uint64) (*Registry, error) {
	r := &Registry{
		studies: make(map[int64]*entry, n), aliases: map[int64]int64{},
		version: time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC), random: rand.New(rand.NewPCG(seed, 7)), nextID: 1000,
	}
	for _, raw := range records {
		p, err := split(raw)
		if err != nil {
			return nil, err
		}
		if nctPattern.Match(p.modules["identificationModule"]) && updatePattern.Match(p.modules["statusModule"]) &&
			versionPattern.Match(p.derived) {
			r.pool = append(r.pool, p)
		}
	}
	if len(r.pool) == 0 {
		return nil, errors.New("no record that has all that a study needs")
	}
	first := time.Date(2005, 1, 1, 0, 0, 0, 0, time.UTC)
	days := int(r.version.Sub(first).Hours()/24) - 1
	// More of the studies were updated lately. Half of them were updated in the order of their registration.
	order := r.random.Perm(n)
	slices.Sort(order[:n/2])
	for _, i := range order {
		share := float64(i) / float64(n)
		at := first.AddDate(0, 0, int(float64(days)*share*(2-share)))
		r.add(at.Format(time.DateOnly))
	}
	return r, nil
}

// add adds a study. The caller holds the lock, or the registry is not shared yet.
func (r *Registry) add(day string) {
	r.nextID += 1 + int64(r.random.IntN(9))
	e := &entry{id: r.nextID, day: day}
	r.studies[e.id] = e
	r.order = nil
}

// Change publishes: studies that change, are removed, are merged into another one, and are new.
func (r *Registry) Change(changed, removed, merged, added int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = r.version.AddDate(0, 0, 1)
	today := r.version.Format(time.DateOnly)
	all := r.sorted()
	pick := func() *entry {
		for {
			if e := all[r.random.IntN(len(all))]; r.studies[e.id] != nil {
				return e
			}
		}
	}
	for range changed {
		e := pick()
		e.day, e.revision = today, e.revision+1
	}
	for range removed {
		delete(r.studies, pick().id)
	}
	for range merged {
		gone := pick()
		delete(r.studies, gone.id)
		stays := pick()
		stays.aliases = append(stays.aliases, gone.id)
		stays.day, stays.revision = today, stays.revision+1
		r.aliases[gone.id] = stays.id
	}
	r.order = nil
	for range added {
		r.add(today)
	}
}

// MergeOld publishes a study that was merged into another one, whose date does not change.
func (r *Registry) MergeOld() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = r.version.AddDate(0, 0, 1)
	all := r.sorted()
	gone, stays := all[len(all)/3], all[len(all)/2]
	delete(r.studies, gone.id)
	stays.aliases = append(stays.aliases, gone.id)
	r.aliases[gone.id] = stays.id
	r.order = nil
}

// Requests returns the number of requests since the last call.
func (r *Registry) Requests() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.requests
	r.requests = 0
	return n
}

// Refuse answers each request with a status, or with data again for 0.
func (r *Registry) Refuse(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refuse = status
}

// Claim says another total of all studies than the true one, or that again for 0.
func (r *Registry) Claim(total int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.claimed = total
}

// OnPage calls a function before each page of whole records, with its number.
func (r *Registry) OnPage(f func(page int)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.onPage, r.pages = f, 0
}

// IDs returns the NCT ids of all studies.
func (r *Registry) IDs() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, e := range r.sorted() {
		out = append(out, nct(e.id))
	}
	return out
}

// Aliases returns the obsolete ids, each with the present one. One that was merged twice, or whose
// study is gone, is not among them.
func (r *Registry) Aliases() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := map[string]string{}
	for old, now := range r.aliases {
		if r.studies[now] != nil {
			out[nct(old)] = nct(now)
		}
	}
	return out
}

// Record returns the record of a study as it is served.
func (r *Registry) Record(id string) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, _ := strconv.ParseInt(strings.TrimPrefix(id, "NCT"), 10, 64)
	e := r.studies[n]
	if e == nil {
		return nil
	}
	return r.record(e)
}

func nct(id int64) string { return fmt.Sprintf("NCT%08d", id) }

// sorted returns the studies by day. The lock is held.
func (r *Registry) sorted() []*entry {
	if r.order == nil {
		for _, e := range r.studies {
			r.order = append(r.order, e)
		}
		slices.SortFunc(r.order, func(a, b *entry) int { return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.id, b.id)) })
	}
	return r.order
}

// ServeHTTP answers /version and /studies.
func (r *Registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	q := req.URL.Query()
	r.mu.Lock()
	r.requests++
	refuse, onPage := r.refuse, r.onPage
	fullPage := strings.HasSuffix(req.URL.Path, "/studies") && q.Get("fields") == "" && q.Get("filter.ids") == ""
	if fullPage {
		r.pages++
	}
	page := r.pages
	r.mu.Unlock()
	if refuse != 0 {
		http.Error(w, "refused", refuse)
		return
	}
	if fullPage && onPage != nil {
		onPage(page)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if strings.HasSuffix(req.URL.Path, "/version") {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"apiVersion":"2.0.5","dataTimestamp":"%sT09:00:05"}`, r.version.Format(time.DateOnly))
		return
	}
	if !strings.HasSuffix(req.URL.Path, "/studies") {
		http.NotFound(w, req)
		return
	}
	if err := r.list(w, q.Get); err != nil {
		w.Header().Set("Content-Type", "text/plain;charset=UTF-8")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, err)
	}
}

var daysRange = regexp.MustCompile(`^AREA\[LastUpdatePostDate\]RANGE\[(MIN|[0-9-]{10}),(MAX|[0-9-]{10})\]$`)

// list is /studies. The lock is held.
func (r *Registry) list(w http.ResponseWriter, get func(string) string) error {
	found, err := r.find(get)
	if err != nil {
		return err
	}
	if get("sort") == "LastUpdatePostDate:desc" {
		found = slices.Clone(found)
		slices.Reverse(found)
	}
	size, err := strconv.Atoi(get("pageSize"))
	if err != nil {
		return err
	}
	offset := 0
	if token := get("pageToken"); token != "" {
		text, err := base64.RawURLEncoding.DecodeString(token)
		if err == nil {
			offset, err = strconv.Atoi(string(text))
		}
		if err != nil {
			return err
		}
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, `{`)
	if get("countTotal") == "true" && offset == 0 {
		fmt.Fprintf(w, `"totalCount":%d,`, cmp.Or(r.claimed, len(found)))
	}
	fmt.Fprint(w, `"studies":[`)
	end := min(offset+min(size, 1000), len(found))
	for i := min(offset, end); i < end; i++ {
		if i > offset {
			fmt.Fprint(w, ",")
		}
		if !strings.HasPrefix(get("fields"), "NCTId") { // a sync selects no other fields: return the full record
			_, _ = w.Write(r.record(found[i]))
			continue
		}
		fmt.Fprintf(w, `{"protocolSection":{"identificationModule":{"nctId":"%s"},"statusModule":{"lastUpdatePostDateStruct":{"date":"%s"}}}}`, nct(found[i].id), found[i].day)
	}
	fmt.Fprint(w, "]")
	if end < len(found) {
		fmt.Fprintf(w, `,"nextPageToken":"%s"`, base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(end))))
	}
	fmt.Fprint(w, "}")
	return nil
}

// find returns the studies of the filters, by day.
func (r *Registry) find(get func(string) string) ([]*entry, error) {
	if ids := get("filter.ids"); ids != "" {
		var found []*entry
		for text := range strings.SplitSeq(ids, ",") {
			id, err := strconv.ParseInt(strings.TrimPrefix(text, "NCT"), 10, 64)
			if err != nil {
				return nil, err
			}
			if now, merged := r.aliases[id]; merged && r.studies[id] == nil {
				id = now
			}
			if e := r.studies[id]; e != nil && !slices.Contains(found, e) {
				found = append(found, e)
			}
		}
		return found, nil
	}
	all := r.sorted()
	filter := get("filter.advanced")
	if filter == "" {
		return all, nil
	}
	m := daysRange.FindStringSubmatch(filter)
	if m == nil {
		return r.matching(all, filter)
	}
	from, to := m[1], m[2]
	if from == "MIN" {
		from = ""
	}
	if to == "MAX" {
		to = "9999"
	}
	first, _ := slices.BinarySearchFunc(all, from, func(e *entry, day string) int { return cmp.Compare(e.day, day) })
	last, _ := slices.BinarySearchFunc(all, to+"~", func(e *entry, day string) int { return cmp.Compare(e.day, day) })
	return all[first:last], nil
}

// matching returns the studies for which an expression holds.
func (r *Registry) matching(all []*entry, expression string) (found []*entry, err error) {
	node, err := query.Parse(expression, query.AreaNamed("BasicSearch"))
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		var body map[string]any
		if err := json.Unmarshal(r.record(e), &body); err != nil {
			return nil, err
		}
		if _, ok := query.NewStudies([]map[string]any{body}).Match(0, node); ok {
			found = append(found, e)
		}
	}
	return found, nil
}

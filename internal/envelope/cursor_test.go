package envelope

import (
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func query(t testing.TB, tool string, args any) string {
	t.Helper()
	q, err := Fingerprint(tool, args)
	expect.NoError(t, err)
	return q
}

func TestCursorRoundTrip(t *testing.T) {
	t.Parallel()
	q := query(t, "search_trials", map[string]string{"condition": "melanoma"})
	for _, c := range []Cursor{
		{Query: q},
		{Query: q, Token: "NF0g5JWB", Seen: 50, Total: new(1540)},
		{Query: q, Skip: 7, Seen: 57},
		{Query: q, Seen: 0, Total: new(0)},
		{Query: q, Token: strings.Repeat("<\"é>", 100), Skip: 999, Seen: 1_000_000, Total: new(2_000_000)},
	} {
		text, err := c.Encode()
		expect.NoError(t, err)
		expect.That(t, strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == "",
			"%q is not one word", text)
		got, err := readCursor("search_trials", q, "", text)
		expect.Must(t, err == nil, "%+v: %v", c, err)
		c.Version = cursorVersion
		expect.That(t, cmp.Equal(c, got, comparable), "%+v becomes %+v", c, got)
	}
	got, err := PageAt("search_trials", map[string]string{"condition": "melanoma"}, map[string]string{}, "")
	expect.That(t, err == nil && got == (Cursor{Query: q, FirstPage: "search_trials with {}"}), "no cursor: %+v %v", got, err)
}

func TestFingerprints(t *testing.T) {
	t.Parallel()
	q := query(t, "search_trials", map[string]string{"condition": "melanoma", "query": "x"})
	if again := query(t, "search_trials", map[string]string{"query": "x", "condition": "melanoma"}); again != q {
		t.Error("one query has two fingerprints")
	}
	for _, other := range []string{
		query(t, "get_trial_locations", map[string]string{"condition": "melanoma", "query": "x"}),
		query(t, "search_trials", map[string]string{"condition": "melanoma"}),
		query(t, "search_trials", map[string]string{"condition": "Melanoma", "query": "x"}),
	} {
		expect.That(t, other != q, "two queries have one fingerprint")
	}
}

func TestInvalidCursors(t *testing.T) {
	t.Parallel()
	mine := query(t, "search_trials", "melanoma")
	encoded := func(c Cursor) string {
		text, err := c.Encode()
		expect.NoError(t, err)
		return text
	}
	raw := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	summed := func(text string) string { return raw(text) + Checksum(raw(text)) }
	good := encoded(Cursor{Query: mine, Token: "NF0g5JWB", Seen: 50, Total: new(1540)})
	const (
		none   = "cursor: is not a cursor of search_trials."
		copied = "cursor: is not a cursor of search_trials, or was not copied exactly."
		other  = "cursor: belongs to a call with other arguments."
		old    = "cursor: is from an earlier version of Biofact, and the list must be started again."
		newer  = "cursor: is from another version of Biofact, and the list must be started again."
		long   = "cursor: is longer than any cursor."
	)
	for name, tt := range map[string]struct{ text, want string }{
		"other arguments":  {encoded(Cursor{Query: query(t, "search_trials", "asthma"), Seen: 50}), other},
		"another tool":     {encoded(Cursor{Query: query(t, "get_trial_locations", "melanoma"), Seen: 50}), other},
		"no query":         {summed(`{"v":2}`), other},
		"garbage":          {"garbage!", copied},
		"words":            {"next page please", copied},
		"a number":         {"2", copied},
		"an upstream's":    {"NF0g5JWBlPMowQI", copied},
		"half":             {good[:len(good)/2], copied},
		"padded":           {good + "==", copied},
		"with a line feed": {good[:9] + "\n" + good[9:], copied},
		"without checksum": {raw(`{"v":2,"q":"` + mine + `"}`), copied},
		"earlier version":  {raw(`{"v":1,"q":"` + mine + `"}`), old},
		"later version":    {summed(`{"v":3,"q":"` + mine + `"}`), newer},
		"no version":       {summed(`{"q":"` + mine + `"}`), newer},
		"negative skip":    {summed(`{"v":2,"q":"` + mine + `","s":-1}`), none},
		"negative seen":    {summed(`{"v":2,"q":"` + mine + `","n":-1}`), none},
		"negative total":   {summed(`{"v":2,"q":"` + mine + `","c":-1}`), none},
		"skip of a word":   {summed(`{"v":2,"q":"` + mine + `","s":"x"}`), none},
		"overflowing seen": {summed(`{"v":2,"q":"` + mine + `","n":99999999999999999999}`), none},
		"JSON as it is":    {`{"v":2,"q":"` + mine + `"}`, copied},
		"null":             {summed("null"), newer},
		"a list":           {summed("[]"), none},
		"oversized":        {summed(`{"v":2,"q":"` + mine + `","t":"` + strings.Repeat("x", maxCursor) + `"}`), long},
	} {
		got, err := PageAt("search_trials", "melanoma", map[string]any{"condition": "melanoma", "page_size": 5, "cursor": tt.text}, tt.text)
		if err == nil {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		e := entity.AsError(err)
		expect.That(t, e.Code == entity.InvalidInput && e.Message == tt.want && got == (Cursor{}) &&
			strings.HasSuffix(e.Hint, ` call search_trials with {"condition":"melanoma","page_size":5}.`), "%s: %+v %+v", name, e, got)
	}
}

// TestMistypedCursor: a cursor with one changed, missing, added or repeated character, or with two swapped ones, is refused.
func TestMistypedCursor(t *testing.T) {
	t.Parallel()
	q := query(t, "search_trials", "melanoma")
	good, err := Cursor{Query: q, Token: "NF0g5JWB", Seen: 50, Total: new(1540), Data: "2026-01-05", Last: "2026-01-02 1"}.Encode()
	expect.NoError(t, err)
	mistypes := 0
	refused := func(text string) {
		t.Helper()
		if text == good {
			return
		}
		mistypes++
		_, err := readCursor("search_trials", q, "", text)
		expect.That(t, err != nil && entity.AsError(err).Code == entity.InvalidInput, "%q for %q: %v", text, good, err)
	}
	for i := range good {
		for _, r := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_ \n=" {
			refused(good[:i] + string(r) + good[i+1:])
			refused(good[:i] + string(r) + good[i:])
			refused(good + string(r))
		}
		refused(good[:i] + good[i+1:])
		for k := i + 1; k < len(good); k++ {
			refused(good[:i] + good[k:k+1] + good[i+1:k] + good[i:i+1] + good[k+1:])
		}
	}
	expect.That(t, mistypes > 20_000, "%d mistypes", mistypes)
}

// TestListing walks lists that change between two pages. Each row that stays is on one page, or a notice says that the list changed. A list
// that is in the order of its keys, and one that only loses rows, need no such excuse.
func TestListing(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 600 {
		list := random.Perm(20 + random.IntN(300))
		ordered, part := round%3 == 0, round%3 == 1
		if ordered {
			slices.Sort(list)
		}
		size, change := 1+random.IntN(40), random.IntN(5)
		pages := (len(list) + size - 1) / size
		when := random.IntN(pages)
		start, shown, notes := slices.Clone(list), map[int]int{}, entity.Notes{}
		at := Cursor{FirstPage: "list with {}"}
		for n := 0; ; n++ {
			l := Listing[int]{At: at, Rows: list, Key: strconv.Itoa}
			if part {
				l.Part, l.From, l.Total = true, min(max(0, at.Seen-Window), len(list)), len(list)
				l.Rows = list[l.From:min(max(at.Seen, l.From)+size, len(list))]
			}
			if ordered {
				l.Past = func(row int, last string) bool { n, _ := strconv.Atoi(last); return row > n }
			}
			rows := l.Page(size, &notes)
			for _, row := range rows {
				shown[row]++
			}
			next, more := l.Next(len(rows))
			if !more || len(rows) == 0 {
				break
			}
			if at, at.FirstPage = next, "list with {}"; n == when {
				list = changedList(random, list, change, ordered)
			}
		}
		changed := strings.Contains(strings.Join(notes.Notices, " "), "changed since")
		for _, row := range start {
			if once := shown[row] == 1; slices.Contains(list, row) && !once && (!changed || ordered) {
				t.Fatalf("round %d: row %d is shown %d times, page %d of %d, change %d, notices %q", round, row, shown[row], when, size,
					change, notes.Notices)
			}
		}
		expect.That(t, change > 0 || !changed, "round %d: no change, %q", round, notes.Notices)
		expect.That(t, len(notes.Notices) < 2, "round %d: %d notices", round, len(notes.Notices))
	}
}

// changedList returns a list after a change: 0 none, 1 a removed row, 2 a new row, 3 both, 4 a moved row.
func changedList(random *rand.Rand, list []int, change int, ordered bool) []int {
	list = slices.Clone(list)
	if i := random.IntN(len(list)); change == 1 || change == 3 {
		list = slices.Delete(list, i, i+1)
	} else if change == 4 && !ordered {
		row := list[i]
		list = slices.Insert(slices.Delete(list, i, i+1), random.IntN(len(list)), row)
	}
	if change == 2 || change == 3 {
		list = slices.Insert(list, random.IntN(len(list)), 1000+random.IntN(1000))
	}
	if ordered {
		slices.Sort(list)
	}
	return list
}

// FuzzCursor: any text is a valid cursor of the query, or INVALID_INPUT. A decoded cursor encodes to the same cursor.
func FuzzCursor(f *testing.F) {
	q := query(f, "search_trials", "melanoma")
	for _, c := range []Cursor{{Query: q}, {Query: q, Token: "NF0g5JWB", Skip: 3, Seen: 50, Total: new(1540)}, {Query: "x"}} {
		text, err := c.Encode()
		expect.NoError(f, err)
		f.Add(text)
	}
	f.Add("")
	f.Add("bnVsbA")
	f.Add("eyJ2\r\nIjoxfQ")
	f.Add("{}}")
	f.Add(`{"v":2,"q":"` + q + `","n":1e3}`)
	f.Fuzz(func(t *testing.T, text string) {
		encoded := base64.RawURLEncoding.EncodeToString([]byte(text))
		for _, text := range []string{text, encoded, encoded + Checksum(encoded)} {
			c, err := readCursor("search_trials", q, "", text)
			if err != nil {
				if e := entity.AsError(err); e.Code != entity.InvalidInput || c != (Cursor{}) {
					t.Errorf("%q: %+v %+v", text, e, c)
				}
				continue
			}
			expect.That(t, c.Query == q && c.Skip >= 0 && c.Seen >= 0 && (c.Total == nil || *c.Total >= 0), "%q: %+v", text, c)
			again, err := c.Encode()
			expect.NoError(t, err)
			twice, err := readCursor("search_trials", q, "", again)
			c.Version = cursorVersion
			expect.That(t, err == nil && cmp.Equal(c, twice, comparable), "%q: %+v becomes %+v, %v", text, c, twice, err)
		}
	})
}

// comparable compares cursors without the text for messages.
var comparable = cmpopts.IgnoreUnexported(Cursor{})

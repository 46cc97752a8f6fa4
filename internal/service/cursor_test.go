package service

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func query(t testing.TB, tool string, args any) string {
	t.Helper()
	q, err := fingerprint(tool, args)
	expect.NoError(t, err)
	return q
}

func TestCursorRoundTrip(t *testing.T) {
	t.Parallel()
	q := query(t, "search_trials", map[string]string{"condition": "melanoma"})
	for _, c := range []cursor{
		{Query: q},
		{Query: q, Token: "NF0g5JWB", Seen: 50, Total: new(1540)},
		{Query: q, Skip: 7, Seen: 57},
		{Query: q, Seen: 0, Total: new(0)},
		{Query: q, Token: strings.Repeat("<\"é>", 100), Skip: 999, Seen: 1_000_000, Total: new(2_000_000)},
	} {
		text, err := c.encode()
		expect.NoError(t, err)
		expect.That(t, strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == "",
			"%q is not one word", text)
		got, err := readCursor("search_trials", q, text)
		expect.Must(t, err == nil, "%+v: %v", c, err)
		c.Version = cursorVersion
		expect.Equal(t, "", c, got)
	}
	if got, err := readCursor("search_trials", q, ""); err != nil || got != (cursor{Query: q}) {
		t.Errorf("no cursor: %+v %v", got, err)
	}
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
	encoded := func(c cursor) string {
		text, err := c.encode()
		expect.NoError(t, err)
		return text
	}
	raw := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	good := encoded(cursor{Query: mine, Token: "NF0g5JWB", Seen: 50, Total: new(1540)})
	const (
		none  = "cursor: is not a cursor of search_trials."
		other = "cursor: belongs to a call with other arguments."
		long  = "cursor: is longer than any cursor."
	)
	for name, tt := range map[string]struct{ text, want string }{
		"other arguments":  {encoded(cursor{Query: query(t, "search_trials", "asthma"), Seen: 50}), other},
		"another tool":     {encoded(cursor{Query: query(t, "get_trial_locations", "melanoma"), Seen: 50}), other},
		"no query":         {raw(`{"v":1}`), other},
		"garbage":          {"garbage!", none},
		"words":            {"next page please", none},
		"a number":         {"2", none},
		"an upstream's":    {"NF0g5JWBlPMowQI", none},
		"truncated":        {good[:len(good)-5], none},
		"half":             {good[:len(good)/2], none},
		"continued":        {good + "AAAA", none},
		"padded":           {good + "==", none},
		"other version":    {raw(`{"v":2,"q":"` + mine + `"}`), none},
		"no version":       {raw(`{"q":"` + mine + `"}`), none},
		"negative skip":    {raw(`{"v":1,"q":"` + mine + `","s":-1}`), none},
		"negative seen":    {raw(`{"v":1,"q":"` + mine + `","n":-1}`), none},
		"negative total":   {raw(`{"v":1,"q":"` + mine + `","c":-1}`), none},
		"skip of a word":   {raw(`{"v":1,"q":"` + mine + `","s":"x"}`), none},
		"overflowing seen": {raw(`{"v":1,"q":"` + mine + `","n":99999999999999999999}`), none},
		"JSON as it is":    {`{"v":1,"q":"` + mine + `"}`, none},
		"null":             {raw("null"), none},
		"a list":           {raw("[]"), none},
		"oversized":        {raw(`{"v":1,"q":"` + mine + `","t":"` + strings.Repeat("x", maxCursor) + `"}`), long},
	} {
		got, err := readCursor("search_trials", mine, tt.text)
		if err == nil {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		e := entity.AsError(err)
		expect.That(t, e.Code == entity.InvalidInput && e.Message == tt.want &&
			strings.Contains(e.Hint, "call search_trials without cursor") && got == (cursor{}),
			"%s: %+v %+v", name, e, got)
	}
}

// TestOrthologCursor: a cursor whose gene is not an id is refused without a request.
func TestOrthologCursor(t *testing.T) {
	t.Parallel()
	for _, gene := range []string{"../../evil", "-1", "", "0"} {
		forged, err := cursor{Query: query(t, tools.GetGeneOrthologs, []any{"672", []string(nil)}), Token: gene + " x"}.encode()
		expect.NoError(t, err)
		_, err = New(Options{}).GetGeneOrthologs(t.Context(), tools.GetGeneOrthologsArgs{EntrezID: "672", PageSize: 5, Cursor: forged})
		expect.That(t, err != nil && strings.HasPrefix(entity.AsError(err).Message, "cursor: is not a cursor of"), "%q: %v", gene, err)
	}
}

// FuzzCursor: any text is a valid cursor of the query, or INVALID_INPUT. A decoded cursor encodes to the same cursor.
func FuzzCursor(f *testing.F) {
	q := query(f, "search_trials", "melanoma")
	for _, c := range []cursor{{Query: q}, {Query: q, Token: "NF0g5JWB", Skip: 3, Seen: 50, Total: new(1540)}, {Query: "x"}} {
		text, err := c.encode()
		expect.NoError(f, err)
		f.Add(text)
		raw, err := base64.RawURLEncoding.DecodeString(text)
		expect.NoError(f, err)
		f.Add(string(raw))
	}
	f.Add("")
	f.Add("bnVsbA")
	f.Add("eyJ2\r\nIjoxfQ")
	f.Add("{}}")
	f.Add(`{"v":1,"q":"` + q + `","n":1e3}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, text := range []string{text, base64.RawURLEncoding.EncodeToString([]byte(text))} {
			c, err := readCursor("search_trials", q, text)
			if err != nil {
				if e := entity.AsError(err); e.Code != entity.InvalidInput || c != (cursor{}) {
					t.Errorf("%q: %+v %+v", text, e, c)
				}
				continue
			}
			expect.That(t, c.Query == q && c.Skip >= 0 && c.Seen >= 0 && (c.Total == nil || *c.Total >= 0), "%q: %+v", text, c)
			again, err := c.encode()
			expect.NoError(t, err)
			twice, err := readCursor("search_trials", q, again)
			c.Version = cursorVersion
			expect.That(t, err == nil && cmp.Equal(c, twice), "%q: %+v becomes %+v, %v", text, c, twice, err)
		}
	})
}

// invalidEnvelope returns the defect of the envelope of an error.
func invalidEnvelope(err error) string {
	text, encodeErr := entity.JSON(entity.AsError(err).Envelope())
	if encodeErr != nil {
		return encodeErr.Error()
	}
	var e entity.ErrorEnvelope
	if err := json.Unmarshal(text, &e); err != nil {
		return err.Error()
	}
	if e.Error.Message == "" || e.Error.RecoveryHint == "" || strings.ContainsAny(e.Error.Message, "\x00\x07") {
		return string(text)
	}
	return ""
}

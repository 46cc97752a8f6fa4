package upstream_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// TestLimits: a body beyond a limit fails at once. A body within the limits passes.
func TestLimits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1<<20+1)
	for name, test := range map[string]struct {
		body string
		good bool
	}{
		"text":                {`{"a":"` + long + `"}`, false},
		"key":                 {`{"` + long + `":1}`, false},
		"escapes":             {`{"a":"` + strings.Repeat(`\"`, 1<<19+1) + `"}`, false},
		"number":              {`{"a":` + strings.Repeat("1", 1<<20+1) + `}`, false},
		"blanks":              {`[` + strings.Repeat(" ", 1<<20+1) + `]`, false},
		"lists":               {strings.Repeat("[", 101) + strings.Repeat("]", 101), false},
		"objects":             {strings.Repeat(`{"a":`, 101) + "1" + strings.Repeat("}", 101), false},
		"values":              {"[" + strings.Repeat("1,", 400_001) + "1]", false},
		"records":             {`{"studies":[` + strings.Repeat("{},", 2000) + "{}]}", false},
		"long texts":          {`{"a":"` + long[2:] + `","b":"` + long[2:] + `"}`, true},
		"signs in a text":     {`{"a":"` + strings.Repeat(`[{,\"`, 100_000) + `"}`, true},
		"deep, within limits": {strings.Repeat("[", 100) + strings.Repeat("]", 100), true},
		"many values":         {"[" + strings.Repeat("1,", 399_990) + "1]", true},
		"many records":        {`{"studies":[` + strings.Repeat("{},", 1999) + "{}]}", true},
		"many lists":          {"[" + strings.Repeat("[[]],", 1000) + "1]", true},
		"no JSON":             {strings.Repeat("a{", 1<<19), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSource(reply(200, test.body))
			o := options(s)
			o.MaxBody = 4 << 20
			_, body, err := ask(t, upstream.NewClient(o), t.Context())
			if test.good {
				expect.That(t, err == nil && body == test.body, "%d of %d bytes: %v", len(body), len(test.body), err)
				return
			}
			wantError(t, err, entity.UpstreamError, "an answer that is too large")
			expect.That(t, len(s.starts) == 1 && errors.Is(err, entity.ErrTooLarge), "%d requests, want 1: %v", len(s.starts), err)
		})
	}
}

// TestStreamTooLarge: a stream that its reader finds too large is not requested again.
func TestStreamTooLarge(t *testing.T) {
	t.Parallel()
	s := newSource(reply(200, "data"))
	ctx := upstream.Reading(t.Context(), func(io.Reader) error { return entity.ErrTooLarge })
	_, _, err := ask(t, upstream.NewClient(options(s)), ctx)
	wantError(t, err, entity.UpstreamError, "an answer that is too large")
	expect.Equal(t, "requests", 1, len(s.starts))
}

// TestFormatParametersAreShown: an error does not hide the names of formats, which a message of the source may contain.
func TestFormatParametersAreShown(t *testing.T) {
	t.Parallel()
	o := options(newSource(reply(500, "no JSON for melanoma in retmode=json")))
	log, text := logged()
	o.Log = log
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://upstream.test/find?retmode=json&term=melanoma", nil)
	expect.NoError(t, err)
	_, err = upstream.NewClient(o).Do(req)
	failed, ok := errors.AsType[*entity.Error](err)
	expect.Must(t, ok, "%v", err)
	log.Error("failed", "cause", failed.Cause)
	if message := text(); !strings.Contains(message, "retmode=json") || strings.Contains(message, "melanoma") {
		t.Error(message)
	}
}

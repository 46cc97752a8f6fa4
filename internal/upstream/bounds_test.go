package upstream_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// zeros is a body without an end.
type zeros struct{ read int64 }

func (z *zeros) Read(p []byte) (int, error) {
	z.read += int64(len(p))
	return len(p), nil
}

// TestBodyTooLarge: a body of one byte above the limit fails at once, the body of a refusal much earlier, and a streamed body has a limit
// too.
func TestBodyTooLarge(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		size   int
		most   int64 // of the options
	}{
		"answer":  {http.StatusOK, 1<<10 + 1, 1 << 10},
		"refusal": {http.StatusBadRequest, 1<<20 + 1, 4 << 20},
	} {
		s := newSource(reply(test.status, strings.Repeat("x", test.size)))
		o := options(s)
		o.MaxBody = test.most
		_, _, err := ask(t, upstream.NewClient(o), t.Context())
		wantError(t, err, entity.UpstreamError, "an answer that is too large")
		expect.Equal(t, name+": requests", 1, len(s.starts))
	}
	endless := &zeros{}
	s := newSource(func(req *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(endless), Request: req}, nil
	})
	_, _, err := ask(t, upstream.NewClient(options(s)), upstream.Reading(t.Context(), func(body io.Reader) error {
		_, err := io.Copy(io.Discard, io.LimitReader(body, 300<<20))
		return err
	}))
	wantError(t, err, entity.UpstreamError, "an answer that is too large")
	expect.That(t, errors.Is(err, entity.ErrTooLarge) && len(s.starts) == 1,
		"%d bytes in %d requests: %v", endless.read, len(s.starts), err)
}

// suspended is the context of a call whose process was suspended for a while: after that, less time is left until its deadline than was
// expected.
type suspended struct {
	context.Context
	from time.Time
	lost time.Duration
}

func (s suspended) Deadline() (time.Time, bool) {
	deadline, ok := s.Context.Deadline()
	if !time.Now().Before(s.from) {
		deadline = deadline.Add(-s.lost)
	}
	return deadline, ok
}

// TestLateTurnIsReturned: a turn that leaves less time than most answers take is returned, not used.
func TestLateTurnIsReturned(t *testing.T) {
	t.Parallel()
	for lost, code := range map[time.Duration]entity.Code{0: "", 400 * time.Millisecond: entity.RateLimited} {
		synctest.Test(t, func(t *testing.T) {
			s := newSource(ok())
			o := options(s)
			o.Interval, o.Latency = time.Second, 500*time.Millisecond
			o.Turns = store.New(store.Options{Log: o.Log})
			client := upstream.NewClient(o)
			expect.NoError(t, getPath(t, client, t.Context(), "/"))
			ctx := suspended{within(t, 1800*time.Millisecond), time.Now().Add(time.Second), lost}
			if err := getPath(t, client, ctx, "/"); code == "" && err != nil || code != "" && entity.AsError(err).Code != code {
				t.Errorf("with %v less: %v, want %q", lost, err, code)
			}
			expect.NoError(t, getPath(t, client, t.Context(), "/"))
			if code != "" {
				expect.Equal(t, "starts", []time.Duration{0, time.Second}, s.starts)
			}
		})
	}
}

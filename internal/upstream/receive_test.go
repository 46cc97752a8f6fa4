package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// refuse returns a Check that fails any body except the valid one.
func refuse(err error) func(*http.Response, []byte) error {
	return func(_ *http.Response, body []byte) error {
		if string(body) == `{"ok":true}` {
			return nil
		}
		return err
	}
}

var errBackend = errors.New("search backend failed")

func TestCheck(t *testing.T) {
	t.Parallel()
	limited := &entity.Error{Code: entity.RateLimited, Message: "API rate limit exceeded", Cause: errBackend}
	bad := &entity.Error{Code: entity.InvalidInput, Message: "Bad page.", Hint: "Turn back.", Input: "9", Cause: errBackend}
	for name, test := range map[string]struct {
		found  error
		header string
		wait   time.Duration // before the second request; 0: backoff
		tries  int           // if it always fails
		code   entity.Code
		texts  []string
	}{
		"any error": {errBackend, "", 0, 3, entity.UpstreamError,
			[]string{"Example answered with an error instead of data", "https://status.example"}},
		"rate limit": {limited, "", 0, 3, entity.RateLimited, []string{"request budget of Example", "Wait 1 s"}},
		"rate limit, for": {fmt.Errorf("found: %w", limited), "Retry-After: 7", 7 * time.Second, 3, entity.RateLimited,
			[]string{"Wait 7 s"}},
		"error of its own": {
			fmt.Errorf("found: %w", bad), "", 0, 1, entity.InvalidInput, []string{"Bad page.", "Turn back."},
		},
	} {
		for _, status := range []int{200, 400, 404} {
			first := reply(status, "ERROR", test.header)
			t.Run(fmt.Sprint(name, ", always ", status), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newSource(first)
					o := options(s)
					o.Check = refuse(test.found)
					_, _, err := ask(t, upstream.NewClient(o), t.Context())
					wantError(t, err, test.code, test.texts...)
					expect.Equal(t, "requests", test.tries, len(s.starts))
					expect.That(t, errors.Is(err.Cause, errBackend) && !strings.Contains(err.Message+err.Hint, errBackend.Error()),
						"the cause %v belongs into the log alone: %q %q", err.Cause, err.Message, err.Hint)
					if code := fmt.Sprint("status ", status); test.tries > 1 && !strings.Contains(err.Cause.Error(), code) {
						t.Errorf("the log does not show the %s: %v", code, err.Cause)
					}
				})
			})
			if test.tries == 1 {
				continue
			}
			t.Run(fmt.Sprint(name, ", once ", status), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newSource(first, ok())
					o := options(s)
					o.Check = refuse(test.found)
					resp, body, err := ask(t, upstream.NewClient(o), t.Context())
					expect.Must(t, err == nil && body == `{"ok":true}` && upstream.Attempts(resp) == 2, "%s, %v", body, err)
					if wait := s.starts[1]; test.wait != 0 && wait != test.wait || wait >= max(firstBackoff, test.wait+1) {
						t.Errorf("waited %v, want %v or a backoff", wait, test.wait)
					}
				})
			})
		}
	}
}

// Check gets the answers whose status proves nothing, and no others.
func TestCheckSees(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		first answer
		seen  bool
	}{
		"200":      {reply(200, "x", "A: b"), true},
		"400":      {reply(400, "x", "A: b"), true},
		"404":      {reply(404, "x", "A: b"), true},
		"page 200": {html(200), false},
		"page 400": {html(400), false},
		"204":      {reply(204, "x"), false},
		"401":      {reply(401, "x"), false},
		"403":      {reply(403, "x"), false},
		"429":      {reply(429, "x"), false},
		"500":      {reply(500, "x"), false},
		"503":      {reply(503, "x"), false},
		"redirect": {reply(302, "x", "Location: https://elsewhere.test/"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := options(newSource(test.first))
				seen := 0
				o.Check = func(resp *http.Response, body []byte) error {
					seen++
					expect.That(t, string(body) == "x" && resp.Header.Get("A") == "b", "body %q, header %v", body, resp.Header)
					return nil
				}
				_, body, err := ask(t, upstream.NewClient(o), t.Context())
				expect.That(t, (!test.seen || seen == 1 && err == nil && body == "x") && (test.seen || seen == 0 && err != nil),
					"seen %d times, body %q, %v", seen, body, err)
			})
		})
	}
}

// A POST has its parameters in the body, and a source may repeat them: secrets are hidden, however short.
func TestSecretsAreHidden(t *testing.T) {
	t.Parallel()
	const mail, short = "a+b@example.org", "k7"
	echo := "key=" + key + " mail=" + mail + " as " + url.QueryEscape(mail) + ", " + url.PathEscape(mail) + " short=" + short + "."
	found := func(err error) func(*http.Response, []byte) error {
		return func(*http.Response, []byte) error { return err }
	}
	for name, test := range map[string]struct {
		always answer
		check  func(*http.Response, []byte) error
	}{
		"429":         {reply(429, echo), nil},
		"500":         {reply(500, echo), nil},
		"page":        {reply(200, "<html>"+echo), nil},
		"connection":  {fail(errors.New(echo)), nil},
		"redirect":    {reply(302, "", "Location: https://elsewhere.test:bad port"+echo), nil},
		"check":       {ok(), found(errors.New(echo))},
		"check, own":  {ok(), found(&entity.Error{Code: entity.InvalidInput, Message: "m", Hint: "h", Cause: errors.New(echo)})},
		"check, rate": {ok(), found(&entity.Error{Code: entity.RateLimited, Cause: errors.New(echo)})},
		"check, text": {ok(), found(&entity.Error{Code: entity.RateLimited, Message: echo})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				log, text := logged()
				o := options(newSource(test.always))
				o.Log, o.Check, o.Secrets = log, test.check, []string{key, mail, "", short}
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://upstream.test/find", strings.NewReader("q"))
				expect.NoError(t, err)
				_, err = upstream.NewClient(o).Do(req)
				failed, ok := errors.AsType[*entity.Error](err)
				expect.Must(t, ok && failed.Cause != nil, "%v, want an *entity.Error with a cause", err)
				log.Error("tool call failed", "cause", failed.Cause)
				shown := strings.Join([]string{failed.Message, failed.Hint, failed.Input, text()}, "\n")
				for _, secret := range []string{key, "example.org", "%40example", short} {
					expect.That(t, !strings.Contains(shown, secret), "%q is in\n%s", secret, shown)
				}
				expect.That(t, strings.Contains(shown, "key=[hidden] mail=[hidden]"), "hidden too much:\n%s", shown)
			})
		})
	}
}

// The hint of every RATE_LIMITED ends with the hint of the source, and no other hint does.
func TestLimitHint(t *testing.T) {
	t.Parallel()
	const hint = "A key raises the limit."
	synctest.Test(t, func(t *testing.T) {
		s := newSource(reply(429, ""), reply(200, "ERROR"), ok(), reply(500, ""))
		o := options(s)
		o.LimitHint, o.Tries, o.Interval = hint, 1, time.Second
		o.Check = refuse(&entity.Error{Code: entity.RateLimited})
		c := upstream.NewClient(o)
		limited := func(err error) {
			t.Helper()
			if e := entity.AsError(err); e.Code != entity.RateLimited || !strings.HasSuffix(e.Hint, "Make fewer calls at once. "+hint) {
				t.Errorf("%s with the hint %q", e.Code, e.Hint)
			}
		}
		_, _, err := ask(t, c, t.Context())
		limited(err)
		_, _, err = ask(t, c, t.Context())
		limited(err)
		if _, _, err = ask(t, c, t.Context()); err != nil {
			t.Error(err)
		}
		_, _, err = ask(t, c, within(t, time.Millisecond))
		limited(err)
		_, _, err = ask(t, c, hiddenDeadline{within(t, time.Millisecond)})
		limited(err)
		limited(inTurn(within(t, time.Millisecond), c, func(context.Context) { t.Error("a request without a turn") }))
		if _, _, err = ask(t, c, t.Context()); strings.Contains(err.Hint, hint) {
			t.Errorf("%s with the hint %q", err.Code, err.Hint)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		_, _, err := ask(t, upstream.NewClient(options(newSource(reply(429, "")))), t.Context())
		wantError(t, err, entity.RateLimited)
		expect.That(t, strings.HasSuffix(err.Hint, "Make fewer calls at once."), "hint %q", err.Hint)
	})
}

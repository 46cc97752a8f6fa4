package trials

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// faultCases has the expected error of each fault.
var faultCases = map[sandbox.Fault]struct {
	code    entity.Code
	message string
	again   bool // it may be transient, and the request is sent again
}{
	sandbox.TooMany:        {entity.RateLimited, "The request budget of ClinicalTrials.gov is used up for the next 1 s.", true},
	sandbox.TooManyWait:    {entity.RateLimited, "The request budget of ClinicalTrials.gov is used up for the next 7 s.", true},
	sandbox.InternalError:  {entity.UpstreamError, "ClinicalTrials.gov answered with an error (status 500).", true},
	sandbox.BadGateway:     {entity.UpstreamError, "ClinicalTrials.gov answered with an error (status 502).", true},
	sandbox.Unavailable:    {entity.UpstreamError, "ClinicalTrials.gov answered with an error (status 503).", true},
	sandbox.GatewayTimeout: {entity.UpstreamError, "ClinicalTrials.gov answered with an error (status 504).", true},
	sandbox.NoName:         {entity.UpstreamError, "ClinicalTrials.gov could not be found by name (DNS).", true},
	sandbox.Untrusted:      {entity.UpstreamError, "ClinicalTrials.gov could not be trusted: its certificate does not verify.", false},
	sandbox.Reset:          {entity.UpstreamError, "ClinicalTrials.gov could not be reached.", true},
	sandbox.Slow:           {entity.UpstreamError, "ClinicalTrials.gov did not answer in the time of this call.", false},
	sandbox.Short:          {entity.UpstreamError, "ClinicalTrials.gov could not be reached.", true},
	sandbox.Truncated:      {entity.UpstreamError, "ClinicalTrials.gov sent an answer that cannot be read.", false},
	sandbox.Page:           {entity.UpstreamError, "ClinicalTrials.gov answered with a web page instead of data.", true},
	sandbox.Forbidden: {entity.UpstreamError,
		"ClinicalTrials.gov refused this client or network (status 403). It did not answer the question.", false},
	sandbox.Sentence: {entity.UpstreamError, "ClinicalTrials.gov sent an answer that cannot be read.", false},
	sandbox.JSONPage: {entity.UpstreamError, "ClinicalTrials.gov answered with a web page instead of data.", true},
	sandbox.Redirect: {entity.UpstreamError, "ClinicalTrials.gov could not be queried.", false},
	sandbox.Endless:  {entity.UpstreamError, "ClinicalTrials.gov sent an answer that is too large.", false},
	sandbox.Garbage:  {entity.UpstreamError, "ClinicalTrials.gov sent an answer that cannot be read.", false},
	sandbox.Empty:    {entity.UpstreamError, "ClinicalTrials.gov sent an answer that cannot be read.", false},
}

// timeout of a call

// eachTool calls each tool once.
var eachTool = map[string]func(context.Context, *Trials) sourcetest.Outcome{
	"get_trial": func(ctx context.Context, s *Trials) sourcetest.Outcome {
		return sourcetest.NewOutcome(decoded(s.GetTrial(ctx, tools.GetTrialArgs{NCTID: known})))
	},
	"get_trial_locations": func(ctx context.Context, s *Trials) sourcetest.Outcome {
		return sourcetest.NewOutcome(s.GetTrialLocations(ctx, tools.GetTrialLocationsArgs{NCTID: known, PageSize: 10}))
	},
	"search_trials": func(ctx context.Context, s *Trials) sourcetest.Outcome {
		filters := tools.TrialFilters{Condition: "asthma"}
		return sourcetest.NewOutcome(s.SearchTrials(ctx, tools.SearchTrialsArgs{TrialFilters: filters, PageSize: 5}))
	},
}

// faulty is a registry behind a network on which all requests fail while a fault is set.
type faulty struct {
	*sandbox.Faults
	registry *registry
	fault    atomic.Value // sandbox.Fault
	only     string       // end of the paths that fail
}

func newFaulty(t testing.TB) *faulty {
	t.Helper()
	f := &faulty{registry: newRegistry(t)}
	f.set(sandbox.NoFault)
	f.Faults = &sandbox.Faults{Next: f.registry, Plan: func(_ int, req *http.Request) sandbox.Fault {
		if !strings.HasSuffix(req.URL.Path, f.only) {
			return sandbox.NoFault
		}
		return f.fault.Load().(sandbox.Fault)
	}}
	return f
}

func (f *faulty) set(fault sandbox.Fault) { f.fault.Store(fault) }

// request makes a call and returns the number of its requests.
func (f *faulty) request(t testing.TB, s *Trials, call func(context.Context, *Trials) sourcetest.Outcome) (sourcetest.Outcome, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), sourcetest.CallTimeout)
	defer cancel()
	before := f.Requests()
	o := call(ctx, s)
	return o, f.Requests() - before
}

// wantFailed checks the error of a fault.
func wantFailed(t testing.TB, fault sandbox.Fault, err error) {
	t.Helper()
	want := faultCases[fault]
	expect.Must(t, err != nil, "%s is no error", fault)
	got := entity.AsError(err)
	expect.That(t, got.Code == want.code && got.Message == want.message && (got.Cause != nil || want.code == entity.RateLimited),
		"%s %q, cause %v; want %s %q", got.Code, got.Message, got.Cause, want.code, want.message)
	next := "Make the same call again"
	switch fault {
	case sandbox.Untrusted:
		next = "SSL_CERT_FILE"
	case sandbox.TooMany, sandbox.TooManyWait:
		next = "exponential backoff"
	}
	expect.That(t, strings.Contains(got.Hint, next), "the hint does not say %q: %s", next, got.Hint)
	expect.That(t, got.Code != entity.UpstreamError || fault == sandbox.Untrusted ||
		strings.Contains(got.Hint, "This is not an empty result"),
		"the hint does not say that nothing was found out: %s", got.Hint)
	shown := strings.ToLower(strings.ReplaceAll(got.Message+" "+got.Hint, sourcetest.StatusPage, ""))
	for _, leak := range []string{
		"http", "api/v2", "filter.", "query.", "ctgov", "elsewhere", "eof", "json", "invalid", "unexpected", "x509", "tls:",
		"lookup", "dial",
		"context", "deadline", "by peer", "syscall", "<",
	} {
		expect.That(t, !strings.Contains(shown, leak), "message and hint show %q: %s", leak, shown)
	}
	if wrong := sourcetest.InvalidEnvelope(err); wrong != "" {
		t.Error(wrong)
	}
}

// TestEveryFaultHasACase: the table has a case for each fault.
func TestEveryFaultHasACase(t *testing.T) {
	t.Parallel()
	for _, fault := range sandbox.AllFaults() {
		if _, ok := faultCases[fault]; !ok {
			t.Errorf("no case for %s", fault)
		}
	}
	if len(faultCases) != len(sandbox.AllFaults()) {
		t.Errorf("%d cases for %d faults", len(faultCases), len(sandbox.AllFaults()))
	}
}

// forEachFault runs a test for each fault and tool, with a simulated clock.
func forEachFault(t *testing.T, run func(t *testing.T, fault sandbox.Fault, call func(context.Context, *Trials) sourcetest.Outcome)) {
	for _, fault := range sandbox.AllFaults() {
		for name, call := range eachTool {
			t.Run(string(fault)+", "+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { run(t, fault, call) })
			})
		}
	}
}

// TestFaults: each fault has its own error, after a reasonable number of requests. It leaves no cache entry, and the next call gets the
// correct answer.
func TestFaults(t *testing.T) {
	t.Parallel()
	forEachFault(t, func(t *testing.T, fault sandbox.Fault, call func(context.Context, *Trials) sourcetest.Outcome) {
		f, entries := newFaulty(t), sourcetest.InMemory()
		right := call(t.Context(), serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(f.registry)))
		expect.Must(t, right.Err == nil, "%v", right.Err)
		o := sourcetest.Policy(f)
		o.Tries = 3
		s := serve(t, entries, sourcetest.RegistryURL, o)
		f.set(fault)
		for range 2 { // the second call would get an entry that the first one had left
			start := time.Now()
			got, requests := f.request(t, s, call)
			wantFailed(t, fault, got.Err)
			want := 1
			if faultCases[fault].again {
				want = 3
			}
			expect.Equal(t, "requests", want, requests)
			took := time.Since(start)
			switch fault {
			case sandbox.Slow:
				expect.That(t, took == sourcetest.CallTimeout, "took %v, want all of %v", took, sourcetest.CallTimeout)
			case sandbox.TooManyWait:
				expect.That(t, took == 14*time.Second, "took %v, want twice 7s", took)
			default:
				expect.That(t, took < 1500*time.Millisecond && (want != 1 || took == 0), "took %v", took)
			}
			sourcetest.WantEmptyStore(t, entries)
		}
		f.set(sandbox.NoFault)
		got, requests := f.request(t, s, call)
		if diff := cmp.Diff(right.Value, got.Value); got.Err != nil || diff != "" || len(got.Notices) > 0 {
			t.Errorf("after the fault: %v, notices %q (-right +got):\n%s", got.Err, got.Notices, diff)
		}
		expect.Equal(t, "after the fault requests", 1, requests)
		wantMade(t, "after the fault", got.Provenance, entity.CacheMiss, 1)
	})
}

// TestTransientFault: after a transient fault the request is sent again within the call. The call succeeds and reports the number of its
// requests.
func TestTransientFault(t *testing.T) {
	t.Parallel()
	forEachFault(t, func(t *testing.T, fault sandbox.Fault, call func(context.Context, *Trials) sourcetest.Outcome) {
		f := &sandbox.Faults{Next: newRegistry(t), Stall: time.Second, Plan: func(n int, _ *http.Request) sandbox.Fault {
			if n == 0 {
				return fault
			}
			return sandbox.NoFault
		}}
		o := sourcetest.Policy(f)
		o.Tries = 2
		got := call(t.Context(), serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, o))
		switch {
		case fault == sandbox.Slow: // and no more than that
			wantMade(t, "slow", got.Provenance, entity.CacheMiss, 1)
		case faultCases[fault].again:
			wantMade(t, "asked again", got.Provenance, entity.CacheMiss, 2)
		default:
			wantFailed(t, fault, got.Err)
			return
		}
		expect.That(t, got.Err == nil && got.Value != nil, "%v", got.Err)
	})
}

// TestFaultWithCachedAnswer: if the source cannot confirm that a cached answer is still exact, the call returns it with its age instead of
// an error. This does not make the entry more exact.
func TestFaultWithCachedAnswer(t *testing.T) {
	t.Parallel()
	for _, only := range []string{"/version", "/studies"} {
		t.Run(strings.Trim(only, "/"), func(t *testing.T) {
			t.Parallel()
			forEachFault(t, func(t *testing.T, fault sandbox.Fault, call func(context.Context, *Trials) sourcetest.Outcome) {
				f := newFaulty(t)
				f.only = only
				o := sourcetest.Policy(f)
				o.Tries = 3
				s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, o)
				first, _ := f.request(t, s, call)
				expect.Must(t, first.Err == nil, "%v", first.Err)
				time.Sleep(3 * time.Hour)
				f.registry.publish()
				time.Sleep(10 * time.Minute)
				f.set(fault)
				for i := range 2 {
					got, requests := f.request(t, s, call)
					expect.Must(t, got.Err == nil, "%v", got.Err)
					expect.Equal(t, fmt.Sprintf("call %d: the kept answer differs", i), first.Value, got.Value)
					notice := "ClinicalTrials.gov cannot be queried at the moment. " +
						"This answer was stored 3 hours ago and may be out of date."
					expect.That(t, slices.Equal(got.Notices, []string{notice}), "call %d: notices %q", i, got.Notices)
					p := got.Provenance
					expect.That(t, p.Cache == entity.CacheStale && p.RetrievedAt.Equal(first.Provenance.RetrievedAt) &&
						p.DataVersion == first.Provenance.DataVersion,
						"call %d: %+v, retrieved first at %v", i, p, first.Provenance.RetrievedAt)
					want := 1
					if faultCases[fault].again {
						want = 3
					}
					if only == "/studies" && i == 0 {
						want++ // the version
					}
					expect.Equal(t, fmt.Sprintf("call %d: requests", i), want, requests)
				}
				f.set(sandbox.NoFault)
				got, _ := f.request(t, s, call)
				expect.That(t, got.Err == nil && got.Provenance.Cache == entity.CacheMiss && len(got.Notices) == 0,
					"after the fault: %v, cache %q, notices %q", got.Err, got.Provenance.Cache, got.Notices)
			})
		})
	}
}

// TestFaultAfterNotFound: a cached "not found" is not used when the source can no longer be reached.
func TestFaultAfterNotFound(t *testing.T) {
	t.Parallel()
	forEachFault(t, func(t *testing.T, fault sandbox.Fault, _ func(context.Context, *Trials) sourcetest.Outcome) {
		f := newFaulty(t)
		s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(f))
		call := func(ctx context.Context, s *Trials) sourcetest.Outcome {
			return sourcetest.NewOutcome(decoded(s.GetTrial(ctx, tools.GetTrialArgs{NCTID: missing})))
		}
		if got, _ := f.request(t, s, call); got.Err == nil || entity.AsError(got.Err).Code != entity.EntityNotFound {
			t.Fatalf("%v, want %s", got.Err, entity.EntityNotFound)
		}
		time.Sleep(10 * time.Minute)
		f.set(fault)
		got, _ := f.request(t, s, call)
		wantFailed(t, fault, got.Err)
	})
}

// TestIncompleteStudy: a record without the fields that every trial has is neither cached nor taken for a missing record, and does not
// affect the other records of its batch.
func TestIncompleteStudy(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"without a title": `{"studies":[{"protocolSection":{"identificationModule":{"nctId":"NCT03275402"}}}]}`,
		"without an id":   `{"studies":[{"protocolSection":{"identificationModule":{"briefTitle":"A trial"},"statusModule":{"overallStatus":"COMPLETED"}}}]}`,
		"of nothing":      `{"studies":[{}]}`,
		"of another":      `{"studies":[{"protocolSection":{"identificationModule":{"nctId":"NCT00567567"}}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				entries := sourcetest.InMemory()
				s := serve(t, entries, sourcetest.RegistryURL, sourcetest.Policy(sourcetest.FixedReply(answer)))
				for range 2 {
					_, err := s.GetTrial(t.Context(), tools.GetTrialArgs{NCTID: known})
					expect.That(t, err != nil &&
						entity.AsError(err).Message == "ClinicalTrials.gov sent an answer that cannot be read.", "%v", err)
				}
				sourcetest.WantEmptyStore(t, entries)
			})
		})
	}
}

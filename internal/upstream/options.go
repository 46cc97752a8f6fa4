package upstream

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/store"
)

// Options are the policy for one source.
type Options struct {
	// Source is the name of the source in messages.
	Source string
	// Status is the URL of the source's status page, for hints; empty: none.
	Status string
	// Base sends the requests: the network or the sandbox.
	Base http.RoundTripper
	// Interval is the minimum time between the starts of two requests; 0: none.
	Interval time.Duration
	// Daily is the number of requests that all processes of the user may send on one day, in UTC; 0: no limit.
	Daily int
	// Budget names the rate limit that these requests count against, which several sources may share; empty: the host of a request.
	Budget string
	// Off is the error of every request to a source that is switched off; nil: the source is on.
	Off *entity.Error
	// Latency is the time that most answers of the source take. A request is refused if a wait for its turn would leave less.
	Latency time.Duration
	// Turns is the store in which all processes that use the source take their turns; nil: only this client uses it.
	Turns *store.Store
	// Tries limits the attempts at one request, the first one included.
	Tries uint
	// MaxBody limits the bytes of one body in memory. Other limits are the same for all sources.
	MaxBody int64
	// Check decides whether an answer is valid when the status proves nothing: a 200, 400 or 404 that is not a web page, with its body in
	// memory. It returns nil for a valid answer. RATE_LIMITED, which this package replaces with its own, and an error that is not an
	// *entity.Error are retried. Any other *entity.Error is returned with its message and hint unchanged. If Check is nil, all such answers
	// are valid.
	Check func(resp *http.Response, body []byte) error
	// Refused returns the error of a 403 or 500 that says what is wrong with the request or its key: it is not retried. It returns nil if
	// the response does not say so. Nil: no such response does.
	Refused func(resp *http.Response, body []byte) *entity.Error
	// LimitHint is the last sentence of the hint of every RATE_LIMITED error. It says how to get a higher limit; empty: no such sentence.
	LimitHint string
	// Secrets are texts that no error shows, such as a key or an address. The values of a URL's query are always hidden.
	Secrets []string
	// UserAgent names Biofact and how to contact its operator.
	UserAgent string
	// Log gets the details that a client must not see.
	Log *slog.Logger
	// Observe receives metrics about the requests.
	Observe Observer
}

// Observer receives metrics about the requests to a source, without the contents of requests. A nil function is not called. The functions
// are called concurrently and must not block.
type Observer struct {
	// Attempt receives the result of each attempt, and the time from its turn to the end of the body.
	Attempt func(r Result, took time.Duration)
	// Turn receives the time that a request waited for its turn. It is not called for a request that got no turn, nor for a source without
	// an interval.
	Turn func(waited time.Duration)
}

// Result is the outcome of one attempt at a request. The set is closed.
type Result string

// The outcomes of an attempt.
const (
	ResultOK          Result = "ok"          // an answer, or a redirect to one
	ResultInvalid     Result = "invalid"     // the source rejects the request itself
	ResultRefused     Result = "refused"     // the source refuses this client or network
	ResultLimited     Result = "limited"     // the source asks for fewer requests
	ResultFailed      Result = "failed"      // the source answers with an error of its own
	ResultUnreadable  Result = "unreadable"  // the answer cannot be decoded, or is too large
	ResultUnreachable Result = "unreachable" // no connection, or it broke off
	ResultTimeout     Result = "timeout"     // the time of the call was up
	ResultCancelled   Result = "cancelled"   // no caller waits for the answer
)

package upstream

import (
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// maxLogged bounds the parameters that a line of the log shows, in bytes of the
// form and in characters of a line.
const maxLogged = 4 << 10

// identifying are the parameters that tell who asks, and not what is asked.
var callerParameters = []string{"api_key", "email", "tool"}

// logged tells the log of a request that was made, at the level of those who
// want to see what is asked for. A request that several calls wait for is told
// under the call that began to wait first.
func (o *Options) logAttempt(req *http.Request, resp *http.Response, err error, took time.Duration) {
	if !o.Log.Enabled(req.Context(), slog.LevelDebug) {
		return
	}
	o.Log.DebugContext(req.Context(), "request to a source", "source", o.Source, "method", req.Method, "operation",
		o.withoutSecrets(nil, req.URL.Path),
		"parameters", o.parameters(req), "result", resultOf(resp, err), "duration", took)
}

// parameters returns what a request asks for, in its URL or its form, without
// who asks.
func (o *Options) parameters(req *http.Request) string {
	values := req.URL.Query()
	if req.GetBody != nil {
		if body, err := req.GetBody(); err == nil {
			defer body.Close()
			form, _ := io.ReadAll(io.LimitReader(body, maxLogged)) // as much as there is
			more, _ := url.ParseQuery(string(form))                // a value that is cut in an escape is left out
			for name, list := range more {
				values[name] = append(values[name], list...)
			}
		}
	}
	for _, name := range callerParameters {
		values.Del(name)
	}
	for _, list := range values {
		for i, value := range list {
			list[i] = o.withoutSecrets(nil, value)
		}
	}
	text, err := url.QueryUnescape(values.Encode())
	if err != nil {
		text = values.Encode()
	}
	return entity.Cut(text, maxLogged)
}

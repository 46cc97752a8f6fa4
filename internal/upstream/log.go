package upstream

import (
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// maxLogged limits the parameters in a line of the log: in bytes of the form and in characters of the line.
const maxLogged = 4 << 10

// callerParameters are the parameters that identify the caller; they are not logged.
var callerParameters = []string{"api_key", "email", "tool"}

// logAttempt logs a request at the debug level. A request that several calls wait for is logged with the id of the call that waited first.
func (o *Options) logAttempt(req *http.Request, resp *http.Response, err error, took time.Duration) {
	if !o.Log.Enabled(req.Context(), slog.LevelDebug) {
		return
	}
	o.Log.DebugContext(req.Context(), "request to a source", "source", o.Source, "method", req.Method, "operation",
		o.withoutSecrets(nil, req.URL.Path),
		"parameters", o.parameters(req), "result", resultOf(resp, err), "duration", took)
}

// parameters returns the parameters of a request, from its URL or its form, without those that identify the caller.
func (o *Options) parameters(req *http.Request) string {
	values := req.URL.Query()
	if req.GetBody != nil {
		if body, err := req.GetBody(); err == nil {
			defer body.Close()
			form, _ := io.ReadAll(io.LimitReader(body, maxLogged)) // as much as could be read
			more, _ := url.ParseQuery(string(form))                // a value that is cut inside an escape is dropped
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

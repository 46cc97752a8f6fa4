package sandbox

import (
	"net/http"

	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/sandbox/ncbi"
)

// eutils answers a request to E-utilities with one of their faults.
func (f *Faults) eutils(fault Fault, req *http.Request) (*http.Response, error) {
	if !ncbi.Serves(req.URL.Path) {
		return f.Next.RoundTrip(req)
	}
	const limit = `{"error":"API rate limit exceeded","api-key":"192.0.2.1","count":"4","limit":"3"}`
	switch fault {
	case EutilsLimit:
		headers := http.Header{"Retry-After": {"2"}, "X-Ratelimit-Limit": {"3"}, "X-Ratelimit-Remaining": {"0"}}
		refused := reply.Reply{Status: http.StatusTooManyRequests, Type: "application/json", Header: headers, Body: []byte(limit)}
		return refused.Response(req), nil
	case EutilsLimitInside:
		return reply.RawJSON([]byte(limit)).Response(req), nil
	case EutilsProlog:
		prolog := []byte(`<?xml version="1.0" encoding="UTF-8" ?>` + "\n")
		return reply.Reply{Status: http.StatusOK, Type: "text/xml; charset=UTF-8", Body: prolog}.Response(req), nil
	}
	out, err := ncbi.Outage(req)
	if err != nil {
		return nil, err
	}
	return out.Response(req), nil
}

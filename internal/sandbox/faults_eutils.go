package sandbox

import (
	"net/http"

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
		resp := newResponse(req, http.StatusTooManyRequests, "application/json", limit)
		resp.Header.Set("Retry-After", "2")
		resp.Header.Set("X-Ratelimit-Limit", "3")
		resp.Header.Set("X-Ratelimit-Remaining", "0")
		return resp, nil
	case EutilsLimitInside:
		return newResponse(req, http.StatusOK, "application/json", limit), nil
	case EutilsProlog:
		return newResponse(req, http.StatusOK, "text/xml; charset=UTF-8", `<?xml version="1.0" encoding="UTF-8" ?>`+"\n"), nil
	}
	out, err := ncbi.Outage(req)
	if err != nil {
		return nil, err
	}
	return out.Response(req), nil
}

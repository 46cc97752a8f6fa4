package sandbox

import (
	"net/http"
	"strings"
)

// eutils answers a request to E-utilities as they answer on a bad day.
func (f *Faults) eutils(fault Fault, req *http.Request) (*http.Response, error) {
	name, ok := utilityOf(req.URL.Path)
	if !ok {
		return f.Next.RoundTrip(req)
	}
	const limit = `{"error":"API rate limit exceeded","api-key":"192.0.2.1","count":"4","limit":"3"}`
	switch fault {
	case EutilsLimit:
		resp := made(req, http.StatusTooManyRequests, "application/json", limit)
		resp.Header.Set("Retry-After", "2")
		resp.Header.Set("X-Ratelimit-Limit", "3")
		resp.Header.Set("X-Ratelimit-Remaining", "0")
		return resp, nil
	case EutilsLimitInside:
		return made(req, http.StatusOK, "application/json", limit), nil
	case EutilsProlog:
		return made(req, http.StatusOK, "text/xml; charset=UTF-8", `<?xml version="1.0" encoding="UTF-8" ?>`+"\n"), nil
	}
	values, err := parametersOf(req)
	if err != nil {
		return nil, err
	}
	ans, err := brokenUtility(request{utility: strings.TrimSuffix(name, ".fcgi"), values: values})
	if err != nil {
		return nil, err
	}
	return made(req, ans.status, ans.contentType, string(ans.body)), nil
}

// brokenUtility is what each utility says when what stands behind it fails.
func brokenUtility(r request) (answer, error) {
	const exception = "NCBI C++ Exception:\n    Error: TXCLIENT(CException::eUnknown) \"txclient.cpp\", line 1001: Read failed: EOF\n"
	switch r.utility {
	case "efetch":
		return r.fetchError(" Error occurred: cannot get document summary")
	case "esearch":
		return r.searchError("Search Backend failed: Exception:\n'search backend did not answer'")
	case "esummary":
		return r.summaryError("Database is not supported: " + r.get("db"))
	case "elink":
		return r.linkError(exception)
	}
	return r.infoError("Database is not supported: " + r.get("db"))
}

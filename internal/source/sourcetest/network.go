package sourcetest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// A Network answers a request with its first function that returns a response.
type Network []func(*http.Request) *http.Response

// RoundTrip returns the first response of a function, or an error.
func (n Network) RoundTrip(req *http.Request) (*http.Response, error) {
	for _, answer := range n {
		if resp := answer(req); resp != nil {
			resp.Request = req
			return resp, nil
		}
	}
	return nil, fmt.Errorf("nothing answers %s", req.URL)
}

// Reply returns a response.
func Reply(status int, contentType, body string) *http.Response {
	header := http.Header{}
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
}

// Sandboxed answers from the embedded records.
func Sandboxed(t testing.TB) func(*http.Request) *http.Response {
	t.Helper()
	records, err := Embedded()
	expect.NoError(t, err)
	return func(req *http.Request) *http.Response {
		resp, err := records.RoundTrip(req)
		expect.NoError(t, err)
		return resp
	}
}

// Bodies is an NCBI that answers each utility with one body.
func Bodies(bodies map[string]string) http.RoundTripper {
	return RoundTrip(func(req *http.Request) (*http.Response, error) {
		body := bodies[strings.TrimSuffix(req.URL.Path[strings.LastIndex(req.URL.Path, "/")+1:], ".fcgi")]
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)),
			Request: req}, nil
	})
}

// RoundTrip is a function that answers requests.
type RoundTrip func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f RoundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

package entrez

import (
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Doer makes an HTTP exchange.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Identified makes requests that say who asks, as NCBI wants it. A GET with a
// URL longer than 2,000 bytes goes as a POST with its whole query as the form:
// every utility takes both, and NCBI refuses long URLs.
type Identified struct {
	// Next makes the exchange.
	Next Doer
	// Tool names the program, Email who runs it, and APIKey raises the limit of
	// requests. Only what is set is sent: NCBI refuses an empty key.
	Tool, Email, APIKey string
	// GetOnly leaves long requests as they are.
	GetOnly bool
}

// maxURL is the length in bytes from which a request is posted. NCBI wants
// that for more than some 200 ids.
const maxURL = 2000

// Do sends a copy of a request with tool, email and api_key, where they are
// set and the request has none of its own. Its errors are those of Next. The
// method that went out is that of the response's Request.
func (i *Identified) Do(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	out.URL = i.identify(req.URL)
	if i.Posted(req) {
		post(out)
	}
	return i.Next.Do(out)
}

// Posted tells whether Do sends a request as a POST.
func (i *Identified) Posted(req *http.Request) bool {
	return req.Method == http.MethodPost || !i.GetOnly && isGet(req) && len(i.identify(req.URL).String()) > maxURL
}

func isGet(req *http.Request) bool { return req.Method == "" || req.Method == http.MethodGet }

// identify returns a URL with who asks at the end of its query.
func (i *Identified) identify(u *url.URL) *url.URL {
	out := *u
	has := u.Query()
	for _, p := range [][2]string{{"tool", i.Tool}, {"email", i.Email}, {"api_key", i.APIKey}} {
		if p[1] == "" || has.Has(p[0]) {
			continue
		}
		if out.RawQuery != "" {
			out.RawQuery += "&"
		}
		out.RawQuery += p[0] + "=" + url.QueryEscape(p[1])
	}
	return &out
}

// post makes a POST of a GET.
func post(req *http.Request) {
	if req.Method == http.MethodPost {
		return
	}
	form := req.URL.RawQuery
	req.URL.RawQuery = ""
	req.Method = http.MethodPost
	if req.Header == nil {
		req.Header = http.Header{}
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.ContentLength = int64(len(form))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(form)), nil }
	req.Body, _ = req.GetBody() // never fails
}

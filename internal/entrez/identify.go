package entrez

import (
	"io"
	"net/http"
	"net/url"
	"strings"
)

// A Doer sends an HTTP request.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Identified sends requests with the identity of the caller, as NCBI requires. It sends a GET with a URL longer than 2,000 bytes as a POST
// with the query as the form: every utility accepts both, and NCBI refuses long URLs.
type Identified struct {
	// Next sends the request.
	Next Doer
	// Tool names the program, Email the operator, and APIKey raises the rate limit. Empty values are not sent, because NCBI refuses an
	// empty key.
	Tool, Email, APIKey string
	// GetOnly disables the conversion of long requests.
	GetOnly bool
}

// maxURL is the length in bytes above which a request is posted. NCBI requires POST for more than about 200 ids.
const maxURL = 2000

// Do sends a copy of a request with tool, email and api_key, if they are set and the request does not have them. It returns the errors of
// Next. The Request of the response has the method that was used.
func (i *Identified) Do(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	out.URL = i.identify(req.URL)
	if i.Posted(req) {
		post(out)
	}
	return i.Next.Do(out)
}

// Posted reports whether Do sends a request as a POST.
func (i *Identified) Posted(req *http.Request) bool {
	isGet := req.Method == "" || req.Method == http.MethodGet
	return req.Method == http.MethodPost || !i.GetOnly && isGet && len(i.identify(req.URL).String()) > maxURL
}

// identify returns a URL with the identity at the end of its query.
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

package entrez_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

type doerFunc func(*http.Request) (*http.Response, error)

func (f doerFunc) Do(req *http.Request) (*http.Response, error) { return f(req) }

func TestIdentified(t *testing.T) {
	t.Parallel()
	ids := strings.TrimPrefix(strings.Repeat("&id=12345678", 300), "&")
	everything := entrez.Identified{Tool: "biofact/1 & more", Email: "a@example.org", APIKey: "k"}
	for _, tt := range []struct {
		name   string
		client entrez.Identified
		query  string
		method string
		want   string // the query or the form
	}{
		{"nothing set", entrez.Identified{}, "db=gene", "GET", "db=gene"},
		{"all set", everything, "db=gene&term=a+b%5Bsym%5D", "GET",
			"db=gene&term=a+b%5Bsym%5D&tool=biofact%2F1+%26+more&email=a%40example.org&api_key=k"},
		{"no query", entrez.Identified{Tool: "t"}, "", "GET", "tool=t"},
		{"its own", everything, "tool=mine&email=&api_key=other", "GET", "tool=mine&email=&api_key=other"},
		{"long", entrez.Identified{Tool: "t"}, ids, "POST", ids + "&tool=t"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			req := httptest.NewRequest(http.MethodGet, "https://example.org/efetch.fcgi?"+tt.query, nil)
			before := fmt.Sprint(req.Method, req.URL, req.Header, req.ContentLength)
			want := &http.Response{}
			tt.client.Next = doerFunc(func(out *http.Request) (*http.Response, error) {
				query, form := out.URL.RawQuery, ""
				if out.Body != nil {
					first, _ := io.ReadAll(out.Body)
					if out.GetBody != nil {
						again, _ := out.GetBody()
						second, _ := io.ReadAll(again)
						expect.That(t, string(first) == string(second) && int64(len(first)) == out.ContentLength,
							"the body cannot be sent again")
					}
					form = string(first)
				}
				expect.That(t, out.Method == tt.method && query+form == tt.want && (query == "" || form == ""),
					"%s %s with %q", out.Method, out.URL, form)
				media := out.Header.Get("Content-Type")
				if (media == "application/x-www-form-urlencoded") != (out.Method == http.MethodPost) {
					t.Errorf("%s with %q", out.Method, media)
				}
				expect.That(t, out.Context() == req.Context(), "another context")
				return want, io.EOF
			})
			got, err := tt.client.Do(req)
			expect.That(t, got == want && errors.Is(err, io.EOF), "the exchange is not that of Next")
			expect.Is(t, fmt.Sprint(req.Method, req.URL, req.Header, req.ContentLength), before, "the caller's request is now")
			expect.That(t, tt.client.Posted(req) == (tt.method == "POST"), "Posted disagrees with the method")
		})
	}
}

// TestIdentifiedIsUnderstood: a server reads the same parameters from the query and from the form.
func TestIdentifiedIsUnderstood(t *testing.T) {
	t.Parallel()
	var got url.Values
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		expect.Succeeds(t, r.ParseForm(), "error")
		got = r.Form
	}))
	defer server.Close()
	client := entrez.Identified{Next: server.Client(), Tool: "t"}
	for _, n := range []int{1, 1000} {
		want := url.Values{"term": {`"a b"[ti] & +`}, "tool": {"t"}}
		for i := range n {
			want.Add("id", fmt.Sprint(i))
		}
		sent := url.Values{"term": want["term"], "id": want["id"]}
		req, _ := http.NewRequest(http.MethodGet, server.URL+"?"+sent.Encode(), nil)
		resp, err := client.Do(req)
		expect.NoError(t, err)
		resp.Body.Close()
		expect.Equal(t, "", want, got)
	}
}

package upstream

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// receive sends one request, and is the only place that distinguishes an answer from a failure. A status alone proves nothing, so it also
// checks the body and the media type.
type receive struct{ Options }

func (r *receive) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context()) // a RoundTripper must not change the caller's request
	req.Header.Set("User-Agent", r.UserAgent)
	resp, err := r.Base.RoundTrip(req)
	if err != nil {
		return nil, r.unreachable(req, err)
	}
	defer resp.Body.Close() // net/http closes the connection if the body was not read to its end
	body := bufio.NewReader(resp.Body)
	resp.Request = req // links to the response of the redirect, if any
	if read, ok := req.Context().Value(readKey{}).(func(io.Reader) error); ok && isData(resp, body) {
		if err := r.stream(req, resp, body, read); err != nil {
			return nil, err
		}
		resp.Body = http.NoBody
		return resp, nil
	}
	content, err := r.readBody(resp, body)
	if errors.Is(err, entity.ErrTooLarge) {
		return nil, r.tooLargeError(req, err)
	}
	if err != nil {
		return nil, r.unreachable(req, fmt.Errorf("read the body: %w", err))
	}
	if err := r.classify(req, resp, content); err != nil {
		return nil, err
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(content)), int64(len(content))
	return resp, nil
}

// Reading returns a context in which the body of a 200 is not kept in memory but passed to read, inside the attempt: a body that breaks
// off, stalls or cannot be decoded is a failed attempt like any other. MaxBody does not apply; read limits what it keeps, with
// entity.ErrTooLarge. read is called once for each attempt and must start from an empty state. It may stop before the end of the body; the
// rest is then not fetched. read must check that the body is complete. Its errors are handled as those of Options.Check. A web page or any
// other status is not passed to read. The response has an empty body after read.
func Reading(ctx context.Context, read func(body io.Reader) error) context.Context {
	return context.WithValue(ctx, readKey{}, read)
}

// readKey is the key of the context value that reads a streamed body.
type readKey struct{}

// isData reports whether a response is a 200 that is not a web page, by its first bytes.
func isData(resp *http.Response, body *bufio.Reader) bool {
	if resp.StatusCode != http.StatusOK {
		return false
	}
	head, _ := body.Peek(headBytes) // a later read returns the error again
	return !isHTML(resp, head)
}

// stream passes the body to read, and returns the failure that results.
func (r *receive) stream(req *http.Request, resp *http.Response, body io.Reader, read func(io.Reader) error) error {
	err := read(&byteLimiter{from: body, left: maxStream})
	if err == nil {
		return nil
	}
	if errors.Is(err, entity.ErrTooLarge) {
		return r.tooLargeError(req, err)
	}
	if ended := context.Cause(req.Context()); ended != nil {
		return ended
	}
	return r.rejected(req, resp, "sent an answer that cannot be read", err)
}

// ErrTooLong is in the chain of the error for a URL that is too long for the source (status 414).
var ErrTooLong = errors.New("the URL is too long")

// classify returns the failure that a response means. It returns nil for an answer, and for a 400, 404 or redirect, which the caller
// handles.
func (r *receive) classify(req *http.Request, resp *http.Response, body []byte) error {
	if isRedirect(resp) { // its body is often HTML
		return nil
	}
	status, html := resp.StatusCode, isPage(resp, body)
	if !html && (status == http.StatusOK || status == http.StatusBadRequest || status == http.StatusNotFound) {
		return r.check(req, resp, body)
	}
	cause := fmt.Errorf("status %d, %s: %s", status, resp.Header.Get("Content-Type"), r.excerpt(req.URL, body))
	if err := r.refused(resp, body); err != nil && !html {
		err.Cause = errors.Join(err.Cause, cause)
		return &failedAttempt{err: err, result: ResultInvalid}
	}
	return r.statusError(resp, html, cause)
}

func (r *receive) refused(resp *http.Response, body []byte) *entity.Error {
	if r.Refused == nil || resp.StatusCode != http.StatusForbidden && resp.StatusCode != http.StatusInternalServerError {
		return nil
	}
	return r.Refused(resp, body)
}

// statusError returns the failure for the status of a response that is no answer.
func (r *receive) statusError(resp *http.Response, html bool, cause error) error {
	status := resp.StatusCode
	switch {
	case status == http.StatusTooManyRequests:
		return r.rateLimitedError(resp, cause)
	case status == http.StatusOK && html:
		return &failedAttempt{err: r.failed("answered with a web page instead of data", cause), result: ResultUnreadable, retryable: true}
	case status == http.StatusRequestURITooLong:
		return &failedAttempt{result: ResultRefused, err: &entity.Error{
			Code:    entity.UpstreamError,
			Message: r.Source + " refused the request: it is too long (status 414).",
			Hint:    "This is not an empty result, and the same call will fail again. Call again with shorter texts or fewer values.",
			Cause:   fmt.Errorf("%w: %w", ErrTooLong, cause),
		}}
	case status == http.StatusNotFound: // a web page: a gateway, or a wrong address
		err := r.failed("answered with a web page instead of data (status 404)", cause)
		err.Hint += " If this stays, the operator of Biofact can check the address of " + r.Source + " with biofact doctor."
		return &failedAttempt{err: err, result: ResultRefused}
	case status == http.StatusForbidden, html && status < http.StatusInternalServerError:
		// Seen when the network filter of a source rejects a client.
		return &failedAttempt{result: ResultRefused, err: &entity.Error{
			Code:    entity.UpstreamError,
			Message: fmt.Sprintf("%s refused this client or network (status %d). It did not answer the question.", r.Source, status),
			Hint: "This is not an empty result. Make the same call again later or from another network; " +
				"the operator of Biofact can try BIOFACT_TLS_MAX=1.2 or a proxy.",
			Cause: cause,
		}}
	case status >= http.StatusInternalServerError:
		return r.serverError(resp, cause)
	default:
		return &failedAttempt{err: r.failed(fmt.Sprintf("answered with an unexpected status %d", status), cause), result: ResultFailed}
	}
}

// serverError returns the failure for a status of 500 or above. Only 501 is permanent: a 500 of a gateway passes as a rule.
func (r *receive) serverError(resp *http.Response, cause error) error {
	permanent := resp.StatusCode == http.StatusNotImplemented
	err := r.failed(fmt.Sprintf("answered with an error (status %d)", resp.StatusCode), cause)
	return &failedAttempt{err: err, result: ResultFailed, retryable: !permanent, retryAfter: retryAfter(resp)}
}

// check returns the failure that Options.Check finds in an answer.
func (r *receive) check(req *http.Request, resp *http.Response, body []byte) error {
	if r.Check == nil {
		return nil
	}
	if err := r.Check(resp, body); err != nil {
		return r.rejected(req, resp, "answered with an error instead of data", err)
	}
	return nil
}

// rejected returns the failure for an error of Options.Check or of a reader. An error without an *entity.Error gets this text as its
// message.
func (r *receive) rejected(req *http.Request, resp *http.Response, what string, err error) error {
	e, ok := errors.AsType[*entity.Error](err)
	if ok && e.Code != entity.RateLimited {
		permanent := *e
		permanent.Cause = r.redact(req.URL, e.Cause)
		return &failedAttempt{err: &permanent, result: ResultInvalid}
	}
	if ok && e.Cause != nil {
		err = e.Cause // the text of e does not contain it
	}
	cause := r.redact(req.URL, fmt.Errorf("status %d: %w", resp.StatusCode, err))
	if ok {
		return r.rateLimitedError(resp, cause)
	}
	return &failedAttempt{err: r.failed(what, cause), result: ResultUnreadable, retryable: true}
}

// rateLimitedError returns the failure for an answer that asks for fewer requests.
func (r *receive) rateLimitedError(resp *http.Response, cause error) error {
	after := retryAfter(resp)
	return &failedAttempt{err: r.rateLimited(max(after, time.Second), cause), result: ResultLimited, retryable: true, retryAfter: after}
}

func isHTML(resp *http.Response, body []byte) bool {
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err == nil && media == "text/html" {
		return true
	}
	head := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), headBytes)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// headBytes is the number of bytes that show whether a body is a web page.
const headBytes = 256

// unreachable returns the failure of a request without a response.
func (r *receive) unreachable(req *http.Request, cause error) error {
	if err := context.Cause(req.Context()); err != nil {
		return err
	}
	cause = r.redact(req.URL, cause)
	what := "could not be reached"
	if _, ok := errors.AsType[*net.DNSError](cause); ok {
		what = "could not be found by name (DNS)"
	}
	_, certificate := errors.AsType[*tls.CertificateVerificationError](cause)
	_, authority := errors.AsType[x509.UnknownAuthorityError](cause)
	if certificate || authority {
		err := r.failed("could not be trusted: its certificate does not verify", cause)
		err.Hint = "The network between here and " + r.Source + " may be inspected by a proxy. " +
			"The operator of Biofact can set SSL_CERT_FILE to the certificate of its authority. Trying again will not help."
		return &failedAttempt{err: err, result: ResultUnreachable}
	}
	err := r.unavailable(what, cause)
	err.Hint = "This is not an empty result. Make the same call again in a minute. If it stays, biofact doctor finds the reason; " +
		"biofact --sandbox needs no network."
	return &failedAttempt{err: err, result: ResultUnreachable, retryable: true}
}

// failed returns the UPSTREAM_ERROR of this source.
func (r *receive) failed(what string, cause error) *entity.Error {
	err := r.unavailable(what, cause)
	if r.Status != "" {
		err.Hint += " Its state is shown at " + r.Status + "."
	}
	return err
}

func (o *Options) unavailable(what string, cause error) *entity.Error {
	return &entity.Error{
		Code:    entity.UpstreamError,
		Message: o.Source + " " + what + ".",
		Hint:    "This is not an empty result. Make the same call again in a minute; the arguments need no change.",
		Cause:   cause,
	}
}

// Failure returns the error of a failed lookup of a source: the *entity.Error in its chain, or UPSTREAM_ERROR.
func Failure(source string, err error) *entity.Error {
	o := Options{Source: source}
	return o.failure(nil, err)
}

// failure returns the *entity.Error of a failed request. It unwraps the errors of http.Client.
func (o *Options) failure(requestURL *url.URL, err error) *entity.Error {
	if e, ok := errors.AsType[*entity.Error](err); ok {
		return e
	}
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err // without the URL, which may contain a key
	}
	err = o.redact(requestURL, err)
	if errors.Is(err, errSlow) {
		return o.unavailable("answered, but the work on its answer took too long here", err)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return o.unavailable("did not answer in the time of this call", err)
	}
	if errors.Is(err, context.Canceled) {
		return o.unavailable("did not answer before the call was cancelled", err)
	}
	return o.unavailable("could not be queried", err)
}

// excerpt returns the beginning of a body for the log.
func (o *Options) excerpt(requestURL *url.URL, body []byte) string {
	text := o.withoutSecrets(requestURL, string(body[:min(len(body), 4096)])) // before the cut, which may split a key
	return fmt.Sprintf("%q", text[:min(len(text), 200)])
}

// redacted is an error whose text contains no secret and no part of the URL.
type redacted struct {
	err  error
	text string
}

func (r *redacted) Error() string { return r.text }
func (r *redacted) Unwrap() error { return r.err }

func (o *Options) redact(requestURL *url.URL, err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if clean := o.withoutSecrets(requestURL, text); clean != text {
		return &redacted{err: err, text: clean}
	}
	return err
}

// withoutSecrets replaces the secrets, the URL and the values of its query in a text of the source. The source may repeat them: NCBI's 429
// shows the key. The URL may be nil.
func (o *Options) withoutSecrets(requestURL *url.URL, text string) string {
	secrets := queryOf(requestURL)
	for _, s := range o.Secrets {
		secrets = append(secrets, s, url.QueryEscape(s), url.PathEscape(s))
	}
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // longer texts first: one may contain another
	var pairs []string
	for _, secret := range secrets {
		if secret != "" {
			pairs = append(pairs, secret, "[hidden]")
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// queryOf returns the texts that show the query of a URL.
func queryOf(requestURL *url.URL) []string {
	if requestURL == nil {
		return nil
	}
	texts := []string{requestURL.String(), requestURL.Redacted(), requestURL.RawQuery}
	for name, values := range requestURL.Query() {
		if slices.Contains(formatParameters, name) {
			continue
		}
		for _, v := range values {
			texts = append(texts, v, url.QueryEscape(v), url.PathEscape(v))
		}
	}
	return slices.DeleteFunc(texts, func(s string) bool { return len(s) < minHidden })
}

// formatParameters are the parameters whose values show nothing of the query.
var formatParameters = []string{"retmode", "rettype", "db", "dbfrom", "cmd", "linkname", "version", "sort", "usehistory", "fields",
	"format",
	"countTotal"}

// minHidden is the minimum length of a value that is hidden. Hiding a page size or "yes" is useless and would garble the text.
const minHidden = 4

// isPage reports whether a response is a web page. A 404 without a body is not, even if its media type is HTML.
func isPage(resp *http.Response, body []byte) bool {
	return isHTML(resp, body) && (resp.StatusCode != http.StatusNotFound || len(body) > 0)
}

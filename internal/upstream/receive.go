package upstream

import (
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

// receive makes one exchange and is the one place that tells an answer from a
// failure: a status proves nothing, so body and media type are looked at too.
type receive struct{ Options }

func (r *receive) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context()) // a RoundTripper must not change the caller's request
	req.Header.Set("User-Agent", r.UserAgent)
	resp, err := r.Base.RoundTrip(req)
	if err != nil {
		return nil, r.unreachable(req, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, r.MaxBody+1))
	if err != nil {
		return nil, r.unreachable(req, fmt.Errorf("read the body: %w", err))
	}
	if int64(len(body)) > r.MaxBody {
		return nil, r.failed("sent more than can be read", fmt.Errorf("body above %d bytes", r.MaxBody))
	}
	if err := r.classify(req, resp, body); err != nil {
		return nil, err
	}
	resp.Request = req // leads to the redirect before, if there was one
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// classify returns the failure that a response is, or nil for an answer and
// for a 400, 404 or redirect, which are the caller's to understand.
func (r *receive) classify(req *http.Request, resp *http.Response, body []byte) error {
	html := isHTML(resp, body)
	status := resp.StatusCode
	answer := status == http.StatusOK || status == http.StatusBadRequest || status == http.StatusNotFound
	if isRedirect(resp) || answer && !html { // the body of a redirect is often HTML
		return nil
	}
	cause := fmt.Errorf("status %d, %s: %s", status, resp.Header.Get("Content-Type"), excerpt(req.URL, body))
	switch {
	case status == http.StatusTooManyRequests:
		after := retryAfter(resp)
		return &transient{err: limited(r.Source, max(after, time.Second), cause), after: after}
	case status == http.StatusOK && html:
		return &transient{err: r.failed("answered with a web page instead of data", cause)}
	case status == http.StatusForbidden, html && status < http.StatusInternalServerError:
		// Seen where the source's network filter does not like a client.
		return &entity.Error{
			Code:    entity.UpstreamError,
			Message: fmt.Sprintf("%s refused this client or network (status %d). It did not answer the question.", r.Source, status),
			Hint: "This is not an empty result. Make the same call again later or from another network; " +
				"whoever runs Biofact can try BIOFACT_TLS_MAX=1.2 or a proxy.",
			Cause: cause,
		}
	case status >= http.StatusInternalServerError:
		err := r.failed(fmt.Sprintf("answered with an error (status %d)", status), cause)
		if status == http.StatusInternalServerError || status == http.StatusNotImplemented {
			return err
		}
		return &transient{err: err, after: retryAfter(resp)}
	default:
		return r.failed(fmt.Sprintf("answered with an unexpected status %d", status), cause)
	}
}

// isRedirect tells a redirect that can be followed.
func isRedirect(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return resp.Header.Get("Location") != ""
	}
	return false
}

func isHTML(resp *http.Response, body []byte) bool {
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err == nil && media == "text/html" {
		return true
	}
	head := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), 256)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// unreachable is the failure of an exchange that did not come about.
func (r *receive) unreachable(req *http.Request, cause error) error {
	if err := req.Context().Err(); err != nil {
		return err
	}
	cause = redact(req.URL, cause)
	what := "could not be reached"
	if _, ok := errors.AsType[*net.DNSError](cause); ok {
		what = "could not be found by name (DNS)"
	}
	_, certificate := errors.AsType[*tls.CertificateVerificationError](cause)
	_, authority := errors.AsType[x509.UnknownAuthorityError](cause)
	if certificate || authority {
		err := r.failed("could not be trusted: its certificate does not verify", cause)
		err.Hint = "The network between here and " + r.Source + " may be inspected by a proxy. " +
			"Whoever runs Biofact can name its authority in SSL_CERT_FILE. Trying again will not help."
		return err
	}
	return &transient{err: r.failed(what, cause)}
}

// failed is the UPSTREAM_ERROR of this source.
func (r *receive) failed(what string, cause error) *entity.Error {
	err := unavailable(r.Source, what, cause)
	if r.Status != "" {
		err.Hint += " Its state is shown at " + r.Status + "."
	}
	return err
}

func unavailable(source, what string, cause error) *entity.Error {
	return &entity.Error{
		Code:    entity.UpstreamError,
		Message: source + " " + what + ".",
		Hint:    "This is not an empty result. Make the same call again in a minute; the arguments need no change.",
		Cause:   cause,
	}
}

// Failure makes the error of a lookup of a source that did not succeed: the
// *entity.Error in its chain, or UPSTREAM_ERROR.
func Failure(source string, err error) *entity.Error { return failure(source, nil, err) }

// failure makes the error of a request that did not succeed, whatever the
// HTTP client wrapped it in.
func failure(source string, asked *url.URL, err error) *entity.Error {
	if e, ok := errors.AsType[*entity.Error](err); ok {
		return e
	}
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err // without the URL, which may hold a key
	}
	err = redact(asked, err)
	if errors.Is(err, context.DeadlineExceeded) {
		return unavailable(source, "did not answer in the time of this call", err)
	}
	if errors.Is(err, context.Canceled) {
		return unavailable(source, "was not asked to the end: the call was cancelled", err)
	}
	return unavailable(source, "could not be asked", err)
}

// excerpt is the head of a body for the log.
func excerpt(asked *url.URL, body []byte) string {
	text := withoutQuery(asked, string(body[:min(len(body), 4096)])) // before the cut, which may halve a key
	return fmt.Sprintf("%q", text[:min(len(text), 200)])
}

// redacted is an error whose text does not repeat what was asked for.
type redacted struct {
	err  error
	text string
}

func (r *redacted) Error() string { return r.text }
func (r *redacted) Unwrap() error { return r.err }

func redact(asked *url.URL, err error) error {
	if asked == nil {
		return err
	}
	text := err.Error()
	if clean := withoutQuery(asked, text); clean != text {
		return &redacted{err: err, text: clean}
	}
	return err
}

// withoutQuery hides the URL and the values of its query in a text of the
// source, which may repeat them: NCBI's 429 shows the key.
func withoutQuery(asked *url.URL, text string) string {
	hide := []string{asked.String(), asked.Redacted(), asked.RawQuery}
	for _, values := range asked.Query() {
		for _, v := range values {
			hide = append(hide, v, url.QueryEscape(v), url.PathEscape(v))
		}
	}
	slices.SortFunc(hide, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // what holds another goes first
	var pairs []string
	for _, secret := range hide {
		if len(secret) >= shortestSecret {
			pairs = append(pairs, secret, "[hidden]")
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// shortestSecret is the length from which a value is hidden: a page size or a
// yes tells nothing, and hiding it would garble the text.
const shortestSecret = 4

package upstream

import (
	"bytes"
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
		return nil, r.unreachable(req.Context(), err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, r.MaxBody+1))
	if err != nil {
		return nil, r.unreachable(req.Context(), fmt.Errorf("read the body: %w", err))
	}
	if int64(len(body)) > r.MaxBody {
		return nil, r.failed("sent more than can be read", fmt.Errorf("body above %d bytes", r.MaxBody))
	}
	if err := r.classify(resp, body); err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// classify returns the failure that a response is, or nil for an answer and
// for a 400, 404 or redirect, which are the caller's to understand.
func (r *receive) classify(resp *http.Response, body []byte) error {
	cause := fmt.Errorf("status %d, %s: %s", resp.StatusCode, resp.Header.Get("Content-Type"), excerpt(body))
	html := isHTML(resp, body)
	switch status := resp.StatusCode; {
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
	case status == http.StatusOK, status == http.StatusBadRequest, status == http.StatusNotFound,
		status >= http.StatusMultipleChoices && status < http.StatusBadRequest:
		return nil
	default:
		return r.failed(fmt.Sprintf("answered with an unexpected status %d", status), cause)
	}
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
func (r *receive) unreachable(ctx context.Context, cause error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
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

// failure makes the error of a request that did not succeed, whatever the
// HTTP client wrapped it in.
func failure(source string, err error) *entity.Error {
	if e, ok := errors.AsType[*entity.Error](err); ok {
		return e
	}
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err // without the URL, which may hold a key
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return unavailable(source, "did not answer in the time of this call", err)
	}
	if errors.Is(err, context.Canceled) {
		return unavailable(source, "was not asked to the end: the call was cancelled", err)
	}
	return unavailable(source, "could not be asked", err)
}

// excerpt is the head of a body for the log.
func excerpt(body []byte) string {
	return fmt.Sprintf("%q", body[:min(len(body), 200)])
}

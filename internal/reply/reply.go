// Package reply has the type of a response of a source that runs in process: one of the sandbox, or the mirror. It knows no source.
package reply

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"time"
)

// Reply is the response of a source before it becomes an HTTP response.
type Reply struct {
	Status int
	Type   string      // Content-Type
	Header http.Header // other than Content-Type and Date
	Body   []byte
}

// Text returns a sentence of plain text.
func Text(status int, sentence string) Reply {
	return Reply{Status: status, Type: "text/plain;charset=UTF-8", Body: []byte(sentence)}
}

// JSON returns a value as JSON, without escapes for <, > and &.
func JSON(v any) (Reply, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return Reply{}, fmt.Errorf("writing the answer: %w", err)
	}
	return RawJSON(bytes.TrimSuffix(body.Bytes(), []byte("\n"))), nil
}

// RawJSON returns a value that is JSON already.
func RawJSON(body []byte) Reply {
	return Reply{Status: http.StatusOK, Type: "application/json", Body: body}
}

// Func answers a request. Errors of the source are replies. An error means that records cannot be read.
type Func func(*http.Request) (Reply, error)

// RoundTrip implements http.RoundTripper.
func (f Func) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	r, err := f(req)
	if err != nil {
		return nil, err
	}
	return r.Response(req), nil
}

// Response returns the reply as the response to a request.
func (r Reply) Response(req *http.Request) *http.Response {
	header := http.Header{"Date": {time.Now().UTC().Format(http.TimeFormat)}}
	maps.Copy(header, r.Header)
	if r.Type != "" {
		header.Set("Content-Type", r.Type)
	}
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", r.Status, http.StatusText(r.Status)),
		StatusCode:    r.Status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        header,
		Body:          io.NopCloser(bytes.NewReader(r.Body)),
		ContentLength: int64(len(r.Body)),
		Request:       req,
	}
}

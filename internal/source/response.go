package source

import (
	"bytes"
	"io"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A Retrieval records how an answer was obtained.
type Retrieval struct {
	// Requests is the number of requests, including retries.
	Requests int
	// Fetched is when the source answered, by its own clock; zero: unknown.
	Fetched time.Time
	// Revision identifies the data of a local copy that answered; empty: the source itself answered.
	Revision string
}

// A Response is the complete answer to one request.
type Response struct {
	Retrieval
	Status int
	Body   []byte

	keeper *Keeper
}

// Read reads the result of a generated client. A failed request counts as one.
func (k *Keeper) Read(resp *http.Response, err error) (Response, error) {
	r := Response{Retrieval: Retrieval{Requests: 1}, keeper: k}
	if err != nil {
		return r, err
	}
	defer resp.Body.Close()
	r.Retrieval, r.Status = Retrieval{Requests: upstream.Attempts(resp), Fetched: upstream.Date(resp)}, resp.StatusCode
	if r.Body, err = readAll(resp); err != nil {
		return r, k.Unreadable(err)
	}
	return r, nil
}

// readAll reads a body. If its length is known, it allocates the buffer once: a growing buffer takes several times as much memory.
func readAll(resp *http.Response) ([]byte, error) {
	if resp.ContentLength <= 0 {
		return io.ReadAll(resp.Body)
	}
	var body bytes.Buffer
	body.Grow(int(resp.ContentLength) + bytes.MinRead)
	_, err := body.ReadFrom(resp.Body)
	return body.Bytes(), err
}

// Decode decodes a body of JSON.
func (r *Response) Decode(into any) error {
	if err := unmarshal(r.Body, into); err != nil {
		return r.keeper.Unreadable(err)
	}
	return nil
}

// unmarshal decodes JSON by the rules of encoding/json, except that its errors have other words:
// to find the words of encoding/json, the decoder reads each text twice.
func unmarshal(text []byte, into any) error {
	return json.Unmarshal(text, into, jsonv1.DefaultOptionsV1(), jsonv1.ReportErrorsWithLegacySemantics(false))
}

// Unreadable returns the error of an answer that cannot be decoded.
func (k *Keeper) Unreadable(cause error) *entity.Error {
	return Unreadable(k.Title, cause)
}

package ctgov

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// An exchange is how an answer was obtained.
type exchange struct {
	requests int
	fetched  time.Time // by the registry's clock
}

// A Refusal is the registry's sentence that it could not read a request
// (status 400).
type Refusal struct{ Sentence string }

// Error returns the sentence.
func (r *Refusal) Error() string { return "the registry refused the request: " + r.Sentence }

// Refused marks it as an error that says that the request itself is wrong.
func (*Refusal) Refused() {}

// readJSON decodes an answer.
func readJSON(resp *http.Response, title string, into any) (exchange, error) {
	made := exchange{requests: upstream.Attempts(resp), fetched: upstream.Date(resp)}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return made, source.Unreadable(title, err)
	}
	if resp.StatusCode != http.StatusOK {
		e := source.Unreadable(title, &Refusal{Sentence: strings.TrimSpace(string(body))})
		e.Message = fmt.Sprintf("%s did not understand the request of Biofact (status %d).", title, resp.StatusCode)
		e.Hint = "This is not an empty result, and the arguments are not the cause: the same call will fail again. " +
			"Whoever runs Biofact should update it; its log has the reply."
		return made, e
	}
	if err := json.Unmarshal(body, into); err != nil {
		return made, source.Unreadable(title, err)
	}
	return made, nil
}

package source

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/sandbox"
)

// The requests a day that openFDA allows.
const (
	dailyWithoutKey = 1000
	dailyWithKey    = 120_000
)

// dailyOfOpenFDA returns the requests of a day that openFDA allows.
func dailyOfOpenFDA(cfg *config.Config) int {
	if cfg.OpenFDAKey == "" {
		return dailyWithoutKey
	}
	return dailyWithKey
}

// keyForOpenFDA adds the key to requests as the name of a user, so that no URL has it.
func keyForOpenFDA(cfg *config.Config, _ string, next Doer) Doer {
	if cfg.OpenFDAKey == "" {
		return next
	}
	return keyDoer{next, "Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte(string(cfg.OpenFDAKey)+":"))}
}

// A refusal is the sentence of a source that the request itself is wrong.
type refusal struct{ sentence string }

// Error returns the sentence.
func (r *refusal) Error() string { return "the request is refused: " + r.sentence }

// Refused marks the error as one of the request itself.
func (*refusal) Refused() {}

// openFDAError is the part of a reply of openFDA that says what failed.
type openFDAError struct {
	Meta  json.RawMessage `json:"meta"`
	Error struct {
		Code, Message string
		Details       json.RawMessage
	} `json:"error"`
}

// noMatches is the code of a search without hits. Its message is another one if the count is wrong, which also is a 404.
const noMatches = "No matches found!"

// checkOpenFDA returns an error for a 200 that is not a reply, for a 404 that is not the empty answer to a search, and for a 400.
func checkOpenFDA(resp *http.Response, body []byte) error {
	var reply openFDAError
	if err := json.Unmarshal(body, &reply); err != nil {
		return err
	}
	switch failure := reply.Error; {
	case resp.StatusCode == http.StatusOK && failure.Code == "" && len(reply.Meta) > 0:
		return nil
	case resp.StatusCode == http.StatusNotFound && failure.Code == "NOT_FOUND" && failure.Message == noMatches:
		return nil
	case failure.Code != "" && resp.StatusCode != http.StatusOK:
		return refusedRequest(failure.Message)
	}
	return fmt.Errorf("status %d without an answer", resp.StatusCode)
}

// refusedByOpenFDA returns the error of a 500 that means a query which cannot be parsed, and of a 403 that means a wrong key.
func refusedByOpenFDA(resp *http.Response, body []byte) *entity.Error {
	var reply openFDAError
	_ = json.Unmarshal(body, &reply) // a body that cannot be read has no code
	switch failure := reply.Error; {
	case resp.StatusCode == http.StatusForbidden && strings.HasPrefix(failure.Code, "API_KEY"):
		return &entity.Error{
			Code:    entity.UpstreamError,
			Message: "openFDA refused the API key. It did not answer the question.",
			Hint: "This is not an empty result, and trying again will not help. The operator of Biofact must correct or remove " +
				"OPENFDA_API_KEY.",
		}
	case resp.StatusCode == http.StatusInternalServerError:
		for _, cause := range []string{"token_mgr_error", "parse_exception", "illegal_argument_exception"} {
			if strings.Contains(string(failure.Details), cause) {
				return refusedRequest(cause)
			}
		}
	}
	return nil
}

// refusedRequest returns the error of a query that openFDA refuses.
func refusedRequest(sentence string) *entity.Error {
	return &entity.Error{
		Code:    entity.UpstreamError,
		Message: "openFDA refused the request as wrong. It did not answer the question.",
		Hint:    "This is not an empty result. Trying again will not help: change the arguments, or continue without this fact.",
		Cause:   &refusal{entity.Cut(sentence, 200)},
	}
}

// openFDA returns the description of openFDA.
func openFDA() Source {
	return Source{
		Name: OpenFDA, Title: "openFDA", Status: "https://open.fda.gov/about/status/", Toolsets: []string{"drugs", "genes"},
		URL:      func(cfg *config.Config) string { return cfg.OpenFDAURL },
		Interval: func(cfg *config.Config) (time.Duration, string) { return perSecond(cfg.OpenFDARPS), "" },
		Daily:    dailyOfOpenFDA,
		Tries:    func(*config.Config) uint { return 3 },
		Key:      func(cfg *config.Config) string { return string(cfg.OpenFDAKey) }, KeyVariable: "OPENFDA_API_KEY",
		Check:     checkOpenFDA,
		Refused:   refusedByOpenFDA,
		Identify:  keyForOpenFDA,
		Probe:     Probe{"/drug/label.json?limit=0", "date", "meta.last_updated", "${meta.results.total} labels of ${meta.last_updated}"},
		Documents: []Document{{Name: OpenFDA, URL: "https://raw.githubusercontent.com/FDA/", Spec: "specs/openfda.yaml"}},
		Sandbox:   (*sandbox.Sandbox).OpenFDA,
	}
}

// Package source describes each service that Biofact uses in one place: its name, its URL, its rate limit, and its form of errors.
// Settings, metrics, logs, messages and biofact doctor all use this description. All returns the table; a new source is a new entry.
package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A Source describes one service. A function is required unless its comment says what nil means.
type Source struct {
	// Name identifies the source in settings, metrics, logs and reports: ctgov.
	Name string
	// Title is its name in messages: ClinicalTrials.gov.
	Title string
	// Status is the page on which its operator reports its state.
	Status string
	// Toolsets are the toolsets whose tools use the source.
	Toolsets []string
	// URL returns its base URL.
	URL func(*config.Config) string
	// Interval returns the minimum time between the starts of two requests. The warning, for the log, reports a setting that was not
	// followed; empty: none.
	Interval func(*config.Config) (interval time.Duration, warning string)
	// Daily returns how many requests a day all processes of the user may send; nil: the days have no limit.
	Daily func(*config.Config) int
	// Tries returns the maximum number of attempts at one request, the first one included.
	Tries func(*config.Config) uint
	// WantsContact reports that the operator asks for an e-mail address with each request.
	WantsContact bool
	// Key returns the API key; nil: the source has no key.
	Key func(*config.Config) string
	// KeyVariable is the setting of the API key.
	KeyVariable string
	// Check returns an error if a response of status 200, 400 or 404 is not an answer. See upstream.Options. Nil: all such responses are
	// answers.
	Check func(resp *http.Response, body []byte) error
	// Refused returns the error of a response of status 403 or 500 that says what is wrong with the request. See upstream.Options. Nil: no
	// such response does.
	Refused func(resp *http.Response, body []byte) *entity.Error
	// Identify returns a Doer that adds the identity of the caller to each request; version is that of the program. Nil: nothing is added.
	Identify func(cfg *config.Config, version string, next Doer) Doer
	// Probe is the small request by which biofact doctor checks the source.
	Probe Probe
	// Documents are the official descriptions of its API; empty: its operator publishes none.
	Documents []Document
	// Sandbox returns the source in a sandbox.
	Sandbox func(*sandbox.Sandbox) http.RoundTripper
}

// A Probe is a small request to a source.
type Probe struct {
	// Path is the path and query of the request, after the base URL.
	Path string
	// Needed is the name of the value that the answer must have, as an error shows it, and Member its place.
	Needed, Member string
	// State describes the state of the source. ${meta.results.total} is the member at that place; of a list it is the number of items.
	State string
}

// Read returns the state of the source, from the body of the answer.
func (p Probe) Read(body []byte) (string, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var answer any
	err := decoder.Decode(&answer)
	if member(answer, "status") == "error" {
		return "", errors.New("the answer is an error")
	}
	if err != nil || member(answer, p.Member) == "" {
		return "", errors.New("no " + p.Needed + " in the answer")
	}
	return os.Expand(p.State, func(place string) string { return member(answer, place) }), nil
}

// member returns the value at a place in an answer, or the number of items of a list; "" for none.
func member(value any, place string) string {
	for key := range strings.SplitSeq(place, ".") {
		object, _ := value.(map[string]any)
		value = object[key]
	}
	switch list, isList := value.([]any); {
	case value == nil, isList && len(list) == 0:
		return ""
	case isList:
		return strconv.Itoa(len(list))
	}
	return fmt.Sprint(value)
}

// A Doer sends an HTTP request.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Used returns the sources that the tools of a configuration use.
func Used(cfg *config.Config) []Source {
	return slices.DeleteFunc(All(), func(s Source) bool { return !s.usedBy(cfg.Toolsets) || !s.enabled(cfg) || s.servedByMirror(cfg) })
}

// enabled reports whether a configuration has the source switched on.
func (s *Source) enabled(cfg *config.Config) bool { return slices.Contains(cfg.Sources, s.Name) }

// servedByMirror reports whether only the local mirror answers for the source.
func (s *Source) servedByMirror(cfg *config.Config) bool {
	return s.Name == CTGov && cfg.Mirror == config.MirrorOnly
}

func (s *Source) usedBy(toolsets []string) bool {
	return slices.ContainsFunc(s.Toolsets, func(set string) bool { return slices.Contains(toolsets, set) })
}

// BaseURL returns the base URL of a configuration, without a slash at its end.
func (s *Source) BaseURL(cfg *config.Config) string { return strings.TrimSuffix(s.URL(cfg), "/") }

// HasKey reports whether a configuration has an API key for the source.
func (s *Source) HasKey(cfg *config.Config) bool { return s.Key != nil && s.Key(cfg) != "" }

// Doer returns a Doer that sends requests of the source through next, with the identity of the caller.
func (s *Source) Doer(cfg *config.Config, version string, next Doer) Doer {
	if s.Identify == nil {
		return next
	}
	return s.Identify(cfg, version, next)
}

// Options returns the client options for the source: o, which is common to all sources, with the settings of this source. A sandbox has no
// interval.
func (s *Source) Options(cfg *config.Config, o upstream.Options) upstream.Options {
	o.Source, o.Status, o.Check, o.Refused, o.Tries, o.Latency = s.Title, s.Status, s.Check, s.Refused, s.Tries(cfg), latency
	o.Budget = config.NCBIBudget(s.URL(cfg))
	if s.Key != nil {
		o.Secrets = []string{s.Key(cfg), cfg.Contact}
		if !s.HasKey(cfg) {
			o.LimitHint = s.Title + " allows more requests if " + s.KeyVariable + " is set; a key is free of charge."
		}
	}
	if !s.enabled(cfg) {
		o.Off = switchedOff(s)
	} else if s.servedByMirror(cfg) {
		o.Off = mirrorOnly(s)
	} else if cfg.Sandbox == "" {
		o.Interval, _ = s.Interval(cfg)
		if s.Daily != nil {
			o.Daily = s.Daily(cfg)
		}
	}
	return o
}

// Warn logs warnings about the settings of the source for the operator of a server. For a sandbox it logs none.
func (s *Source) Warn(cfg *config.Config, log *slog.Logger) {
	if cfg.Sandbox != "" {
		return
	}
	if interval, warning := s.Interval(cfg); warning != "" {
		log.Warn(warning, "source", s.Name, "interval", interval)
	}
	if s.WantsContact && cfg.Contact == "" && s.usedBy(cfg.Toolsets) {
		log.Warn(s.Title+" asks for an e-mail address with every request", "remedy", "set NCBI_ADMIN_EMAIL")
	}
}

// Package doctor checks everything that a server needs: configuration, cache, clock, proxy, certificates and sources. Each failed check
// has a remedy.
package doctor

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A Verdict is the result of a check.
type Verdict string

// The verdicts of a check.
const (
	OK   Verdict = "ok"
	Warn Verdict = "warn" // it works, but could do better
	Fail Verdict = "fail"
)

// A Check is the result of one check.
type Check struct {
	Name    string  `json:"name"`
	Status  Verdict `json:"status"`
	Finding string  `json:"finding"`
	Remedy  string  `json:"remedy,omitempty"` // how to mend it
	// Problem is why a source does not answer: no_network, dns, refused, timeout, certificate, proxy, blocked, web_page, outage,
	// rate_limited, api_key, unreadable or other. It is empty for other checks.
	Problem string `json:"problem,omitempty"`
}

// A Diagnosis is the result of all checks.
type Diagnosis struct {
	Status  Verdict `json:"status"`
	Offline bool    `json:"offline"` // no source can be reached
	Checks  []Check `json:"checks"`
}

// Print prints the check as one line.
func (c Check) Print(out io.Writer) {
	text := c.Finding
	if c.Remedy != "" {
		text += ": " + c.Remedy
	}
	fmt.Fprintf(out, "%-4s  %-18s  %s\n", c.Status, c.Name, text)
}

// A Doctor checks a configuration. All fields are required.
type Doctor struct {
	// Config is the configuration of the server. It can be invalid.
	Config *config.Config
	// Version is the version of the binary.
	Version string
	// Store returns the store in which all processes take their turns for requests.
	Store func() *store.Store
	// Options returns the client options for a source, with turns from a store. It is called only if the configuration is valid; its
	// error is a finding.
	Options func(turns *store.Store) (func(*source.Source) upstream.Options, error)
	// Validate returns an error for the first setting that is invalid.
	Validate func() error
	// Found is called with each check, in order, as soon as it is done.
	Found func(Check)
}

// Examine makes the checks, in order. It stops after an invalid configuration.
func (d *Doctor) Examine(ctx context.Context) Diagnosis {
	all := Diagnosis{Status: OK}
	add := func(c Check) {
		all.Checks = append(all.Checks, c)
		if c.Status == Fail || c.Status == Warn && all.Status == OK {
			all.Status = c.Status
		}
		d.Found(c)
	}
	add(passed("version", fmt.Sprintf("biofact %s, %s/%s, %s", d.Version, runtime.GOOS, runtime.GOARCH, runtime.Version())))
	configured := d.configuration()
	add(configured)
	if configured.Status == Fail {
		return all
	}
	requested := source.Used(d.Config)
	for _, s := range requested {
		if s.WantsContact {
			add(contactCheck(d.Config, s.Title))
		}
	}
	add(storage(ctx, d.Config))
	if slices.Contains(d.Config.Toolsets, "trials") {
		add(mirrorCheck(ctx, d.Config))
		add(sqlCheck(ctx, d.Config))
	}
	add(tlsSettings(d.Config))
	shared := d.Store()
	defer func() { _ = shared.Close() }() // all checks are done
	sources, err := d.sources(requested, shared)
	if err != nil {
		add(failed("sandbox", err.Error(), ""))
		return all
	}
	add(proxySettings(d.Config, sources))
	var questions sync.WaitGroup
	for _, s := range sources {
		questions.Go(func() { s.ask(ctx) })
	}
	questions.Wait()
	for _, s := range sources {
		add(s.check())
	}
	add(clock(sources))
	all.Offline = len(sources) > 0 && !slices.ContainsFunc(sources, func(s *examined) bool { return !s.offline() })
	return all
}

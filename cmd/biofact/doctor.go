package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/config"
)

// A verdict is what came of a check.
type verdict string

const (
	verdictOK   verdict = "ok"
	verdictWarn verdict = "warn" // it works, but could do better
	verdictFail verdict = "fail"
)

// A check is one thing that was looked at.
type check struct {
	Name    string  `json:"name"`
	Status  verdict `json:"status"`
	Finding string  `json:"finding"`
	Remedy  string  `json:"remedy,omitempty"` // what to do about it
	// Problem is why a source does not answer: no_network, dns, refused, timeout,
	// certificate, proxy, blocked, web_page, outage, rate_limited, api_key,
	// unreadable or other. Empty for what is not about a source.
	Problem string `json:"problem,omitempty"`
}

// diagnosis is all that was looked at.
type diagnosis struct {
	Status  verdict `json:"status"`
	Offline bool    `json:"offline"` // no source can be reached
	Checks  []check `json:"checks"`
}

// line prints a check.
func (c check) line(out io.Writer) {
	text := c.Finding
	if c.Remedy != "" {
		text += ": " + c.Remedy
	}
	fmt.Fprintf(out, "%-4s  %-18s  %s\n", c.Status, c.Name, text)
}

// A doctor looks at everything that a server will need.
type doctor struct {
	cfg   *config.Config
	found func(check) // is told of each check
}

func doctorCommand(cfg *config.Config) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check configuration, store, clock, network and sources, and say what to do",
		Long: "Check what a server needs, one line each: ok, warn (it works, but could do better) or fail, and what to do.\n" +
			"Each source is asked one small question, at the pace that it asks for. With --sandbox the sandbox is asked instead.\n" +
			"Exit code 0: all well, 1: a check failed, 2: wrong usage, 3: nothing failed but the network, by which no source can be reached.",
		Args: cobra.NoArgs,
		// A configuration that is wrong is a finding.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			d := &doctor{cfg: cfg, found: func(c check) { c.line(out) }}
			if asJSON {
				d.found = func(check) {}
			}
			all := d.examine(cmd.Context())
			switch {
			case asJSON:
				enc := json.NewEncoder(out)
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				if err := enc.Encode(all); err != nil {
					return err
				}
			case all.Offline:
				fmt.Fprintln(out, "\nNo source can be reached from here: there is no network, or none that leads to them. Without one, try biofact --sandbox.")
			}
			return all.exit()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the checks as JSON")
	return cmd
}

// exit is the error that the command ends with.
func (d *diagnosis) exit() error {
	local := slices.ContainsFunc(d.Checks, func(c check) bool { return c.Status == verdictFail && c.Problem == "" })
	switch {
	case d.Offline && !local:
		return exitOffline
	case d.Status == verdictFail:
		return exitAnswered
	}
	return nil
}

// examine makes the checks, in order. Of a configuration that is wrong nothing
// else can be said.
func (d *doctor) examine(ctx context.Context) diagnosis {
	all := diagnosis{Status: verdictOK}
	add := func(c check) {
		all.Checks = append(all.Checks, c)
		if c.Status == verdictFail || c.Status == verdictWarn && all.Status == verdictOK {
			all.Status = c.Status
		}
		d.found(c)
	}
	add(check{Name: "version", Status: verdictOK, Finding: fmt.Sprintf("biofact %s, %s/%s, %s", buildVersion(), runtime.GOOS, runtime.GOARCH, runtime.Version())})
	configured := configuration(d.cfg)
	add(configured)
	if configured.Status == verdictFail {
		return all
	}
	if asksNCBI(d.cfg) {
		add(contactCheck(d.cfg))
	}
	add(storage(ctx, d.cfg))
	add(tlsSettings(d.cfg))
	shared := turns(d.cfg)
	defer func() { _ = shared.Close() }() // what was found stays true
	sources, err := sourcesOf(d.cfg, shared)
	if err != nil {
		add(check{Name: "sandbox", Status: verdictFail, Finding: err.Error()})
		return all
	}
	add(proxySettings(d.cfg, sources))
	var asked sync.WaitGroup
	for _, s := range sources {
		asked.Go(func() { s.ask(ctx) })
	}
	asked.Wait()
	for _, s := range sources {
		add(s.check())
	}
	add(clock(sources))
	all.Offline = len(sources) > 0 && !slices.ContainsFunc(sources, func(s *source) bool { return !s.offline() })
	return all
}

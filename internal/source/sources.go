package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/sandbox"
)

// The names of the sources.
const (
	CTGov = "ctgov"
	NCBI  = "ncbi"
)

// latency is half a second: the sources answer most requests in 0.2 to 0.8 s.
const latency = 500 * time.Millisecond

// All returns the table of the sources.
func All() []Source {
	return []Source{
		{
			Name: CTGov, Title: "ClinicalTrials.gov", Status: "https://clinicaltrials.gov/data-api/api", Toolsets: []string{"trials"},
			URL:      func(cfg *config.Config) string { return cfg.CTGovURL },
			Interval: func(cfg *config.Config) (time.Duration, string) { return perSecond(cfg.CTGovRPS), "" },
			Latency:  latency,
			Tries:    func(*config.Config) uint { return 4 },
			Probe:    Probe{Path: "/version", Read: readVersion},
			Document: Document{URL: "https://clinicaltrials.gov/api/oas/v2", Spec: "specs/clinicaltrials.yaml"},
			Sandbox:  (*sandbox.Sandbox).Trials,
		},
		{
			Name: NCBI, Title: "NCBI", Status: "https://www.ncbi.nlm.nih.gov/Status/", Toolsets: []string{"genes", "articles"},
			URL:          func(cfg *config.Config) string { return cfg.EUtilsURL },
			Interval:     ncbiInterval,
			Latency:      latency,
			Tries:        func(cfg *config.Config) uint { return uint(cfg.NCBIRetries) + 1 },
			WantsContact: true,
			Key:          func(cfg *config.Config) string { return string(cfg.NCBIAPIKey) }, KeyVariable: "NCBI_API_KEY",
			Check:    entrez.Check,
			Identify: identifyToNCBI,
			Probe:    Probe{Path: "/einfo.fcgi?retmode=json", Read: readDatabases},
			Sandbox:  (*sandbox.Sandbox).EUtils,
		},
	}
}

// perSecond returns the time between two requests of so many per second.
func perSecond(rate float64) time.Duration { return time.Duration(float64(time.Second) / rate) }

func ncbiInterval(cfg *config.Config) (interval time.Duration, warning string) {
	interval, raised := cfg.NCBIInterval()
	if raised {
		warning = fmt.Sprintf("NCBI_REQUEST_DELAY_MS=%d is shorter than NCBI's limit allows and was not followed", cfg.NCBIDelay)
	}
	return interval, warning
}

// NCBITool returns the name that requests to NCBI are sent with.
func NCBITool(cfg *config.Config, version string) string {
	if cfg.NCBITool != "" {
		return cfg.NCBITool
	}
	return "biofact/" + version
}

func identifyToNCBI(cfg *config.Config, version string, next Doer) Doer {
	return &entrez.Identified{Next: next, Tool: NCBITool(cfg, version), Email: cfg.Contact, APIKey: string(cfg.NCBIAPIKey)}
}

// readVersion reads an answer of /version.
func readVersion(body []byte) (string, error) {
	var v struct {
		API  string `json:"apiVersion"`
		Data string `json:"dataTimestamp"`
	}
	if err := json.Unmarshal(body, &v); err != nil || v.API == "" {
		return "", errors.New("no version in the answer")
	}
	return fmt.Sprintf("API %s, data of %s", v.API, v.Data), nil
}

// readDatabases reads an answer of EInfo without a database.
func readDatabases(body []byte) (string, error) {
	var v struct {
		Info struct {
			Databases []string `json:"dblist"`
		} `json:"einforesult"`
	}
	if err := json.Unmarshal(body, &v); err != nil || len(v.Info.Databases) == 0 {
		return "", errors.New("no databases in the answer")
	}
	return fmt.Sprintf("E-utilities with %d databases", len(v.Info.Databases)), nil
}

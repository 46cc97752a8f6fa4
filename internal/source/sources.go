package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/sandbox"
)

// The names of the sources.
const (
	CTGov     = "ctgov"
	NCBI      = "ncbi"
	Datasets  = "datasets"
	IDConv    = "idconv"
	EuropePMC = "europepmc"
	OpenFDA   = "openfda"
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
			Tries:    func(*config.Config) uint { return 4 },
			Probe:    Probe{"/version", "version", "apiVersion", "API ${apiVersion}, data of ${dataTimestamp}"},
			Documents: []Document{
				{Name: CTGov, URL: "https://clinicaltrials.gov/api/oas/v2", Spec: "specs/clinicaltrials.yaml"},
			},
			Sandbox: (*sandbox.Sandbox).Trials,
		},
		{
			Name: NCBI, Title: "NCBI", Status: "https://www.ncbi.nlm.nih.gov/Status/", Toolsets: []string{"genes", "articles"},
			URL:          func(cfg *config.Config) string { return cfg.EUtilsURL },
			Interval:     ncbiInterval,
			Tries:        func(cfg *config.Config) uint { return uint(cfg.NCBIRetries) + 1 },
			WantsContact: true,
			Key:          func(cfg *config.Config) string { return string(cfg.NCBIAPIKey) }, KeyVariable: "NCBI_API_KEY",
			Check:    entrez.Check,
			Identify: identifyToNCBI,
			Probe: Probe{"/einfo.fcgi?retmode=json", "databases", "einforesult.dblist",
				"E-utilities with ${einforesult.dblist} databases"},
			Documents: ncbiDocuments(),
			Sandbox:   (*sandbox.Sandbox).EUtils,
		},
		{
			Name: Datasets, Title: "NCBI Datasets", Status: "https://www.ncbi.nlm.nih.gov/Status/", Toolsets: []string{"genes"},
			URL:      func(cfg *config.Config) string { return cfg.DatasetsURL },
			Interval: datasetsInterval,
			Tries:    func(cfg *config.Config) uint { return uint(cfg.NCBIRetries) + 1 },
			Key:      func(cfg *config.Config) string { return string(cfg.NCBIAPIKey) }, KeyVariable: "NCBI_API_KEY",
			Check:     checkDatasets,
			Identify:  keyForDatasets,
			Probe:     Probe{"/version", "version", "version", "Datasets ${version}"},
			Documents: []Document{{Name: Datasets, URL: datasetsDocument, Spec: "specs/datasets.yaml"}},
			Sandbox:   (*sandbox.Sandbox).Datasets,
		},
		idConverter(),
		europePMC(),
		openFDA(),
	}
}

// ncbiDocuments returns the answers of the E-utilities that name the DTDs of the records.
func ncbiDocuments() []Document {
	return []Document{
		{Name: "pubmed", URL: utilities + "efetch.fcgi?db=pubmed&id=32673060&retmode=xml", Spec: "specs/dtd/pubmed.yaml"},
		{Name: "gene", URL: "https://www.ncbi.nlm.nih.gov/data_specs/dtd/NCBI_Entrezgene.mod.dtd", Spec: "specs/dtd/gene.yaml"},
		{Name: "gene-summary", URL: utilities + "esummary.fcgi?db=gene&id=7157&version=2.0", Spec: "specs/dtd/gene-summary.yaml"},
		{Name: "clinvar", URL: utilities + "esummary.fcgi?db=clinvar&id=12375&version=2.0", Spec: "specs/dtd/clinvar.yaml"},
		{Name: "esearch", URL: utilities + "esearch.fcgi?db=pubmed&term=asthma&retmax=1", Spec: "specs/dtd/esearch.yaml"},
		{Name: "elink", URL: utilities + "elink.fcgi?dbfrom=pubmed&db=pubmed&id=32673060", Spec: "specs/dtd/elink.yaml"},
		{Name: "einfo", URL: utilities + "einfo.fcgi?db=pubmed&version=2.0", Spec: "specs/dtd/einfo.yaml"},
	}
}

// perSecond returns the time between two requests for a rate in requests per second.
func perSecond(rate float64) time.Duration { return time.Duration(float64(time.Second) / rate) }

func ncbiInterval(cfg *config.Config) (interval time.Duration, warning string) {
	interval, raised := cfg.NCBIInterval(cfg.EUtilsURL)
	if raised {
		warning = fmt.Sprintf("NCBI_REQUEST_DELAY_MS=%d is shorter than NCBI's limit allows and was replaced by the limit", cfg.NCBIDelay)
	}
	return interval, warning
}

// datasetsInterval returns the interval of NCBI. It returns no warning: ncbiInterval returns it once for all sources of NCBI.
func datasetsInterval(cfg *config.Config) (interval time.Duration, warning string) {
	interval, _ = cfg.NCBIInterval(cfg.DatasetsURL)
	return interval, ""
}

// NCBITool returns the tool name that requests to NCBI carry.
func NCBITool(cfg *config.Config, version string) string {
	return cmp.Or(cfg.NCBITool, "biofact/"+version)
}

func identifyToNCBI(cfg *config.Config, version string, next Doer) Doer {
	return &entrez.Identified{Next: next, Tool: NCBITool(cfg, version), Email: cfg.Contact, APIKey: string(cfg.NCBIAPIKey)}
}

// keyDoer sends requests with an API key in a header.
type keyDoer struct {
	next        Doer
	header, key string
}

// Do sends a copy of a request with the key.
func (k keyDoer) Do(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	out.Header.Set(k.header, k.key)
	return k.next.Do(out)
}

func keyForDatasets(cfg *config.Config, _ string, next Doer) Doer {
	if cfg.NCBIAPIKey == "" {
		return next
	}
	return keyDoer{next, "api-key", string(cfg.NCBIAPIKey)}
}

// checkDatasets returns an error for an answer of status 200 that is not a JSON object, or is a gRPC status.
func checkDatasets(resp *http.Response, body []byte) error {
	if resp.StatusCode != http.StatusOK {
		return nil
	}
	var status struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(body, &status); err != nil {
		return err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) { // null is not an empty page
		return errors.New("no JSON object")
	}
	if status.Code != 0 {
		return fmt.Errorf("code %d: %s", status.Code, status.Message)
	}
	return nil
}

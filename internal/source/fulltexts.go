package source

import (
	"bytes"
	"errors"
	"net/http"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/sandbox"
)

// idConvInterval returns the interval of NCBI. It returns no warning: ncbiInterval returns it once for all sources of NCBI.
func idConvInterval(cfg *config.Config) (interval time.Duration, warning string) {
	interval, _ = cfg.NCBIInterval(cfg.IDConvURL)
	return interval, ""
}

// identifyToIDConv adds the identity of the caller. The converter does not accept POST.
func identifyToIDConv(cfg *config.Config, version string, next Doer) Doer {
	return &entrez.Identified{Next: next, Tool: NCBITool(cfg, version), Email: cfg.Contact, GetOnly: true}
}

// checkEuropePMC returns an error for a full text that is cut off.
func checkEuropePMC(resp *http.Response, body []byte) error {
	body = bytes.TrimSpace(body)
	if resp.StatusCode == http.StatusOK && bytes.HasPrefix(body, []byte("<")) && !bytes.HasSuffix(body, []byte("</article>")) {
		return errors.New("the XML is incomplete")
	}
	return nil
}

// idConverter returns the description of the ID Converter of PubMed Central.
func idConverter() Source {
	return Source{
		Name: IDConv, Title: "PMC ID Converter", Status: "https://www.ncbi.nlm.nih.gov/Status/", Toolsets: []string{"articles"},
		URL:      func(cfg *config.Config) string { return cfg.IDConvURL },
		Interval: idConvInterval,
		Tries:    func(*config.Config) uint { return 2 }, // the E-utilities can convert ids as well
		Identify: identifyToIDConv,
		Probe:    Probe{"/?ids=23193287&idtype=pmid&format=json", "record", "records", "it converts ids"},
		Sandbox:  (*sandbox.Sandbox).IDConverter,
	}
}

// europePMC returns the description of Europe PMC.
func europePMC() Source {
	return Source{
		Name: EuropePMC, Title: "Europe PMC", Status: "https://europepmc.org/", Toolsets: []string{"articles"},
		URL:      func(cfg *config.Config) string { return cfg.EuropePMCURL },
		Interval: func(cfg *config.Config) (time.Duration, string) { return perSecond(cfg.EuropePMCRPS), "" },
		Tries:    func(*config.Config) uint { return 3 },
		Check:    checkEuropePMC,
		Probe: Probe{"/search?query=OPEN_ACCESS%3Ay&resultType=idlist&pageSize=1&format=json", "count", "hitCount",
			"API ${version}, ${hitCount} open full texts"},
		Sandbox: (*sandbox.Sandbox).EuropePMC,
	}
}

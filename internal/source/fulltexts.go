package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entrez"
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

// readConversion reads an answer of the ID converter.
func readConversion(body []byte) (string, error) {
	var v struct {
		Status  string            `json:"status"`
		Records []json.RawMessage `json:"records"`
	}
	if err := json.Unmarshal(body, &v); err != nil || v.Status != "ok" || len(v.Records) == 0 {
		return "", errors.New("no record in the answer")
	}
	return "it converts ids", nil
}

// checkEuropePMC returns an error for a full text that is cut off.
func checkEuropePMC(resp *http.Response, body []byte) error {
	body = bytes.TrimSpace(body)
	if resp.StatusCode == http.StatusOK && bytes.HasPrefix(body, []byte("<")) && !bytes.HasSuffix(body, []byte("</article>")) {
		return errors.New("the XML is incomplete")
	}
	return nil
}

// readHitCount reads an answer of a search at Europe PMC.
func readHitCount(body []byte) (string, error) {
	var v struct {
		Version string `json:"version"`
		Count   *int   `json:"hitCount"`
	}
	if err := json.Unmarshal(body, &v); err != nil || v.Count == nil {
		return "", errors.New("no count in the answer")
	}
	return fmt.Sprintf("API %s, %d open full texts", v.Version, *v.Count), nil
}

package openapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/cmd/internal/openfda"
)

// The limits of a download. The document of ClinicalTrials.gov has 80 kB. NCBI accepts three requests per second.
const (
	maxDocument = 16 << 20
	patience    = time.Minute
	pause       = 400 * time.Millisecond
)

// Read returns the structure of the document in a file or at a URL. An incomplete document is an error. An XML document stands for the DTD
// that it names, because the address of a DTD may change with each version. A folder, or a URL with a slash at its end, has the field
// documents of openFDA.
func Read(ctx context.Context, from string) ([]byte, error) {
	if from == "" {
		return nil, errors.New("name the official document: a file or a URL")
	}
	fetch := read
	if info, err := os.Stat(from); strings.HasSuffix(from, "/") || err == nil && info.IsDir() {
		fetch = func(ctx context.Context, from string) ([]byte, error) { return openfda.Document(ctx, from, read) }
	}
	document, err := fetch(ctx, from)
	if err != nil {
		return nil, err
	}
	if dtd := dtdOf(document); dtd != "" {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		from = dtd
		if document, err = read(ctx, from); err != nil {
			return nil, err
		}
	}
	var structure []byte
	if bytes.Contains(document, []byte("<!ELEMENT")) {
		structure, err = dtdStructure(path.Base(from), document)
	} else {
		structure, err = Structure(document)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	return structure, nil
}

func read(ctx context.Context, from string) ([]byte, error) {
	if !strings.HasPrefix(from, "https://") && !strings.HasPrefix(from, "http://") {
		return os.ReadFile(from)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s", from, resp.Status)
	}
	document, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	if len(document) > maxDocument { // truncated YAML can be valid YAML
		return nil, fmt.Errorf("%s has more than %d bytes", from, maxDocument)
	}
	return document, err
}

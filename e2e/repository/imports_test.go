package repository

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

const module = "github.com/biofact-mcp/biofact/"

// mayImport lists for each package of the project the packages that it may import. Data flows in one direction: cmd, then the server
// and the service, then the packages below them. The generator never imports generated code. Only internal/source, which lists the
// sources, internal/app and sourcetest import the sandbox. gen/{client}, internal/source/{source} and internal/sandbox/{source} are the
// packages in these folders that the list does not name.
var mayImport = map[string]string{
	"cmd/biofact": "cmd/biofact/internal/clients cmd/biofact/internal/display cmd/biofact/internal/doctor cmd/biofact/internal/metrics " +
		"cmd/biofact/internal/recordfile " +
		"gen/schemas gen/tools internal/app internal/auth internal/config " +
		"internal/contract internal/csvtable internal/entity internal/id internal/lazyregexp internal/logging internal/mcpserver " +
		"internal/mirror " +
		"internal/mirror/disk internal/mirror/history internal/mirror/stored internal/pages internal/service " +
		"internal/source internal/store internal/aact/engine internal/aact/export internal/aact/store internal/database internal/tool " +
		"internal/trials internal/trials/results internal/upstream internal/watch internal/web",
	"cmd/biofact/internal/clients": "",
	"cmd/biofact/internal/display": "gen/tools internal/csvtable internal/id internal/lazyregexp internal/ordered",
	"cmd/biofact/internal/doctor": "internal/config internal/entity internal/entrez internal/mirror internal/source internal/store " +
		"internal/aact/engine internal/aact/store internal/upstream",
	"cmd/biofact/internal/metrics":    "internal/entity internal/upstream",
	"cmd/biofact/internal/recordfile": "",
	"cmd/generate":                    "cmd/internal/coverage cmd/internal/toolgen internal/config",
	"cmd/generate/entities":           "",
	"cmd/internal/coverage":           "",
	"cmd/internal/drift":              "cmd/internal/openapi",
	"cmd/internal/openapi":            "cmd/internal/openfda",
	"cmd/internal/openfda":            "",
	"cmd/internal/toolgen":            "internal/entity internal/pages internal/query",
	"cmd/specs":                       "cmd/internal/openapi internal/source",
	"cmd/specs/drift": "cmd/internal/coverage cmd/internal/drift cmd/internal/openapi cmd/internal/toolgen gen/fields " +
		"gen/tools internal/mirror internal/query internal/source",
	"e2e":                  "",
	"e2e/evidence":         "",
	"e2e/repository":       "",
	"gen/fields":           "internal/mapping/articles internal/mapping/drugs internal/mapping/genes internal/mapping/trials",
	"gen/schemas":          "",
	"gen/study":            "",
	"gen/words":            "",
	"gen/tools":            "gen/{client} gen/schemas internal/entity internal/tool",
	"gen/{client}":         "",
	"internal/aact":        "internal/lazyregexp",
	"internal/aact/engine": "internal/aact internal/entity",
	"internal/aact/export": "internal/aact internal/aact/engine internal/aact/further internal/aact/parquet internal/aact/store " +
		"internal/csvtable internal/mirror/disk",
	"internal/aact/further": "gen/{client} internal/aact internal/entity internal/mapping/trials internal/trials/rows",
	"internal/aact/parquet": "internal/aact",
	"internal/aact/store":   "internal/aact internal/aact/further internal/aact/parquet internal/mirror/disk",
	"internal/app": "gen/tools internal/articles internal/config internal/mcpserver internal/mirror internal/sandbox internal/service " +
		"internal/database internal/source internal/source/{source} internal/sources internal/store internal/tool internal/upstream",
	"internal/articles": "gen/tools internal/citation internal/csvtable internal/entity internal/entrez internal/envelope internal/id " +
		"internal/lazyregexp internal/mapping/articles internal/mapping/fulltext internal/ranges internal/reference internal/source " +
		"internal/source/{source} internal/sources internal/tool internal/wording",
	"internal/auth":    "",
	"internal/boolean": "",
	"internal/check": "gen/tools gen/{client} internal/entity internal/envelope internal/id internal/lazyregexp internal/mapping/fulltext " +
		"internal/mapping/trials internal/ordered internal/query internal/reference internal/register internal/source " +
		"internal/source/{source} internal/sources internal/tool internal/trials/rows",
	"internal/citation": "internal/entity internal/lazyregexp",
	"internal/config":   "internal/lazyregexp internal/logging",
	"internal/contract": "gen/schemas gen/study",
	"internal/criteria": "",
	"internal/csvtable": "",
	"internal/database": "gen/tools internal/aact internal/aact/engine internal/aact/store internal/entity internal/mirror",
	"internal/drugs": "gen/tools internal/entity internal/envelope internal/id internal/lazyregexp internal/mapping/drugs internal/ranges " +
		"internal/source/{source} internal/sources internal/tool",
	"internal/entity":   "",
	"internal/entrez":   "internal/boolean internal/entity internal/lazyregexp internal/plaintext",
	"internal/envelope": "gen/tools internal/entity internal/entrez internal/id internal/lazyregexp internal/register internal/tool",
	"internal/expect":   "",
	"internal/genes": "gen/tools internal/entity internal/entrez internal/envelope internal/id internal/lazyregexp " +
		"internal/mapping/genes internal/source internal/source/{source} internal/sources internal/tool",
	"internal/geo":        "",
	"internal/id":         "gen/tools internal/lazyregexp",
	"internal/lazyregexp": "",
	"internal/logging":    "internal/entity",
	"internal/mapping/articles": "gen/{client} internal/entity internal/entrez internal/id internal/lazyregexp " +
		"internal/mapping/text internal/register",
	"internal/mapping/drugs":       "gen/{client} internal/entity internal/id internal/lazyregexp internal/mapping/text",
	"internal/mapping/fulltext":    "internal/entity internal/plaintext",
	"internal/mapping/genes":       "gen/{client} internal/entity internal/entrez internal/id internal/lazyregexp internal/mapping/text",
	"internal/mapping/mappingtest": "internal/contract internal/entity internal/expect",
	"internal/mapping/text":        "internal/entity internal/id internal/lazyregexp",
	"internal/mapping/trials": "gen/{client} internal/criteria internal/entity internal/id internal/lazyregexp internal/mapping/text " +
		"internal/query internal/register",
	"internal/mirror": "internal/geo internal/mirror/disk internal/mirror/feed internal/mirror/history internal/mirror/stored " +
		"internal/query internal/query/api internal/reply internal/upstream",
	"internal/mirror/disk":       "",
	"internal/mirror/history":    "internal/mirror/stored",
	"internal/mirror/feed":       "internal/mirror/stored internal/query internal/upstream",
	"internal/mirror/mirrortest": "internal/query",
	"internal/mirror/stored":     "internal/query",
	"internal/ordered":           "",
	"internal/pages":             "internal/ordered internal/tool",
	"internal/place":             "internal/entity internal/geo internal/lazyregexp",
	"internal/mcpserver":         "internal/entity internal/logging internal/pages internal/tool",
	"internal/plaintext":         "",
	"internal/ranges":            "internal/lazyregexp",
	"internal/reference":         "internal/entity internal/lazyregexp",
	"internal/register":          "internal/lazyregexp",
	"internal/research":          "gen/tools internal/entity internal/envelope internal/id internal/lazyregexp internal/ordered",
	"internal/query":             "internal/boolean internal/geo internal/lazyregexp internal/place internal/ranges",
	"internal/query/api":         "internal/query internal/reply",
	"internal/reply":             "",
	"internal/sandbox":           "internal/reply internal/sandbox/pmc internal/sandbox/records internal/sandbox/{source}",
	"internal/sandbox/{source}": "internal/lazyregexp internal/query internal/query/api internal/reply " +
		"internal/sandbox/pmc internal/sandbox/records",
	"internal/sandbox/pmc":     "internal/lazyregexp internal/reply internal/sandbox/records",
	"internal/sandbox/records": "",
	"internal/service": "gen/tools internal/articles internal/check internal/database internal/drugs internal/entity internal/genes internal/research " +
		"internal/sources internal/tool internal/trials",
	"internal/source": "internal/config internal/entity internal/entrez internal/sandbox internal/store internal/upstream",
	"internal/source/sourcetest": "internal/config internal/contract internal/entity internal/entrez internal/expect internal/mirror internal/query " +
		"internal/query/api internal/reply internal/sandbox " +
		"internal/source internal/source/{source} internal/sources internal/store internal/tool internal/upstream",
	"internal/source/{source}": "gen/{client} internal/entity internal/entrez internal/id internal/lazyregexp " +
		"internal/mapping/articles internal/mapping/drugs internal/mapping/fulltext internal/mapping/genes internal/mapping/text " +
		"internal/mapping/trials internal/mirror internal/mirror/history internal/mirror/stored internal/place internal/query " +
		"internal/ranges internal/register internal/source internal/store internal/upstream",
	"internal/sources": "internal/config internal/source internal/source/{source}",
	"internal/store":   "",
	"internal/tool":    "gen/words internal/entity internal/lazyregexp",
	"internal/trials": "gen/tools internal/entity internal/entrez internal/envelope internal/id internal/mapping/trials internal/place " +
		"internal/query internal/ranges internal/source internal/source/{source} internal/sources internal/tool " +
		"internal/trials/filters internal/trials/many internal/trials/match internal/trials/papers " +
		"internal/trials/results internal/wording",
	"internal/trials/filters": "gen/tools internal/entity internal/envelope internal/id internal/lazyregexp internal/mapping/trials " +
		"internal/place internal/query internal/ranges internal/register internal/source/{source} internal/tool",
	"internal/trials/many":   "internal/entity internal/envelope internal/id internal/tool",
	"internal/trials/papers": "internal/entity internal/query internal/wording",
	"internal/trials/match": "gen/tools internal/criteria internal/entity internal/envelope internal/id internal/lazyregexp " +
		"internal/mapping/trials internal/ranges",
	"internal/trials/results": "gen/tools internal/csvtable internal/entity internal/entrez internal/envelope internal/id " +
		"internal/lazyregexp internal/tool internal/trials/many internal/trials/rows",
	"internal/trials/rows": "internal/entity internal/lazyregexp",
	"internal/upstream":    "internal/entity internal/store",
	"internal/watch":       "internal/lazyregexp internal/mirror/disk internal/mirror/history internal/mirror/stored internal/query",
	"internal/web":         "internal/lazyregexp",
	"internal/wording":     "",
	"packaging":            "",
	"specs":                "",
}

// class returns the name of a package in the list.
func class(name string) string {
	if _, listed := mayImport[name]; listed {
		return name
	}
	switch path.Dir(name) {
	case "gen":
		return "gen/{client}"
	case "internal/source":
		return "internal/source/{source}"
	case "internal/sandbox":
		return "internal/sandbox/{source}"
	}
	return name
}

// only lists external packages that a single package of the project may import.
var only = map[string]string{
	"github.com/mark3labs/mcp-go":              "internal/mcpserver",
	"github.com/invopop/jsonschema":            "cmd/internal/toolgen",
	"github.com/getkin/kin-openapi":            "cmd/internal/coverage cmd/internal/toolgen",
	"github.com/spf13/cobra":                   "cmd/biofact",
	"github.com/cenkalti/backoff":              "internal/upstream",
	"github.com/golang-jwt/jwt":                "internal/auth",
	"github.com/MicahParks":                    "internal/auth",
	"github.com/prometheus":                    "cmd/biofact/internal/metrics",
	"github.com/redis/go-redis":                "internal/store",
	"github.com/rivo/uniseg":                   "cmd/biofact/internal/display",
	"github.com/parquet-go/parquet-go":         "internal/aact/parquet",
	"github.com/jackc/pgx":                     "internal/aact/engine",
	"github.com/gofrs/flock":                   "internal/aact/store",
	"github.com/santhosh-tekuri/jsonschema/v6": "",
	"github.com/oapi-codegen/oapi-codegen":     "",
}

func TestImports(t *testing.T) {
	var stderr bytes.Buffer
	list := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	list.Stderr = &stderr
	out, err := list.Output()
	expect.Must(t, err == nil, "go list: %v\n%s", err, stderr.String())
	seen := map[string]bool{}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := class(strings.TrimPrefix(p.ImportPath, module))
		seen[name] = true
		allowed, listed := mayImport[name]
		expect.That(t, listed, "package %s is not in the list", name)
		for _, imported := range p.Imports {
			if ours, ok := strings.CutPrefix(imported, module); ok && !slices.Contains(strings.Fields(allowed), class(ours)) {
				t.Errorf("%s imports %s, which it may not", name, ours)
			}
			for prefix, user := range only {
				expect.That(t, !strings.HasPrefix(imported, prefix) || slices.Contains(strings.Fields(user), name),
					"%s imports %s, which only %s may", name, imported, user)
			}
		}
	}
	for name := range mayImport {
		expect.That(t, seen[name], "the list names %s, which is not there", name)
	}
}

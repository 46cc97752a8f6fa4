package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"go/types"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/go/packages"

	"github.com/biofact-mcp/biofact/cmd/internal/drift"
	"github.com/biofact-mcp/biofact/cmd/internal/openapi"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/source"
)

func TestMain(m *testing.M) { expect.LongMain(m) }

var update = flag.Bool("update", false, "write the golden files")

const (
	root   = "../../.."
	corpus = "../../../../shared/corpus/ctgov/oas/ctg-oas-v2-"
)

func committed(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "specs/clinicaltrials.yaml"))
	expect.NoError(t, err)
	return string(text)
}

// save writes a document to a new file and returns its path.
func save(t *testing.T, document string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "oas.yaml")
	expect.NoError(t, os.WriteFile(file, []byte(document), 0o644))
	return file
}

// once replaces a text that must occur exactly once in the document.
func once(t *testing.T, document, old, now string) string {
	t.Helper()
	if n := strings.Count(document, old); n != 1 {
		t.Fatalf("%q occurs %d times", old, n)
	}
	return strings.Replace(document, old, now, 1)
}

// without removes the lines from one line up to another, which is kept.
func without(t *testing.T, document, from, to string) string {
	t.Helper()
	before, rest, found := strings.Cut(document, from)
	_, after, ends := strings.Cut(rest, to)
	expect.Must(t, found && ends, "%q or %q is not there", from, to)
	return before + to + after
}

var (
	all     = []string{"get_trial", "get_trial_locations", "search_trials"}
	records = []string{"get_trial", "get_trial_locations"}
	search  = []string{"search_trials"}
	none    = []string{}

	// A schema with another name is another Go type.
	renamedRecord = []drift.Change{
		{
			Path: "components.schemas.Study", Kind: drift.Removed, From: "object", Breaking: true, Why: "it is used, and was removed",
			Fields: below(""), Arguments: none, Tools: all,
		},
		{
			Path: "components.schemas.StudyList[]", Kind: drift.TypeChanged, From: "Study (object)", To: "Trial (object)", Breaking: true,
			Why: "it is used, and is read as the former type", Fields: none, Arguments: none, Tools: all,
		},
		{Path: "components.schemas.Trial", Kind: drift.Added, To: "object", Fields: none, Arguments: none, Tools: none},
		{
			Path: "paths./studies/{nctId}.get.responses.200.application/json", Kind: drift.TypeChanged, From: "Study (object)",
			To:     "Trial (object)",
			Fields: none, Arguments: none, Tools: none,
		},
	}
)

// official returns an official document.
func official(name string) source.Document {
	documents, err := source.Documents(name, "")
	if err != nil {
		panic(err)
	}
	return documents[0]
}

// registry returns the project of this repository and of the document of ClinicalTrials.gov.
var registry = sync.OnceValue(func() *project {
	known, err := readProject(root, official("ctgov"))
	if err != nil {
		panic(err)
	}
	return known
})

// below returns the fields of a study below a path that the tools of the tests return.
func below(path string) []string {
	var found []string
	for _, tool := range registry().use.Tools {
		if !slices.Contains(all, tool.Name) {
			continue
		}
		for _, field := range tool.Fields {
			if strings.HasPrefix(registry().use.Paths[field], path) {
				found = append(found, field)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// searched adds to changes the tools and commands that search a field in the mirror or in the sandbox.
func searched(changes []drift.Change) []drift.Change {
	out := slices.Clone(changes)
	for i, c := range out {
		out[i].Commands = none
		if slices.ContainsFunc(c.Fields, func(field string) bool { return slices.Contains(mirror.Pieces(), field) }) {
			out[i].Commands = []string{"biofact --sandbox", "biofact mirror"}
			out[i].Tools = slices.Compact(slices.Sorted(slices.Values(append([]string{"count_trials", "match_trials", "search_trials"}, c.Tools...))))
		}
	}
	return out
}

func TestDriftOfEditedCopies(t *testing.T) {
	t.Parallel()
	const (
		phases   = "        phases:\n          type: array\n          items:\n            $ref: '#/components/schemas/Phase'\n"
		citation = "        citation:\n          type: string\n        pmid:\n"
		count    = "        count:\n          type: integer\n        type:\n          $ref: '#/components/schemas/EnrollmentType'\n"
		pageSize = "            default: 10\n            minimum: 0\n"
		cond     = "        - name: query.cond\n          in: query\n          required: false\n          schema:\n            type: " +
			"string\n"
		needed = "        - name: apiKey\n          in: query\n          required: true\n          schema:\n            type: string\n"
		wished = "        - name: apiKey\n          in: query\n          required: false\n          schema:\n            type: string\n"
		title  = "        - name: query.titles\n          in: query\n"
		agg    = "        - name: aggFilters\n          in: query\n          required: false\n          schema:\n            type: string\n"
		ids    = "        - name: filter.ids\n          in: query\n          explode: false\n          required: false\n          " +
			"schema:\n            type: array\n            items:\n              type: string\n              pattern: " +
			"^[Nn][Cc][Tt]0*[1-9]\\d{0,7}$\n          style: pipeDelimited\n"
		studies = "paths./studies.get.parameters."
	)
	structure := committed(t)
	known := projectOf(t, []byte(structure))
	known.table = nil // other tests have the fields that the list leaves out
	for name, test := range map[string]struct {
		edit   func(t *testing.T, document string) string
		status int
		want   []drift.Change
	}{
		"nothing": {
			func(_ *testing.T, d string) string { return d }, unchanged, []drift.Change{},
		},
		"the version alone": {
			func(t *testing.T, d string) string { return once(t, d, "\n  version: 2.0.5", "\n  version: 2.0.6") }, harmless,
			[]drift.Change{{
				Path: "info.version", Kind: drift.Changed, From: "2.0.5", To: "2.0.6", Fields: none, Arguments: none, Tools: none,
			}},
		},
		"a mapped property gone": {
			func(t *testing.T, d string) string { return once(t, d, phases, "") }, breaking,
			[]drift.Change{{
				Path: "components.schemas.DesignModule.phases", Kind: drift.Removed, From: "array", Breaking: true,
				Why: "it is used, and was removed", Fields: []string{"Phase"}, Arguments: none, Tools: all,
			}},
		},
		"a section gone that mapped fields are in": {
			func(t *testing.T, d string) string {
				return once(t, d, "        derivedSection:\n          $ref: '#/components/schemas/DerivedSection'\n", "")
			}, breaking,
			[]drift.Change{{
				Path: "components.schemas.Study.derivedSection", Kind: drift.Removed, From: "DerivedSection (object)", Breaking: true,
				Why: "it is used, and was removed", Fields: below("derivedSection"), Arguments: none, Tools: all,
			}},
		},
		"a property gone inside a mapped group": {
			func(t *testing.T, d string) string {
				const last = "        timeFrame:\n          type: string\n    OutcomeMeasure:\n"
				return once(t, d, last, "    OutcomeMeasure:\n")
			}, breaking,
			[]drift.Change{{
				Path: "components.schemas.Outcome.timeFrame", Kind: drift.Removed, From: "string", Breaking: true,
				Why: "it is used, and was removed", Fields: []string{"OtherOutcomeTimeFrame", "PrimaryOutcomeTimeFrame",
					"SecondaryOutcomeTimeFrame"}, Arguments: none, Tools: records,
			}},
		},
		"a record of another name": {
			func(_ *testing.T, d string) string {
				d = strings.ReplaceAll(d, "schemas/Study'", "schemas/Trial'")
				return strings.Replace(d, "\n    Study:\n", "\n    Trial:\n", 1)
			}, breaking, renamedRecord,
		},
		"a property gone that the mirror reads": {
			func(t *testing.T, d string) string {
				const ancestors = "        ancestors:\n          type: array\n"
				return once(t, d, ancestors, strings.Replace(ancestors, "ancestors", "parents", 1))
			}, breaking,
			[]drift.Change{{
				Path: "components.schemas.BrowseModule.ancestors", Kind: drift.Removed, From: "array", Breaking: true,
				Why: "it is used, and was removed", Fields: []string{"ConditionAncestorTerm", "InterventionAncestorTerm"},
				Arguments: none, Tools: none,
			}, {
				Path: "components.schemas.BrowseModule.parents", Kind: drift.Added, To: "array", Fields: none, Arguments: none, Tools: none,
			}},
		},
		"an unmapped property gone": {
			func(t *testing.T, d string) string {
				return once(t, d, "        asFound:\n          type: string\n", "")
			}, harmless,
			[]drift.Change{{
				Path: "components.schemas.BrowseLeaf.asFound", Kind: drift.Removed, From: "string",
				Fields: none, Arguments: none, Tools: none,
			}},
		},
		"a property more": {
			func(t *testing.T, d string) string {
				return once(t, d, citation, "        doi:\n          type: string\n"+citation)
			}, harmless,
			[]drift.Change{{
				Path: "components.schemas.Reference.doi", Kind: drift.Added, To: "string",
				Fields: none, Arguments: none, Tools: none,
			}},
		},
		"a mapped property of another type": {
			func(t *testing.T, d string) string {
				return once(t, d, count, strings.Replace(count, "integer", "string", 1))
			}, breaking,
			[]drift.Change{{
				Path: "components.schemas.EnrollmentInfo.count", Kind: drift.TypeChanged, From: "integer", To: "string", Breaking: true,
				Why: "it is used, and is read as the former type", Fields: []string{"EnrollmentCount"}, Arguments: none,
				Tools: all,
			}},
		},
		"a list of a mapped property that is one value": {
			func(t *testing.T, d string) string {
				return once(t, d, phases, "        phases:\n          $ref: '#/components/schemas/Phase'\n")
			}, breaking,
			[]drift.Change{{
				Path: "components.schemas.DesignModule.phases", Kind: drift.TypeChanged, From: "array",
				To: "Phase (string with known values)", Breaking: true,
				Why: "it is used, and is read as the former type", Fields: []string{"Phase"}, Arguments: none, Tools: all,
			}},
		},
		"an unmapped property of another type": {
			func(t *testing.T, d string) string {
				return once(t, d, "        abbrev:\n          type: string\n", "        abbrev:\n          type: integer\n")
			}, harmless,
			[]drift.Change{{
				Path: "components.schemas.BrowseBranch.abbrev", Kind: drift.TypeChanged, From: "string", To: "integer",
				Fields: none, Arguments: none, Tools: none,
			}},
		},
		"a mapped property of another format": {
			func(t *testing.T, d string) string {
				const date = "    DateStruct:\n      type: object\n      properties:\n        date:\n          type: string\n          " +
					"format: date"
				return once(t, d, date+"\n", date+"-time\n")
			}, breaking,
			[]drift.Change{{
				Path: "components.schemas.DateStruct.date", Kind: drift.FormatChanged, From: "date", To: "date-time", Breaking: true,
				Why: "it is used, and is read as the former type",
				Fields: []string{"DispFirstPostDate", "FirstMCPPostDate", "LastUpdatePostDate", "ResultsFirstPostDate",
					"StudyFirstPostDate"}, Arguments: none, Tools: all,
			}},
		},
		"a mapped number that every record has": {
			func(t *testing.T, d string) string {
				return once(t, d, count, count+"      required:\n        - count\n")
			}, breaking,
			[]drift.Change{{
				Path: "components.schemas.EnrollmentInfo.count", Kind: drift.MadeRequired, Breaking: true,
				Why: "it is used, and the generated field gains or loses its pointer", Fields: []string{"EnrollmentCount"}, Arguments: none,
				Tools: all,
			}},
		},
		"a value more": {
			func(t *testing.T, d string) string {
				return once(t, d, "        - PHASE4\n", "        - PHASE4\n        - OF_A_TEST\n")
			}, harmless,
			[]drift.Change{{
				Path: "components.schemas.Phase", Kind: drift.EnumValueAdded, To: "OF_A_TEST",
				Why: "known values are open: a new one is passed on", Fields: []string{"Phase"}, Arguments: []string{"search_trials.phase"},
				Tools: all,
			}},
		},
		"a value gone": {
			func(t *testing.T, d string) string { return once(t, d, "        - WITHHELD\n", "") }, harmless,
			[]drift.Change{{
				Path: "components.schemas.Status", Kind: drift.EnumValueRemoved, From: "WITHHELD",
				Why:    "the value stays known until the next make generate",
				Fields: []string{"LastKnownStatus", "OverallStatus"}, Arguments: []string{"search_trials.status"}, Tools: all,
			}},
		},
		"a value gone that nothing reads": {
			func(t *testing.T, d string) string { return once(t, d, "        - GT60\n", "") }, harmless,
			[]drift.Change{{
				Path: "components.schemas.AgreementRestrictionType", Kind: drift.EnumValueRemoved, From: "GT60",
				Fields: none, Arguments: none, Tools: none,
			}},
		},
		"the path of the tools gone": {
			func(t *testing.T, d string) string { return without(t, d, "  /studies:\n", "  /studies/enums:\n") }, breaking,
			[]drift.Change{{
				Path: "paths./studies", Kind: drift.PathRemoved, From: "listStudies", Breaking: true, Why: "it is called", Fields: none,
				Arguments: []string{
					"search_trials.condition", "search_trials.intervention", "search_trials.lead_sponsor", "search_trials.location",
					"search_trials.outcome", "search_trials.page_size",
					"search_trials.query", "search_trials.sponsor", "search_trials.status", "search_trials.title",
				},
				Tools: all,
			}},
		},
		"a path gone that the service calls for all tools": {
			func(t *testing.T, d string) string { return without(t, d, "  /version:\n", "components:\n") }, breaking,
			[]drift.Change{{
				Path: "paths./version", Kind: drift.PathRemoved, From: "version", Breaking: true, Why: "it is called", Fields: none,
				Arguments: none, Tools: all,
			}},
		},
		"a path gone that nothing calls": {
			func(t *testing.T, d string) string { return without(t, d, "  /stats/size:\n", "  /studies:\n") }, harmless,
			[]drift.Change{{Path: "paths./stats/size", Kind: drift.PathRemoved, From: "sizeStats", Fields: none, Arguments: none,
				Tools: none}},
		},
		"a path more": {
			func(t *testing.T, d string) string {
				return once(t, d, "paths:\n", "paths:\n  /news:\n    get:\n      operationId: news\n      responses:\n        "+
					"\"200\":\n          description: OK\n")
			}, harmless,
			[]drift.Change{{Path: "paths./news", Kind: drift.PathAdded, To: "news", Fields: none, Arguments: none, Tools: none}},
		},
		"an operation of another name": {
			func(t *testing.T, d string) string {
				return once(t, d, "operationId: listStudies", "operationId: searchStudies")
			}, breaking,
			[]drift.Change{{
				Path: "paths./studies.get", Kind: drift.OperationRenamed, From: "listStudies", To: "searchStudies", Breaking: true,
				Why: "the client and tools.yaml call it by this name", Fields: none, Arguments: none, Tools: all,
			}},
		},
		"another text about a parameter": {
			func(t *testing.T, d string) string {
				return once(t, d, pageSize+"          x-prose: h", pageSize+"          x-prose: h0")
			}, harmless,
			[]drift.Change{{
				Path: studies + "pageSize", Kind: drift.ProseChanged, Why: "its text changed: read it",
				Fields: none, Arguments: []string{"search_trials.page_size"}, Tools: all,
			}},
		},
		"another text about an operation that nothing calls": {
			func(_ *testing.T, d string) string {
				i := strings.Index(d, "operationId: sizeStats")
				return d[:i] + strings.Replace(d[i:], "x-prose: h", "x-prose: h0", 1)
			}, unchanged, []drift.Change{},
		},
		"a parameter of an argument gone": {
			func(t *testing.T, d string) string { return once(t, d, cond, "") }, breaking,
			[]drift.Change{{
				Path: studies + "query.cond", Kind: drift.ParameterRemoved, From: "query, string", Breaking: true, Why: "it is sent",
				Fields: none, Arguments: []string{"search_trials.condition"}, Tools: search,
			}},
		},
		"a parameter gone that the service fills": {
			func(t *testing.T, d string) string { return once(t, d, ids, "") }, breaking,
			[]drift.Change{{
				Path: studies + "filter.ids", Kind: drift.ParameterRemoved, From: "query, array", Breaking: true, Why: "it is sent",
				Fields: none, Arguments: none, Tools: all,
			}},
		},
		"a parameter gone that nothing sends": {
			func(t *testing.T, d string) string { return once(t, d, agg, "") }, harmless,
			[]drift.Change{{
				Path: studies + "aggFilters", Kind: drift.ParameterRemoved, From: "query, string", Fields: none, Arguments: none,
				Tools: none,
			}},
		},
		"a required parameter more": {
			func(t *testing.T, d string) string { return once(t, d, cond, needed+cond) }, breaking,
			[]drift.Change{{
				Path: studies + "apiKey", Kind: drift.ParameterAdded, To: "query, string, required", Breaking: true,
				Why: "it is required, and nothing sends it", Fields: none, Arguments: none, Tools: all,
			}},
		},
		"an optional parameter more": {
			func(t *testing.T, d string) string { return once(t, d, cond, wished+cond) }, harmless,
			[]drift.Change{{Path: studies + "apiKey", Kind: drift.ParameterAdded, To: "query, string", Fields: none, Arguments: none,
				Tools: none}},
		},
		"a new required parameter of an unused operation": {
			func(t *testing.T, d string) string {
				return once(t, d, "operationId: sizeStats\n      parameters: []\n", "operationId: sizeStats\n      parameters:\n"+needed)
			}, harmless,
			[]drift.Change{{
				Path: "paths./stats/size.get.parameters.apiKey", Kind: drift.ParameterAdded, To: "query, string, required", Fields: none,
				Arguments: none, Tools: none,
			}},
		},
		"a parameter that is required now": {
			func(t *testing.T, d string) string {
				return once(t, d, title+"          required: false\n", title+"          required: true\n")
			}, breaking,
			[]drift.Change{{
				Path: studies + "query.titles", Kind: drift.ParameterRequired, Breaking: true, Why: "a request may not have it",
				Fields: none, Arguments: none, Tools: all,
			}},
		},
		"a smaller page at most": {
			func(t *testing.T, d string) string {
				return once(t, d, pageSize, "            default: 10\n            maximum: 100\n            minimum: 0\n")
			}, breaking,
			[]drift.Change{{
				Path: studies + "pageSize", Kind: drift.LimitChanged, To: "maximum: 100", Breaking: true,
				Why:    "a request that was accepted may now be refused",
				Fields: none, Arguments: []string{"search_trials.page_size"}, Tools: all,
			}},
		},
		"a limit less": {
			func(t *testing.T, d string) string { return once(t, d, pageSize, "            default: 10\n") }, harmless,
			[]drift.Change{{
				Path: studies + "pageSize", Kind: drift.LimitChanged, From: "minimum: 0",
				Why:    "every request that was accepted is still accepted",
				Fields: none, Arguments: []string{"search_trials.page_size"}, Tools: all,
			}},
		},
		"another pattern of a request": {
			func(t *testing.T, d string) string {
				return once(t, d, ids, strings.Replace(ids, "^[Nn][Cc][Tt]", "^NCT", 1))
			}, breaking,
			[]drift.Change{{
				Path: studies + "filter.ids[]", Kind: drift.PatternChanged, From: `^[Nn][Cc][Tt]0*[1-9]\d{0,7}$`, To: `^NCT0*[1-9]\d{0,7}$`,
				Breaking: true,
				Why:      "a request that was accepted may now be refused", Fields: none, Arguments: none, Tools: all,
			}},
		},
		"another pattern of an answer": {
			func(t *testing.T, d string) string {
				const age = "        minimumAge:\n          type: string\n          pattern: ^\\d+ ("
				return once(t, d, age+"Year|", age+"Decade|Year|")
			}, harmless,
			[]drift.Change{{
				Path: "components.schemas.EligibilityModule.minimumAge", Kind: drift.PatternChanged,
				From: `^\d+ (Year|Years|Month|Months|Week|Weeks|Day|Days|Hour|Hours|Minute|Minutes)$`,
				To:   `^\d+ (Decade|Year|Years|Month|Months|Week|Weeks|Day|Days|Hour|Hours|Minute|Minutes)$`,
				Why:  "answers are read without checking it", Fields: []string{"MinimumAge"}, Arguments: none, Tools: all,
			}},
		},
		"another default of an unsent parameter": {
			func(t *testing.T, d string) string {
				const sort = "            default: func:exp,scale:"
				return once(t, d, sort+"300mi", sort+"100mi")
			}, breaking,
			[]drift.Change{{
				Path: studies + "geoDecay", Kind: drift.DefaultChanged, From: "func:exp,scale:300mi,offset:0mi,decay:0.5",
				To:       "func:exp,scale:100mi,offset:0mi,decay:0.5",
				Breaking: true, Why: "the parameter is not sent, so that a request now means something else", Fields: none, Arguments: none,
				Tools: all,
			}},
		},
		"another default of a sent parameter": {
			func(t *testing.T, d string) string {
				return once(t, d, pageSize, "            default: 20\n            minimum: 0\n")
			}, harmless,
			[]drift.Change{{
				Path: studies + "pageSize", Kind: drift.DefaultChanged, From: "10", To: "20", Why: "it is sent with another value",
				Fields: none, Arguments: []string{"search_trials.page_size"}, Tools: all,
			}},
		},
		"a list that is written another way": {
			func(t *testing.T, d string) string {
				return once(t, d, ids, strings.Replace(ids, "style: pipeDelimited", "style: form", 1))
			}, breaking,
			[]drift.Change{{
				Path: studies + "filter.ids", Kind: drift.Changed, From: "style: pipeDelimited", To: "style: form", Breaking: true,
				Why: "it is used, and the effect on it cannot be judged", Fields: none, Arguments: none, Tools: all,
			}},
		},
		"a part of the page gone": {
			func(t *testing.T, d string) string {
				return once(t, d, "        nextPageToken:\n          type: string\n", "")
			}, breaking,
			[]drift.Change{{
				Path: "components.schemas.PagedStudies.nextPageToken", Kind: drift.Removed, From: "string", Breaking: true,
				Why: "it is used, and was removed", Fields: none, Arguments: none, Tools: all,
			}},
		},
		"another address": {
			func(t *testing.T, d string) string { return once(t, d, "gov/api/v2", "gov/api/v3") }, breaking,
			[]drift.Change{
				{
					Path: "servers", Kind: drift.Removed, From: "https://clinicaltrials.gov/api/v2", Breaking: true,
					Why: "the upstream may stop serving this address", Fields: none, Arguments: none, Tools: all,
				},
				{Path: "servers", Kind: drift.Added, To: "https://clinicaltrials.gov/api/v3", Fields: none, Arguments: none, Tools: none},
			},
		},
		"a key": {
			func(t *testing.T, d string) string { return once(t, d, "paths:\n", "security:\n  - key: []\npaths:\n") }, breaking,
			[]drift.Change{{
				Path: "security", Kind: drift.Changed, To: "[{key: []}]", Breaking: true, Why: "requests have no key",
				Fields: none, Arguments: none, Tools: all,
			}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, stdout := reported(t, known, save(t, test.edit(t, structure)))
			expect.Is(t, statusOf([]*drift.Report{&report}), test.status, "status")
			expect.Equal(t, "changes", searched(test.want), report.Changes)
			expect.That(t, report.Breaking == (test.status == breaking), "the report says breaking: %v", report.Breaking)
			for _, c := range report.Changes {
				expect.That(t, strings.Contains(stdout, "- `"+c.Path+"` **"+string(c.Kind)+"**"),
					"the text does not report %s of %s:\n%s", c.Kind, c.Path, stdout)
			}
			expect.That(t, len(report.Changes) != 0 || strings.Contains(stdout, "Nothing changed."),
				"the text does not say that nothing changed:\n%s", stdout)
		})
	}
}

// TestDriftOfDatasets checks that the report on an edited document of NCBI Datasets names the tools and fields concerned.
func TestDriftOfDatasets(t *testing.T) {
	t.Parallel()
	known, err := readProject(root, official("datasets"))
	expect.NoError(t, err)
	const (
		ids = "v2reportsGeneSummary'\n        swiss_prot_accessions:\n          type: array\n          items:\n         " +
			"   type: string\n        symbol:\n"
		category            = "        select_category:\n          $ref: '#/components/schemas/v2reportsTranscriptSelectCategory'\n"
		begin               = "    v2reportsRange:\n      type: object\n      properties:\n        begin:\n          type: string\n"
		orthologs, products = "get_gene_orthologs", "get_gene_transcripts"
		filter              = "        - name: taxon_filter\n"
		tag                 = "        locus_tag:\n          type: string\n        map_locations:\n"
	)
	for name, test := range map[string]struct {
		old, now string
		want     drift.Change
	}{
		"ids gone": {ids, "v2reportsGeneSummary'\n        symbol:\n", drift.Change{
			Path: "components.schemas.v2reportsGeneDescriptor.swiss_prot_accessions", Kind: drift.Removed, From: "array", Breaking: true,
			Why: "it is used, and was removed", Fields: []string{"gene.swiss_prot_accessions"}, Arguments: none, Tools: []string{orthologs},
		}},
		"a category gone": {category, "", drift.Change{
			Path: "components.schemas.v2reportsTranscript.select_category", Kind: drift.Removed,
			From: "v2reportsTranscriptSelectCategory (string with known values)", Breaking: true,
			Why: "it is used, and was removed", Fields: []string{"product.transcripts.select_category"}, Arguments: none,
			Tools: []string{products},
		}},
		"positions of another type": {begin, strings.Replace(begin, "string", "integer", 1), drift.Change{
			Path: "components.schemas.v2reportsRange.begin", Kind: drift.TypeChanged, From: "string of format uint64",
			To: "integer of format uint64", Breaking: true,
			Why: "it is used, and is read as the former type", Fields: []string{
				"gene.annotations.genomic_locations.genomic_range.begin", "product.transcripts.cds.range.begin",
				"product.transcripts.genomic_locations.exons.begin", "product.transcripts.genomic_locations.genomic_range.begin",
			}, Arguments: none, Tools: []string{orthologs, products},
		}},
		"a parameter of another name": {filter, strings.Replace(filter, "taxon_filter", "taxa", 1), drift.Change{
			Path: "paths./gene/id/{gene_id}/orthologs.get.parameters.taxon_filter", Kind: drift.ParameterRemoved, From: "query, array",
			Breaking: true,
			Why:      "it is sent", Fields: none, Arguments: none, Tools: []string{orthologs},
		}},
		"a property gone that nothing reads": {tag, "        map_locations:\n", drift.Change{
			Path: "components.schemas.v2reportsGeneDescriptor.locus_tag", Kind: drift.Removed, From: "string", Fields: none,
			Arguments: none, Tools: none,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, _ := reported(t, known, save(t, once(t, string(known.structure), test.old, test.now)))
			expect.Must(t, len(report.Changes) > 0, "no change")
			test.want.Commands = none
			expect.Equal(t, "the first change", test.want, report.Changes[0])
		})
	}
}

// TestDriftOfReplies reports on edited structures of NCBI's DTDs. The committed structures have not changed, and are those of the DTDs.
func TestDriftOfReplies(t *testing.T) {
	t.Parallel()
	const title = "components.schemas.Article.ArticleTitle"
	articles := []string{"check_text", "fetchArticleDetails", "getArticleFullText", "getArticleRelationships", "matchCitations"}
	for _, test := range []struct {
		name, old, now string
		status         int
		want           drift.Change
	}{
		{"pubmed", "ArticleTitle", "TitleOfArticle", breaking, drift.Change{Path: title, Kind: drift.Removed, From: "ArticleTitle (object)",
			Breaking: true, Why: "it is used, and was removed", Tools: articles}},
		{"pubmed", "        Abstract:\n          $ref: '#/components/schemas/Abstract'\n",
			"        Abstract:\n          type: array\n          items:\n            $ref: '#/components/schemas/Abstract'\n", breaking,
			drift.Change{Path: "components.schemas.Article.Abstract", Kind: drift.TypeChanged, From: "Abstract (object)", To: "array",
				Breaking: true, Why: "it is used, and is read as the former type", Tools: articles}},
		{"pubmed", "'@AutoHM'", "'@Machine'", harmless, drift.Change{Path: "components.schemas.DescriptorName.@AutoHM", Kind: drift.Removed,
			From: "string with known values", Tools: none}},
		{"gene", "Gene-commentary_heading", "Gene-commentary_head", breaking, drift.Change{
			Path: "components.schemas.Gene-commentary.Gene-commentary_heading", Kind: drift.Removed,
			From: "Gene-commentary_heading (string)", Breaking: true, Why: "it is used, and was removed",
			Tools: []string{"get_gene", "search_genes"}}},
		{"gene-summary", "DocumentSummary", "Summary", breaking, drift.Change{
			Path: "components.schemas.DocumentSummary", Kind: drift.Removed, From: "object", Breaking: true,
			Why:   "it is used, and was removed",
			Tools: []string{"get_gene", "get_gene_orthologs", "get_gene_transcripts", "get_gene_variants", "get_pubmed_links", "search_genes"}}},
		{"clinvar", "germline_classification", "germline_class", breaking, drift.Change{
			Path: "components.schemas.DocumentSummary.germline_classification", Kind: drift.Removed,
			From: "germline_classification (object)", Breaking: true, Why: "it is used, and was removed",
			Tools: []string{"get_gene", "get_gene_orthologs", "get_gene_transcripts", "get_gene_variants", "get_pubmed_links", "search_genes"}}},
		{"einfo", "LastUpdate", "Updated", breaking, drift.Change{
			Path: "components.schemas.DbInfo.LastUpdate", Kind: drift.Removed, From: "LastUpdate (string)", Breaking: true,
			Why: "it is used, and was removed", Tools: []string{"pubmed-connect://stats/pubmed"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join(root, official(test.name).Spec))
			expect.NoError(t, err)
			file, out := save(t, strings.ReplaceAll(string(text), test.old, test.now)), filepath.Join(t.TempDir(), "drift.json")
			var stdout, stderr bytes.Buffer
			status := run(t.Context(), root, []string{"-source", test.name, "-from", file, "-json", out}, &stdout, &stderr)
			expect.Must(t, status == test.status && stderr.Len() == 0, "status %d; %s", status, &stderr)
			test.want.Fields, test.want.Arguments, test.want.Commands = none, none, none
			expect.Equal(t, "the first change", test.want, readReport(t, out).Changes[0])
		})
	}
}

// TestNothingChanged: a committed structure compared with itself.
func TestNothingChanged(t *testing.T) {
	t.Parallel()
	documents, err := source.Documents("", "")
	expect.NoError(t, err)
	for _, d := range documents {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), root, []string{"-source", d.Name, "-from", filepath.Join(root, d.Spec)}, &stdout, &stderr)
		expect.That(t, status == unchanged && strings.HasSuffix(stdout.String(), "\nNothing changed.\n"), "%s: %d %s%s", d.Name, status,
			&stdout, &stderr)
	}
}

// TestCommittedReplies: the committed structures are those of NCBI's DTDs.
func TestCommittedReplies(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"pubmed": "pubmed_250101", "gene": "NCBI_Entrezgene.mod", "gene-summary": "esummary_gene", "clinvar": "esummary_clinvar",
		"esearch": "esearch", "elink": "elink", "einfo": "einfo",
	} {
		structure, err := openapi.Read(t.Context(), expect.Corpus(t, "dtd/"+file+".dtd", "NCBI's DTDs are not embedded"))
		expect.NoError(t, err)
		committed, err := os.ReadFile(filepath.Join(root, official(name).Spec))
		expect.NoError(t, err)
		expect.Equal(t, name, string(committed), string(structure))
	}
}

// reported compares what is known with a document. It returns the report as a reader of its JSON sees it, and as Markdown.
func reported(t *testing.T, known *project, from string) (report drift.Report, markdown string) {
	t.Helper()
	made, err := known.compare(t.Context(), from)
	expect.NoError(t, err)
	file := filepath.Join(t.TempDir(), "drift.json")
	expect.NoError(t, writeJSON(file, []*drift.Report{made}))
	return readReport(t, file), made.Markdown()
}

// readReport reads the JSON of a report. It accepts no other members.
func readReport(t *testing.T, file string) (report drift.Report) {
	t.Helper()
	text, err := os.ReadFile(file)
	expect.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	expect.NoError(t, decoder.Decode(&report))
	return report
}

// tried matches a row of the changes to try in the guide: the change, its edit, the exit status, and a part of the report.
var tried = regexp.MustCompile("(?m)^\\| (.+) \\| `s/((?:[^/`]|\\\\/)+)/((?:[^/`]|\\\\/)+)/` \\| (\\d) \\| (.+) \\|$")

// TestCommand runs the command on the changes to try of docs/regenerate.md. Both forms of its report say the same, and its status says
// whether a change breaks something.
func TestCommand(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join(root, "docs/regenerate.md"))
	expect.NoError(t, err)
	rows := tried.FindAllStringSubmatch(string(guide), -1)
	expect.Must(t, len(rows) == 7, "%d changes to try, want 7", len(rows))
	for _, row := range rows {
		t.Run(row[1], func(t *testing.T) {
			t.Parallel()
			edited := regexp.MustCompile("(?m)"+row[2]).ReplaceAllString(committed(t), strings.NewReplacer(`\n`, "\n", `\/`, "/").Replace(row[3]))
			file, out := save(t, edited), filepath.Join(t.TempDir(), "drift.json")
			var stdout, stderr bytes.Buffer
			status := run(t.Context(), root, []string{"-source", "ctgov", "-from", file, "-json", out}, &stdout, &stderr)
			expect.That(t, strconv.Itoa(status) == row[4] && stderr.Len() == 0, "status %d, want %s; stderr %q", status, row[4], &stderr)
			report := readReport(t, out)
			expect.That(t, stdout.String() == report.Markdown() && strings.Contains(stdout.String(), strings.TrimPrefix(row[5], "`")),
				"%d changes:\n%s", len(report.Changes), &stdout)
		})
	}
}

// projectOf returns the project of the repository of rootOf.
func projectOf(t *testing.T, structure []byte) *project {
	t.Helper()
	known, err := readProject(rootOf(t, structure), official("ctgov"))
	expect.NoError(t, err)
	return known
}

// rootOf returns a repository whose committed structure has another version.
func rootOf(t *testing.T, structure []byte) string {
	t.Helper()
	to := t.TempDir()
	put(t, to, "tools.yaml", threeTools(t))
	put(t, to, "words.yaml", []byte("hosts: []\n"))
	put(t, to, "prompts.yaml", []byte("[]\n"))
	for _, name := range []string{"specs/clinicaltrials.codegen.yaml", "specs/eutils.yaml", "README.md",
		"internal/mapping/trials/trials.tsv"} {
		content, err := os.ReadFile(filepath.Join(root, name))
		expect.NoError(t, err)
		put(t, to, name, content)
	}
	put(t, to, "specs/clinicaltrials.yaml", structure)
	return to
}

// threeTools returns a tools.yaml with only the tools that the tests use, without prompts and references to other tools.
func threeTools(t *testing.T) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "tools.yaml"))
	expect.NoError(t, err)
	var tools []map[string]any
	expect.NoError(t, yaml.Unmarshal(content, &tools))
	tools = slices.DeleteFunc(tools, func(entry map[string]any) bool {
		name, isTool := entry["name"].(string)
		return isTool && !slices.Contains(all, name) || entry["prompt"] != nil
	})
	for _, entry := range tools {
		delete(entry, "elsewhere")
		if upstreams, several := entry["upstream"].([]any); several {
			entry["upstream"] = slices.DeleteFunc(upstreams, func(u any) bool { return !strings.HasPrefix(u.(string), "ctgov.") })
		}
		arguments, _ := entry["args"].([]any)
		for _, argument := range arguments {
			if fields, ok := argument.(map[string]any); ok {
				delete(fields, "elsewhere")
			}
		}
	}
	content, err = yaml.Marshal(tools)
	expect.NoError(t, err)
	return content
}

func put(t *testing.T, root, name string, content []byte) {
	t.Helper()
	path := filepath.Join(root, name)
	expect.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	expect.NoError(t, os.WriteFile(path, content, 0o644))
}

func TestDriftBetweenOfficialDocuments(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ from, to string }{
		"forward":   {"2.0.3-2025-06.yaml", "2.0.5.yaml"},
		"in JSON":   {"2.0.3-2025-06.yaml", "2.0.5.json"},
		"backward":  {"2.0.5.yaml", "2.0.3-2025-06.yaml"},
		"unchanged": {"2.0.5.yaml", "2.0.5.json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, err := os.ReadFile(corpus + test.from)
			if err != nil {
				t.Skipf("the corpus is not here: %v", err)
			}
			structure, err := openapi.Structure(before)
			expect.NoError(t, err)
			report, stdout := reported(t, projectOf(t, structure), corpus+test.to)
			// a number became an integer; the mapper accepts both
			expect.Is(t, report.Breaking, test.from[:5] != test.to[:5], "the report says breaking")
			golden := "testdata/" + test.from[:5] + "-" + test.to[:5] + ".md"
			if *update {
				put(t, ".", golden, []byte(stdout))
			}
			text, err := os.ReadFile(golden)
			expect.NoError(t, err)
			expect.Equal(t, golden, string(text), stdout)
		})
	}
}

func TestDriftWithoutReport(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/cut":
			w.Header().Set("Content-Length", "100000")
			io.WriteString(w, "openapi: 3.0.3\n")
		case "/page":
			io.WriteString(w, "<!DOCTYPE html>\n<html><title>Down for maintenance</title></html>\n")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	structure := committed(t)
	for name, test := range map[string]struct{ from, want string }{
		"no file":           {filepath.Join(t.TempDir(), "none.yaml"), "no such file"},
		"nothing":           {save(t, ""), "not an OpenAPI document"},
		"HTML":              {save(t, "<!DOCTYPE html>\n<html><body>Moved</body></html>\n"), "not an OpenAPI document"},
		"other JSON":        {save(t, `{"error": "not found"}`), "not an OpenAPI 3 document"},
		"Swagger 2":         {save(t, "swagger: '2.0'\npaths: {}\n"), "not an OpenAPI 3 document"},
		"no YAML":           {save(t, "openapi: 3.0.3\npaths: [\n"), "read the document"},
		"head alone":        {save(t, structure[:strings.Index(structure, "paths:")]), "it has no paths"},
		"cut in the paths":  {save(t, structure[:strings.Index(structure, "  /studies/enums:")]), "it refers to #/components/schemas/"},
		"cut in the middle": {save(t, structure[:strings.Index(structure, "    ReferencesModule:")]), "it refers to #/components/schemas/"},
		"no reference yet":  {save(t, structure[:strings.Index(structure, "      responses:")]), "cut off, or of another API"},
		"another API":       {root + "/specs/eutils.yaml", "cut off, or of another API"},
		"a page at the URL": {server.URL + "/page", "not an OpenAPI document"},
		"nothing at it":     {server.URL + "/gone", "404"},
		"cut by the server": {server.URL + "/cut", "unexpected EOF"},
		"no network":        {"http://127.0.0.1:1/oas", "connect"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := registry().compare(t.Context(), test.from)
			expect.That(t, report == nil && err != nil && strings.Contains(err.Error(), test.want), "%v", err)
		})
	}
	t.Run("no file is written", func(t *testing.T) {
		t.Parallel()
		out := filepath.Join(t.TempDir(), "drift.json")
		refuses(t, root, "read the document", "-source", "ctgov", "-from", save(t, "openapi: 3.0.3\npaths: [\n"), "-json", out)
		if _, err := os.Stat(out); err == nil {
			t.Error("it wrote a report despite the error")
		}
	})
	t.Run("a report that cannot be written", func(t *testing.T) {
		t.Parallel()
		refuses(t, root, "no such file", "-source", "ctgov", "-from", save(t, structure), "-json",
			filepath.Join(t.TempDir(), "none", "drift.json"))
	})
	t.Run("all documents", func(t *testing.T) { // without a network
		t.Parallel()
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		var stdout, stderr bytes.Buffer
		expect.Is(t, run(ended, root, nil, &stdout, &stderr), noReport, "status")
		for _, name := range []string{"ctgov: ", "pubmed: ", "datasets: "} {
			expect.That(t, strings.Contains(stderr.String(), name), "%s is not named: %s", name, &stderr)
		}
	})
}

// refuses expects one line on standard error, no report, and status 2.
func refuses(t *testing.T, root, want string, args ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	expect.Is(t, run(t.Context(), root, args, &stdout, &stderr), noReport, "status")
	if line := stderr.String(); !strings.Contains(line, want) || strings.Index(line, "\n") != len(line)-1 || stdout.Len() > 0 {
		t.Errorf("stderr %q, want one line that says %q; stdout %q", line, want, stdout.String())
	}
}

// TestUse reads the use of the clients from the repository.
func TestUse(t *testing.T) {
	t.Parallel()
	use := registry().use
	var names []string
	for _, tool := range use.Tools {
		if len(tool.Fields) > 0 {
			names = append(names, tool.Name)
		}
	}
	for _, name := range all {
		expect.That(t, slices.Contains(names, name), "%s asks for no fields", name)
	}
	expect.That(t, slices.Contains(use.Called, "version"), "calls besides the tools: %v", use.Called)
}

// The committed structure has every field of pieces.tsv, whether a tool reads it or not, with the known values of package query.
func TestPieces(t *testing.T) {
	t.Parallel()
	use, structure := registry().use, registry().structure
	use.Tools, use.Paths = []drift.Tool{{Name: "all", Fields: slices.Sorted(maps.Keys(use.Paths))}}, maps.Clone(use.Paths)
	_, err := drift.Compare(structure, structure, use)
	expect.NoError(t, err)
	use.Paths["Phase"] += "s"
	if _, err = drift.Compare(structure, structure, use); err == nil || !strings.Contains(err.Error(), "has no property phasess") {
		t.Errorf("a path that does not exist: %v", err)
	}
}

// The lists of the parameters that the code uses are complete, but for those that arguments fill.
func TestSent(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	for client, known := range readings {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			served, err := readTools(root, client, "")
			expect.NoError(t, err)
			byArgument := map[string]bool{}
			for _, tool := range served {
				for _, a := range tool.Arguments {
					byArgument[a.Param] = true
				}
			}
			got := map[string][]string{}
			for operation, parameters := range sentParameters(t, client) {
				for id := range known.sent {
					if strings.EqualFold(strings.ReplaceAll(id, "_", ""), operation) {
						operation = id
					}
				}
				got[operation] = slices.DeleteFunc(parameters, func(p string) bool {
					return byArgument[p] && !slices.Contains(known.sent[operation], p)
				})
			}
			expect.Equal(t, "the parameters that the code uses", known.sent, got)
		})
	}
}

// sentParameters returns the parameters of a client that the code sets or reads, by operation.
func sentParameters(t *testing.T, name string) map[string][]string {
	t.Helper()
	const module = "github.com/biofact-mcp/biofact/"
	loaded, err := packages.Load(&packages.Config{
		Context: t.Context(), Dir: root,
		Mode: packages.NeedName | packages.NeedImports | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax,
	}, module+"internal/trials/...", module+"internal/genes", module+"internal/articles", module+"internal/source/"+name)
	expect.NoError(t, err)
	var client *types.Package
	var uses []types.Object
	for _, filler := range loaded {
		expect.Must(t, len(filler.Errors) == 0, "%v", filler.Errors)
		uses = slices.AppendSeq(uses, maps.Values(filler.TypesInfo.Uses))
		for _, imported := range filler.Types.Imports() {
			if imported.Path() == module+"gen/"+name {
				client = imported
			}
		}
	}
	got, structs := map[string][]string{}, map[string]*types.Struct{}
	for _, name := range client.Scope().Names() {
		operation, ok := strings.CutSuffix(name, "Params")
		fields, isStruct := client.Scope().Lookup(name).Type().Underlying().(*types.Struct)
		if !ok || !isStruct {
			continue
		}
		parameters := map[string]bool{}
		for i := range fields.NumFields() {
			if slices.Contains(uses, types.Object(fields.Field(i))) {
				tag, _, _ := strings.Cut(reflect.StructTag(fields.Tag(i)).Get("json"), ",")
				parameters[tag] = true
			}
		}
		got[operation] = slices.Sorted(maps.Keys(parameters))
		structs[operation] = fields
	}
	for operation, fields := range structs { // parameters that are converted from those of another operation
		for other := range structs {
			named := slices.Contains(uses, client.Scope().Lookup(operation+"Params"))
			if named && len(got[operation]) == 0 && types.Identical(fields, structs[other]) {
				got[operation] = slices.Clone(got[other])
			}
		}
	}
	return got
}

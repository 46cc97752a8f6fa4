package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// exportedStudies is the number of studies of the test registry: two pages of ids, and 13 requests for records.
const exportedStudies = 1250

// numberedStudy returns a study as the registry formats it, over several lines.
func numberedStudy(n int) string {
	return fmt.Sprintf("{\n \"protocolSection\": {\"identificationModule\": {\"nctId\": \"NCT%08d\", \"briefTitle\": \"Study %d\\nof "+
		"many\"},\n"+
		" \"statusModule\": {\"overallStatus\": \"COMPLETED\"}, \"unknownModule\": {\"x\": [1.50, \"<&\\u2028\"]}}, \"hasResults\": false}",
		n, n)
}

// A numberedRegistry serves numbered studies: pages of them, and those of given ids. It calls do at request number at.
type numberedRegistry struct {
	requests atomic.Int64
	at       int64
	do       func(w http.ResponseWriter, r *http.Request) bool // if it returns false, the request is answered as usual
	without  int                                               // a study that is listed but not returned
	// page changes a page of ids: it returns the version of the data, and a study that is counted but not listed. false: the token is
	// refused.
	page func(token string) (version string, omitted int, ok bool)
}

func (s *numberedRegistry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.requests.Add(1) == s.at && s.do(w, r) {
		return
	}
	q := r.URL.Query()
	var numbers []int
	token := ""
	if ids := q.Get("filter.ids"); ids != "" {
		for _, id := range strings.FieldsFunc(ids, func(c rune) bool { return c == ',' || c == '|' }) {
			n, _ := strconv.Atoi(strings.TrimPrefix(id, "NCT"))
			numbers = append(numbers, n)
		}
		slices.Reverse(numbers) // an order that no caller relies on
	} else {
		size, _ := strconv.Atoi(q.Get("pageSize"))
		from, _ := strconv.Atoi(q.Get("pageToken"))
		for n := from + 1; n <= min(from+size, exportedStudies); n++ {
			numbers = append(numbers, n)
		}
		if from+size < exportedStudies {
			token = fmt.Sprintf(`, "nextPageToken": "%d"`, from+size)
		}
	}
	lists, version := strings.HasPrefix(q.Get("fields"), "NCTId"), ""
	if lists && s.page != nil {
		var omitted int
		var ok bool
		if version, omitted, ok = s.page(q.Get("pageToken")); !ok {
			http.Error(w, "Parameter `pageToken` has incorrect format", http.StatusBadRequest)
			return
		}
		numbers = slices.DeleteFunc(numbers, func(n int) bool { return n == omitted })
	}
	if slices.Contains(numbers, s.without) && !lists {
		numbers = slices.DeleteFunc(numbers, func(n int) bool { return n == s.without })
	}
	var studies []string
	for _, n := range numbers {
		study := numberedStudy(n)
		if version != "" {
			study = strings.TrimSuffix(study, "}") + `, "derivedSection": {"miscInfoModule": {"versionHolder": "` + version + `"}}}`
		}
		studies = append(studies, study)
	}
	total := ""
	if q.Get("countTotal") == "true" {
		total = fmt.Sprintf(`, "totalCount": %d`, exportedStudies)
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"studies": [%s]%s%s}`, strings.Join(studies, ","), token, total)
}

// exportFrom runs an export from a registry.
func exportFrom(ctx context.Context, t *testing.T, registry *numberedRegistry, args ...string) runOutput {
	t.Helper()
	return runWith(ctx, t, registry, append([]string{"export", "trials", "condition=many"}, args...)...)
}

// runWith runs a command with a registry.
func runWith(ctx context.Context, t *testing.T, registry *numberedRegistry, args ...string) runOutput {
	t.Helper()
	server := httptest.NewServer(registry)
	defer server.Close()
	env := []string{"BIOFACT_CTGOV_URL=" + server.URL + "/api/v2", "BIOFACT_CTGOV_RPS=1000", "BIOFACT_TOOLSETS=trials", "LOGS_DIR=" +
		t.TempDir()}
	return runBiofact(ctx, t, env, "", args...)
}

// wantExport checks that the text has every record once, as the registry returns it.
func wantExport(t *testing.T, text []byte) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	expect.Must(t, len(lines) == exportedStudies && strings.HasSuffix(string(text), "\n"), "%d lines", len(lines))
	slices.Sort(lines)
	for i, line := range lines {
		var want bytes.Buffer
		expect.NoError(t, json.Compact(&want, []byte(numberedStudy(i+1))))
		expect.Must(t, line == want.String(), "line %d: %s", i+1, line)
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	registry := &numberedRegistry{}
	r := exportFrom(t.Context(), t, registry)
	expect.That(t, r.err == nil && r.stderr == "biofact: 1250 trials match; 1250 records written now\n", "%v\n%s", r.err, r.stderr)
	expect.That(t, registry.requests.Load() == 2+13, "%d requests", registry.requests.Load())
	wantExport(t, []byte(r.stdout))
}

// TestExportResumes checks that the same command continues after a failure or an interruption at any request, and after a cut at any
// byte of the file.
func TestExportResumes(t *testing.T) {
	t.Parallel()
	for _, at := range []int64{1, 3, 4, 15} {
		for name, ending := range map[string]struct {
			do   func(cancel func()) func(http.ResponseWriter, *http.Request) bool
			code exitError
		}{
			"Ctrl-C": {func(cancel func()) func(http.ResponseWriter, *http.Request) bool {
				return func(_ http.ResponseWriter, r *http.Request) bool { cancel(); <-r.Context().Done(); return true }
			}, exitInterrupted},
			"501": {func(func()) func(http.ResponseWriter, *http.Request) bool {
				return func(w http.ResponseWriter, _ *http.Request) bool {
					http.Error(w, "{}", http.StatusNotImplemented)
					return true
				}
			}, exitFailed},
			"403": {func(func()) func(http.ResponseWriter, *http.Request) bool {
				return func(w http.ResponseWriter, _ *http.Request) bool {
					http.Error(w, "<html>no</html>", http.StatusForbidden)
					return true
				}
			}, exitFailed},
		} {
			path := filepath.Join(t.TempDir(), "it's many.ndjson")
			ctx, cancel := context.WithCancel(t.Context())
			registry := &numberedRegistry{at: at, do: ending.do(cancel)}
			first := exportFrom(ctx, t, registry, "--output", path)
			cancel()
			code, _ := errors.AsType[exitError](first.err)
			expect.Must(t, code == ending.code && registry.requests.Load() == at, "%s at %d: %v after %d requests", name, at, first.err,
				registry.requests.Load())
			text, _ := os.ReadFile(path)
			written := max(0, int(at)-3) * 100
			expect.That(t, bytes.Count(text, []byte("\n")) == written, "%s at %d: %d bytes", name, at, len(text))
			words := resumed(t, first.stderr)
			expect.Must(t, slices.Equal(words, []string{"export", "trials", "condition=many", "--output=" + path}), "%s at %d: %v", name,
				at, words)
			second := exportFrom(t.Context(), t, &numberedRegistry{}, words[3:]...)
			expect.Must(t, second.err == nil, "%s at %d: %v\n%s", name, at, second.err, second.stderr)
			text, err := os.ReadFile(path)
			expect.NoError(t, err)
			wantExport(t, text)
		}
	}
}

func TestExportResumesAfterACut(t *testing.T) {
	t.Parallel()
	uninterrupted := exportFrom(t.Context(), t, &numberedRegistry{}).stdout
	path := filepath.Join(t.TempDir(), "cut.ndjson")
	random := rand.New(rand.NewPCG(1, 2))
	end := strings.IndexByte(uninterrupted, '\n')
	cuts := []int{0, 1, 5, 19, end - 1, end, end + 1, end + 2, len(uninterrupted) - 1, len(uninterrupted)}
	for range 3 {
		cuts = append(cuts, random.IntN(len(uninterrupted)))
	}
	for _, cut := range cuts {
		expect.NoError(t, os.WriteFile(path, []byte(uninterrupted[:cut]), 0o600))
		r := exportFrom(t.Context(), t, &numberedRegistry{}, "-o", path)
		expect.Must(t, r.err == nil, "cut at %d: %v\n%s", cut, r.err, r.stderr)
		text, err := os.ReadFile(path)
		expect.NoError(t, err)
		wantExport(t, text)
		lines := strings.Count(uninterrupted[:cut], "\n")
		rest := uninterrupted[:cut][strings.LastIndexByte(uninterrupted[:cut], '\n')+1:]
		expect.Equal(t, fmt.Sprintf("cut at %d is reported", cut), rest != "" && !json.Valid([]byte(rest)),
			strings.Contains(r.stderr, "was cut off"))
		if json.Valid([]byte(rest)) {
			lines++
		}
		expect.That(t, lines == 0 || strings.Contains(r.stderr, fmt.Sprintf(", %d before", lines)), "cut at %d: %s", cut, r.stderr)
	}
}

// TestExportRefusesOtherFiles checks that a file that was not written by an export is not changed.
func TestExportRefusesOtherFiles(t *testing.T) {
	t.Parallel()
	record := `{"protocolSection":{"identificationModule":{"nctId":"NCT00000001"}}}`
	for text, want := range map[string]string{
		"notes":                            "line 1 is not a trial",
		"notes\n":                          "line 1 is not a trial",
		`{"a":1}`:                          "line 1 is not a trial",
		record + "\n" + "notes":            "line 2 is not a trial",
		record + "\n\n":                    "line 2 is not a trial",
		record + "\n" + record[:30] + "\n": "line 2 is not a trial",
		record + "\n" + record + "\n":      "line 2 has NCT00000001 for the second time",
		`{"id":"NCT:00000001","title":"x"}` + "\n": "add --flat",
	} {
		path := filepath.Join(t.TempDir(), "notes.txt")
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		r := exportFrom(t.Context(), t, &numberedRegistry{}, "--output", path)
		after, err := os.ReadFile(path)
		expect.That(t, err == nil && string(after) == text, "%q became %q: %v", text, after, err)
		code, reported := codeOf(r.err)
		expect.That(t, r.err != nil && code == exitUsage && !reported && strings.Contains(r.err.Error(), want), "%q: %v", text, r.err)
	}
	path := filepath.Join(t.TempDir(), "new.ndjson")
	r := exportFrom(t.Context(), t, &numberedRegistry{}, "phase=9", "--output", path)
	_, err := os.Stat(path)
	expect.That(t, errors.Is(r.err, exitFailed) && errors.Is(err, os.ErrNotExist), "a file for nothing: %v %v", r.err, err)
	r = exportFrom(t.Context(), t, &numberedRegistry{}, "--output", t.TempDir())
	expect.That(t, r.err != nil && strings.Contains(r.err.Error(), "--output: "), "a folder: %v", r.err)
}

// TestRowsKeepFiles: an export of rows changes no file but an unfinished export of the same call.
func TestRowsKeepFiles(t *testing.T) {
	t.Parallel()
	export := func(path, filter string, more ...string) runOutput {
		return runBiofact(t.Context(), t, nil, "",
			append([]string{"--sandbox", "export", "trials", filter, "--comparisons", "--output", path}, more...)...)
	}
	folder := t.TempDir()
	all := filepath.Join(folder, "all.csv")
	r := export(all, "has_results=true", "--csv")
	rows := string(expect.Read(t, all))
	expect.Must(t, r.err == nil && strings.Count(rows, "\n") > 3, "%v\n%s", r.err, r.stderr)
	for name, text := range map[string]string{
		"notes": "my notes", "notes of several lines": "my\nnotes\n", "rows of another filter": rows,
		"a stray quote": strings.Replace(rows, ",", ",\"", 1) + rows[strings.Index(rows, "\n")+1:],
	} {
		for _, more := range [][]string{nil, {"--csv"}} {
			path := filepath.Join(t.TempDir(), "mine")
			expect.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			r := export(path, "condition=asthma", more...)
			_, reported := codeOf(r.err)
			refused := r.err != nil && strings.Contains(r.err.Error(), "was not changed; name another file")
			expect.That(t, refused && !reported, "%s: %v", name, r.err)
			expect.Is(t, string(expect.Read(t, path)), text, "%s %s", name, more)
		}
	}
}

// TestExportReconciles checks that missing records are named and set the exit code, and that records of the file that do not match are
// counted.
func TestExportReconciles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "some.ndjson")
	expect.NoError(t, os.WriteFile(path, []byte(`{"protocolSection":{"identificationModule":{"nctId":"NCT99999999"}}}`+"\n"), 0o600))
	r := exportFrom(t.Context(), t, &numberedRegistry{without: 7}, "--output", path)
	expect.That(t, errors.Is(r.err, exitFailed) && strings.Contains(r.stderr, "1250 trials match; 1249 records written now\n") &&
		strings.Contains(r.stderr, "1 record missing, perhaps removed in the meantime: NCT00000007\n") &&
		strings.Contains(r.stderr, "1 record in "+path+" without a match"),
		"%v\n%s", r.err, r.stderr)
}

// TestExportListsAgain checks that the trials are listed again if the data change meanwhile, if the registry no longer accepts its
// token, or if fewer trials are listed than counted. If that happens at each listing, the export says what may be missing and fails.
func TestExportListsAgain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		page func(listing int, token string) (version string, omitted int, ok bool)
		want string
	}{
		"refused token": {func(_ int, token string) (string, int, bool) { return "2026-09-01", 0, token == "" },
			"the registry counts 1250 trials and lists 1000"},
		"new data": {func(listing int, token string) (string, int, bool) { return fmt.Sprint(listing, token), 0, true },
			"the data changed while the trials were listed: some that match may be missing"},
		"fewer than counted": {func(int, string) (string, int, bool) { return "", 9, true }, "the registry counts 1250 trials and lists 1249"},
	} {
		for _, times := range []int{1, 100} {
			listing := 0
			registry := &numberedRegistry{page: func(token string) (string, int, bool) {
				if token == "" {
					listing++
				}
				if listing > times {
					return "2026-09-02", 0, true
				}
				return tt.page(listing, token)
			}}
			r := exportFrom(t.Context(), t, registry)
			if times > 1 {
				expect.That(t, errors.Is(r.err, exitFailed) && strings.Contains(r.stderr, "biofact: "+tt.want+"\n"), "%s: %v\n%s", name, r.err,
					r.stderr)
				continue
			}
			expect.That(t, r.err == nil && r.stderr == "biofact: 1250 trials match; 1250 records written now\n", "%s: %v\n%s", name, r.err,
				r.stderr)
			wantExport(t, []byte(r.stdout))
		}
	}
}

// TestExportOfLargeRecords checks that records that are too large for one response are read in smaller batches.
func TestExportOfLargeRecords(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("0,", 400_001) + "0"
	registry := &numberedRegistry{at: 4}
	registry.do = func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"studies": [{"x": [%s]}]}`, large)
		if registry.at < 6 {
			registry.at++
		}
		return true
	}
	r := exportFrom(t.Context(), t, registry)
	expect.Must(t, r.err == nil, "%v\n%s", r.err, r.stderr)
	wantExport(t, []byte(r.stdout))
}

// A fullWriter fails after a number of bytes.
type fullWriter struct {
	left int
	err  error
}

func (w *fullWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, w.err
	}
	return len(p), nil
}

// TestExportToABrokenPipe checks that a closed pipe ends the export without a message.
func TestExportToABrokenPipe(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(&numberedRegistry{})
	defer server.Close()
	for _, cause := range []error{syscall.EPIPE, errors.New("no space left")} {
		root, _, stderr := testRoot(t,
			[]string{"BIOFACT_CTGOV_URL=" + server.URL + "/api/v2", "BIOFACT_CTGOV_RPS=1000", "LOGS_DIR=" + t.TempDir()}, "")
		root.SetOut(&fullWriter{left: 100_000, err: cause})
		root.SetArgs([]string{"export", "trials", "condition=many"})
		err := root.ExecuteContext(t.Context())
		if errors.Is(cause, syscall.EPIPE) {
			expect.That(t, errors.Is(err, exitFailed) && stderr.Len() == 0, "%v\n%s", err, stderr)
			continue
		}
		expect.That(t, errors.Is(err, cause) && strings.Contains(stderr.String(), "To continue, where FILE is"), "%v\n%s", err, stderr)
	}
}

// TestExportInSandbox checks that records equal those of the sandbox, and that flat records equal those of get_trial.
func TestExportInSandbox(t *testing.T) {
	t.Parallel()
	export := func(args ...string) []string {
		r := runBiofact(t.Context(), t, nil, "", append([]string{"--sandbox", "export", "trials"}, args...)...)
		expect.Must(t, r.err == nil, "%v: %v\n%s", args, r.err, r.stderr)
		return strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n")
	}
	found := readItems(t, inSandbox(t, "search_trials", "condition=asthma", "--all", "--ndjson").stdout)
	expect.That(t, len(export("condition=asthma")) == len(found), "%d of %d trials", len(export("condition=asthma")), len(found))
	flat := export("nct_ids=NCT00461032", "--flat")
	answer := readItems(t, inSandbox(t, "get_trial", "nct_id=NCT00461032", "--ndjson").stdout)
	record, _, _ := strings.Cut(answer[0], `,"notices":`)
	expect.Equal(t, "the flat record", record+"}", strings.Join(flat, "\n"))
	// filters that Biofact applies itself, so that the registry finds more trials
	for _, filters := range [][]string{{"near=Boston, MA", "recruiting_site=true"},
		{"criteria=women OR healthy", "criteria_in=inclusion"}} {
		var want, got []string
		for _, item := range readItems(t, inSandbox(t, append([]string{"search_trials", "--all", "--ndjson"}, filters...)...).stdout) {
			want = append(want, item[:len(`{"id":"NCT:00000000"`)])
		}
		for _, line := range export(append(filters, "--flat")...) {
			got = append(got, line[:len(`{"id":"NCT:00000000"`)])
		}
		slices.Sort(want)
		slices.Sort(got)
		all := export(append(filters[:1:1], "status=RECRUITING,COMPLETED,ACTIVE_NOT_RECRUITING,TERMINATED", "--flat")...)
		expect.That(t, slices.Equal(got, want) && len(got) > 0 && len(got) < len(all),
			"%v: %d exported, %d found, %d without the second filter", filters, len(got), len(want), len(all))
	}
	for name, tt := range map[string]struct {
		args []string
		want string
		code exitError
	}{
		"no filter":         {nil, "export trials was called without any criterion", exitFailed},
		"no filter in JSON": {[]string{"--json", `{"condition":" "}`}, "without any criterion", exitFailed},
		"another argument":  {[]string{"condition=asthma", "page_size=3"}, "export trials has no argument page_size", exitFailed},
		"a wrong value":     {[]string{"condition=asthma", "phase=9"}, "Call export trials again with", exitFailed},
		"no pair":           {[]string{"asthma"}, "want ARGUMENT=VALUE", exitUsage},
	} {
		r := runBiofact(t.Context(), t, nil, "", append([]string{"--sandbox", "export", "trials"}, tt.args...)...)
		code, _ := codeOf(r.err)
		expect.That(t, r.err != nil && code == tt.code && strings.Contains(r.stderr+r.err.Error(), tt.want) && r.stdout == "", "%s: %v\n%s",
			name, r.err, r.stderr)
	}
}

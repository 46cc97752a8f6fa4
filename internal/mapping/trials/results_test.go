package trials_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/mappingtest"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
)

// resultRecords returns the real records with posted results.
func resultRecords(t testing.TB) []realRecord {
	t.Helper()
	var posted []realRecord
	for _, r := range realRecords(t, "results", "studies") {
		if r.raw["resultsSection"] != nil {
			posted = append(posted, r)
		}
	}
	return posted
}

// TestResultsCorpus compares the results of all real records with an independent reading of the same JSON: each value, spread, limit, count
// and comment must occur once and verbatim, with the title of its group.
func TestResultsCorpus(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	records, all, sum := resultRecords(t), map[unusedField]int{}, 0
	for _, r := range records {
		got, err := trials.TrialResults(&r.study)
		expect.NoError(t, err)
		mappingtest.Empties("results", mappingtest.PlainJSON(t, got),
			func(place, what string) { t.Errorf("%s: %s is %s", r.id, place, what) })
		want, unused := recordFacts(r.raw)
		missing, surplus := difference(want, answerFacts(&got))
		if missing+surplus != 0 {
			t.Errorf("%s: of %d facts %d are missing, and %d are not in the record", r.id, len(want), missing, surplus)
		}
		hidden := 0
		for kind, n := range unused {
			all[kind] += n
			hidden += n
		}
		sum += hidden
		expect.Equal(t, r.id+": values left out", hidden, unusedValues(&got))
	}
	t.Logf("%d records; %d values left out, in fields that their dispersion does not use: %v", len(records), sum, all)
	for kind, n := range all {
		limits := kind.Field != "spread"
		used := map[string]bool{ // only limits are used
			"": false, "NA": false, "Standard Deviation": false, "STANDARD_DEVIATION": false, "Standard Error": false,
			"Geometric Coefficient of Variation": false,
		}
		if uses, known := used[kind.Kind]; limits && (uses || !known) || !limits && known && kind.Kind != "" {
			t.Errorf("%d values in %s of %q, which uses them", n, kind.Field, kind.Kind)
		}
	}
}

// difference counts the lines that only one of two sorted lists has.
func difference(want, got []string) (missing, surplus int) {
	for len(want) > 0 && len(got) > 0 {
		switch {
		case want[0] == got[0]:
			want, got = want[1:], got[1:]
		case want[0] < got[0]:
			missing, want = missing+1, want[1:]
		default:
			surplus, got = surplus+1, got[1:]
		}
	}
	return missing + len(want), surplus + len(got)
}

func unusedValues(r *entity.TrialResults) (n int) {
	for i := range r.OutcomeMeasures {
		n += r.OutcomeMeasures[i].UnusedValues
	}
	if r.Baseline != nil {
		for i := range r.Baseline.Measures {
			n += r.Baseline.Measures[i].UnusedValues
		}
	}
	return n
}

// BenchmarkTrialResults maps real records with posted results: the median one and the largest one. The bytes are those of the record.
func BenchmarkTrialResults(b *testing.B) {
	records := resultRecords(b)
	size := func(r realRecord) int { return len(mappingtest.Encode(b, r.raw["resultsSection"], "")) }
	sizes := map[string]int{}
	for _, r := range records {
		sizes[r.id] = size(r)
	}
	slices.SortFunc(records, func(a, b realRecord) int { return sizes[a.id] - sizes[b.id] })
	for name, r := range map[string]realRecord{"median": records[len(records)/2], "largest": records[len(records)-1]} {
		text := mappingtest.Encode(b, r.raw, "")
		b.Run(name+"/map", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := trials.TrialResults(&r.study)
				expect.NoError(b, err)
			}
		})
		b.Run(name+"/decode and map", func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var study ctgov.Study
				expect.NoError(b, json.Unmarshal(text, &study))
				_, err := trials.TrialResults(&study)
				expect.NoError(b, err)
			}
		})
	}
}

// TestResultsRare pins values of rare records, which were read by hand.
func TestResultsRare(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	sample := !expect.All() || !expect.Trials("results", "studies").Real
	records := map[string]realRecord{}
	for _, r := range resultRecords(t) {
		records[r.id] = r
	}
	pins, err := os.ReadFile("testdata/results_rare.tsv")
	expect.NoError(t, err)
	for line := range strings.Lines(string(pins)) {
		pin := strings.Split(strings.TrimSpace(line), "\t")
		r, known := records[pin[0]]
		if len(pin) != 3 || !known && sample {
			continue
		}
		got, err := trials.TrialResults(&r.study)
		expect.NoError(t, err)
		figure := fmt.Sprint(counts(&got))
		if pin[1] != "counts" {
			figure = figureAt(mappingtest.PlainJSON(t, got), pin[1])
		}
		expect.Equal(t, pin[0]+" "+pin[1], pin[2], strings.Trim(figure, "[]"))
	}
}

// figureAt returns the value at a path, which may have indexes of lists; "-" if the path does not exist.
func figureAt(v any, path string) string {
	for step := range strings.SplitSeq(path, ".") {
		i, err := strconv.Atoi(step)
		switch place := v.(type) {
		case map[string]any:
			v = place[step]
		case []any:
			v = nil
			if err == nil && i < len(place) {
				v = place[i]
			}
		}
	}
	if v == nil {
		return "-"
	}
	return fmt.Sprint(v)
}

// counts returns the numbers that a line of counts has.
func counts(r *entity.TrialResults) []int {
	n := make([]int, 9)
	n[0] = len(r.OutcomeMeasures)
	for _, m := range r.OutcomeMeasures {
		n[2] += len(m.Analyses)
		for _, row := range m.Rows {
			for _, c := range row.Cells {
				if c.Value != "" {
					n[1]++
				}
			}
		}
	}
	if a := r.AdverseEvents; a != nil {
		n[5] = len(a.Groups)
		for _, e := range a.Events {
			if e.Serious {
				n[3]++
			} else {
				n[4]++
			}
		}
	}
	n[6], n[7] = len(r.ParticipantFlow.Groups), len(r.ParticipantFlow.Periods)
	n[8] = len(r.Baseline.Measures)
	return n
}

const resultFixtures = "testdata/results"

// TestResultsGoldens pins the mapping of records with values that are easily misread.
func TestResultsGoldens(t *testing.T) {
	t.Parallel()
	for _, name := range namesIn(t, resultFixtures) {
		s := readStudy(t, resultFixtures, name)
		got, err := trials.TrialResults(s)
		expect.NoError(t, err)
		mappingtest.Golden(t, filepath.Join(resultFixtures, name+".golden.json"), got)
		mappingtest.Empties(name, mappingtest.PlainJSON(t, got), func(place, what string) { t.Errorf("%s is %s", place, what) })
	}
	_, err := trials.TrialResults(&ctgov.Study{})
	expect.Equal(t, "results of nothing", true, errors.Is(err, text.ErrIncomplete))
}

// TestResultsNastyText fills every text with characters that must not be in an answer.
func TestResultsNastyText(t *testing.T) {
	t.Parallel()
	for _, nasty := range mappingtest.NastyTexts {
		var s ctgov.Study
		mappingtest.Fill(reflect.ValueOf(&s).Elem(), nasty)
		s.ProtocolSection.IdentificationModule.NctId, *s.HasResults = "NCT90000099", true
		got, err := trials.TrialResults(&s)
		expect.NoError(t, err)
		mappingtest.Empties("results", mappingtest.PlainJSON(t, got),
			func(place, what string) { t.Errorf("%q: %s is %s", nasty, place, what) })
	}
}

// FuzzTrialResults: any study that decodes is an incomplete record or maps to results without empty values, in which each cell has a group.
func FuzzTrialResults(f *testing.F) {
	for _, name := range namesIn(f, resultFixtures) {
		text, err := os.ReadFile(filepath.Join(resultFixtures, name+".json"))
		expect.NoError(f, err)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		var s ctgov.Study
		if json.Unmarshal(document, &s) != nil {
			t.Skip()
		}
		got, err := trials.TrialResults(&s)
		if errors.Is(err, text.ErrIncomplete) {
			return
		}
		expect.NoError(t, err)
		mappingtest.Empties("results", mappingtest.PlainJSON(t, got), func(place, what string) { t.Errorf("%s is %s", place, what) })
		answerFacts(&got) // finds the group of each cell
	})
}

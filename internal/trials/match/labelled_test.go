package match_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// A labelledList is a list of criteria with entities (type, start, end, text) and relations between them (kind, from, to).
type labelledList struct {
	Text      string
	Entities  [][]any
	Relations [][]any
}

// A labelledLine is a line with its entities, and those that are negated.
type labelledLine struct {
	text       string
	kinds      []string
	conditions []string
	negated    bool // the condition is negated
}

// lines returns the lines of a list in which each entity has its text at its place.
func (l *labelledList) lines() (all []labelledLine) {
	runes, start := []rune(l.Text), 0
	for text := range strings.SplitSeq(l.Text, "\n") {
		end := start + len([]rune(text))
		line, placed := labelledLine{text: strings.TrimSpace(text)}, true
		for i, e := range l.Entities {
			first, last := int(e[1].(float64)), int(e[2].(float64))
			if first < start || first > last || last > min(end, len(runes)) {
				continue
			}
			placed = placed && string(runes[first:last]) == e[3]
			if e[0] != "Temporal" || asks(e[3].(string)) {
				line.kinds = append(line.kinds, e[0].(string))
			}
			if e[0] == "Condition" {
				line.conditions = append(line.conditions, e[3].(string))
			}
			for _, r := range l.Relations {
				line.negated = line.negated || r[0] == "Has_negation" && int(r[1].(float64)) == i && e[0] == "Condition"
			}
		}
		if start = end + 1; placed && len(line.conditions) == 1 && !strings.Contains(line.text, "*") {
			all = append(all, line)
		}
	}
	return all
}

// history are the words beside a condition that ask for nothing else.
var history = strings.NewReplacer("history of", "", "known", "", "presence of", "", "diagnosis of", "", "active", "", "patients with", "",
	"subjects with", "", "confirmed", "", "documented", "", "any", "", "has", "", "have", "", "currently", "", "current", "", "history", "")

// asks reports whether words beside a condition ask for something else.
func asks(words string) bool {
	return strings.Trim(history.Replace(strings.ToLower(words)), " .;,:-()") != ""
}

// bare reports whether a line is its condition and nothing else.
func (l labelledLine) bare() bool {
	rest := strings.Replace(l.text, l.conditions[0], "", 1)
	return len(l.kinds) == 1 && !asks(rest)
}

// asksForMore reports whether a line asks for something else than its condition: a drug, a procedure, a number, a time.
func (l labelledLine) asksForMore() bool {
	return !l.negated && slices.ContainsFunc(l.kinds, func(kind string) bool {
		return slices.Contains([]string{"Procedure", "Drug", "Measurement", "Temporal", "Value", "Device"}, kind)
	})
}

// TestLabelledConditions measures the verdicts about conditions in lists that others labelled, of a person who has the condition: bare
// lines are decided, lines that ask for more are not decided by the word, and negated conditions not in the wrong way.
func TestLabelledConditions(t *testing.T) {
	t.Parallel()
	if os.Getenv("BIOFACT_EVIDENCE") == "" {
		t.Skip("runs with make evidence alone")
	}
	var bare, decided, wrong, more, byWord, negated, wrongWay int
	for _, line := range expect.Lines(t, expect.Corpus(t, "eligibility/chia.jsonl.gz", "the lists were labelled by others")) {
		var trial struct{ Inclusion, Exclusion labelledList }
		expect.NoError(t, json.Unmarshal(line, &trial))
		for list, part := range map[string]*labelledList{"inclusion": &trial.Inclusion, "exclusion": &trial.Exclusion} {
			has := map[string]string{"inclusion": "allows", "exclusion": "blocks"}[list]
			hasNot := map[string]string{"inclusion": "blocks", "exclusion": "allows"}[list]
			for _, l := range part.lines() {
				verdict := verdictOf(person(t, "has "+l.conditions[0]), list, "* "+l.text)
				if verdict == "no line" {
					continue
				}
				switch {
				case l.negated:
					if negated++; verdict == has {
						wrongWay++
						t.Logf("wrong way, %s: %s", list, l.text)
					}
				case l.bare():
					bare++
					if verdict != "unknown" {
						decided++
					}
					if verdict == hasNot {
						wrong++
						t.Logf("wrong, %s: %s", list, l.text)
					}
				case l.asksForMore():
					if more++; verdict != "unknown" {
						byWord++
						t.Logf("decided by the word, %s: %s [%s]", list, l.text, l.conditions[0])
					}
				}
			}
		}
	}
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	t.Logf("| bare conditions | %d | decided %.1f %%, wrong %.1f %% |", bare, share(decided, bare), share(wrong, bare))
	t.Logf("| lines that ask for more | %d | decided by the word %.1f %% |", more, share(byWord, more))
	t.Logf("| negated conditions | %d | the wrong way %.1f %% |", negated, share(wrongWay, negated))
	expect.That(t, share(decided, bare) >= 75 && share(wrong, bare) <= 2 && share(byWord, more) <= 8 && share(wrongWay, negated) <= 3,
		"bare %d of %d decided, %d wrong; %d of %d by the word; %d of %d the wrong way", decided, bare, wrong, byWord, more, wrongWay,
		negated)
}

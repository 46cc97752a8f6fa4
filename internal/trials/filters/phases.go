package filters

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A PhaseSet is one phase, or the combination of two phases that a trial has. Upstream's own filter finds for phase 3 every trial that has
// phase 3 among its phases. A PhaseSet finds only trials with exactly its phases.
type PhaseSet []string

// combined are the combinations that the registry has.
var combined = []PhaseSet{{"PHASE1", "PHASE2"}, {"PHASE2", "PHASE3"}}

// label returns the set as people write it.
func (p PhaseSet) label() string {
	return strings.ReplaceAll(strings.Join(p, "/"), "PHASE", "")
}

// Node returns the node for trials with exactly these phases.
func (p PhaseSet) Node() query.Node {
	var parts []query.Node
	for _, phase := range p {
		parts = append(parts, query.Has("Phase", phase))
	}
	return query.AllOf(append(parts, query.Size("Phase", len(p)))...)
}

// phaseFilter returns the filter for trials with any of the given phases; nil without any.
func phaseFilter(given []PhaseSet) query.Node {
	var all []query.Node
	for i, p := range given {
		if !hasPhases(given[:i], p) {
			all = append(all, p.Node())
		}
	}
	return query.AnyOf(all...)
}

// hasPhases reports whether a set is among the given phases.
func hasPhases(given []PhaseSet, set PhaseSet) bool {
	return slices.ContainsFunc(given, func(p PhaseSet) bool { return slices.Equal(p, set) })
}

// phaseNotices says which combined phases the given ones do not include.
func phaseNotices(given []PhaseSet) (notices []string) {
	for _, c := range combined {
		part := slices.ContainsFunc(given, func(p PhaseSet) bool { return len(p) == 1 && slices.Contains(c, p[0]) })
		if part && !hasPhases(given, c) {
			notices = append(notices, fmt.Sprintf("phase: the combined phase %s was not searched; add %q to phase to include it.",
				c.label(), c.label()))
		}
	}
	return notices
}

var (
	onePhase      = lazyregexp.New(`(?i)^(early[ _]?)?(?:phases?|ph\.?|p)?[ _]?([0-4]|i{1,3}|iv)$`)
	notApplicable = lazyregexp.New(`(?i)^(?:n\.?/?a\.?|not applicable)$`)
	phaseSep      = lazyregexp.New(`\s*[,;|]\s*|\s+(?:OR|or)\s+`)
)

// numerals are the Roman numbers of phases.
var numerals = map[string]string{"i": "1", "ii": "2", "iii": "3", "iv": "4"}

// readPhases reads phases: Phase 3, III, 2/3, early 1, N/A, PHASE2. A text may list several between commas.
func readPhases(texts []string) (all []PhaseSet, err error) {
	for _, text := range texts {
		for i, part := range phaseSep.Split(text, -1) {
			if i > 0 && strings.TrimSpace(part) == "" {
				continue
			}
			set := readPhase(part)
			if set == nil {
				m := Misread{Argument: "phase", Text: text, Reason: TheText + " is not a phase of ClinicalTrials.gov",
					Again: `with "1", "2", "3", "4", "early 1" or "NA", "1/2" or "2/3" for a combined phase, or a list of them`}
				if known := readPhase(strings.TrimRight(part, "abAB")); known != nil && len(texts) == 1 { // 1b
					m.change = map[string]any{"phase": known.label()}
				}
				return nil, m
			}
			all = append(all, set)
		}
	}
	return all, nil
}

// readPhase reads one phase or one combination; nil for any other text.
func readPhase(text string) (set PhaseSet) {
	text = strings.TrimSpace(text)
	if notApplicable.MatchString(text) {
		return PhaseSet{"NA"}
	}
	if !strings.HasPrefix(text, "EARLY") {
		text = strings.ReplaceAll(text, "_PHASE", "/PHASE") // PHASE2_PHASE3
	}
	for part := range strings.SplitSeq(text, "/") {
		m := onePhase.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil {
			return nil
		}
		number := cmp.Or(numerals[strings.ToLower(m[2])], m[2])
		name := "PHASE" + number
		switch {
		case m[1] != "" && number == "1", m[1] == "" && number == "0":
			name = "EARLY_PHASE1"
		case m[1] != "" || number == "0":
			return nil
		}
		if !slices.Contains(set, name) {
			set = append(set, name)
		}
	}
	slices.Sort(set)
	if len(set) > 1 && !hasPhases(combined, set) {
		return nil
	}
	return set
}

package filters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A PhaseSet is one phase, or the combination of two phases that a trial has. Upstream's own filter finds for phase 3 every trial that has
// phase 3 among its phases. A phaseSet finds only trials with exactly its phases.
type PhaseSet []string

// combined are the combinations that the registry has.
var combined = []PhaseSet{{"PHASE1", "PHASE2"}, {"PHASE2", "PHASE3"}}

// label returns the set as people write it.
func (p PhaseSet) label() string {
	var numbers []string
	for _, phase := range p {
		numbers = append(numbers, strings.TrimPrefix(phase, "PHASE"))
	}
	return strings.Join(numbers, "/")
}

// Node returns the node for trials with exactly these phases.
func (p PhaseSet) Node() query.Node {
	var parts []query.Node
	for _, phase := range p {
		parts = append(parts, query.Has("Phase", phase))
	}
	return query.AllOf(append(parts, query.Size("Phase", len(p)))...)
}

// A phaseRead is a phase or a combination of phases that the argument phase names.
type phaseRead struct {
	set     PhaseSet
	text    string // the part of the argument
	trimmed bool   // a letter such as that of 1b was left out
}

// phaseFilter returns the filter for trials with any of the given phases; nil without any.
func phaseFilter(given []phaseRead) query.Node {
	var all []query.Node
	for i, p := range given {
		if !hasPhases(given[:i], p.set) {
			all = append(all, p.set.Node())
		}
	}
	return query.AnyOf(all...)
}

// hasPhases reports whether a set is among the given phases.
func hasPhases(given []phaseRead, set PhaseSet) bool {
	return slices.ContainsFunc(given, func(p phaseRead) bool { return slices.Equal(p.set, set) })
}

// phaseNotices says how phases were read, and which combined phases they do not include.
func phaseNotices(caller string, given []phaseRead) (notices []string) {
	for _, p := range given {
		if p.trimmed {
			notices = append(notices, fmt.Sprintf("The registry does not distinguish a and b of a phase: %s was read as phase %s.",
				p.text, p.set.label()))
		}
		if len(p.set) > 1 && !combinedPhase.MatchString(p.text) {
			notices = append(notices, fmt.Sprintf("phase: %s was read as the combined phase %s. For phases %s to %s call %s again with %s.",
				envelope.Quoted(p.text), p.set.label(), p.set[0][len("PHASE"):], p.set[1][len("PHASE"):], caller,
				tool.Object("phase", phasesBetween(p.set[0], p.set[1]))))
		}
	}
	for _, c := range combined {
		part := slices.ContainsFunc(given, func(p phaseRead) bool { return len(p.set) == 1 && slices.Contains(c, p.set[0]) })
		if part && !hasPhases(given, c) {
			notices = append(notices, fmt.Sprintf("phase: the combined phase %s was not searched; add %q to phase to include it.",
				c.label(), c.label()))
		}
	}
	return notices
}

var (
	phaseWord = lazyregexp.New(`(?i)phases?|\bph\b\.?|\bp([1-4])\b`)
	// subphase matches a phase with a letter, which the literature uses and the registry does not have.
	subphase = lazyregexp.New(`^([0-4]|i|ii|iii|iv)[ab]$`)
	listSep  = lazyregexp.New(`(?i)\s*[,;|]\s*|\s+or\s+`)
	combiner = lazyregexp.New(`(?i)[/+&_-]|\band\b`)
	// severalRomans matches two Roman numerals that would be another one if the sign between them were removed: I/II.
	severalRomans = lazyregexp.New(`(?i)i[^a-z0-9]+[iv]`)
)

var phaseNames = map[string]string{
	"1": "PHASE1", "i": "PHASE1", "one": "PHASE1",
	"2": "PHASE2", "ii": "PHASE2", "two": "PHASE2",
	"3": "PHASE3", "iii": "PHASE3", "three": "PHASE3",
	"4": "PHASE4", "iv": "PHASE4", "four": "PHASE4",
	"0": "EARLY_PHASE1", "early1": "EARLY_PHASE1", "earlyi": "EARLY_PHASE1",
	"na": "NA", "notapplicable": "NA",
}

// readPhases reads phases as people write them: Phase 3, III, 2/3, early phase 1, N/A, PHASE2. A text may list several between commas.
func readPhases(texts []string) (all []phaseRead, err error) {
	for _, text := range texts {
		before := len(all)
		for i, part := range append([]string{text}, listSep.Split(text, -1)...) {
			if err := refusedPhase(part); err != nil {
				return nil, err
			}
			if i == 0 || strings.TrimSpace(part) == "" { // 2 or higher was refused
				continue
			}
			set, trimmed := readPhase(part)
			if set == nil {
				return nil, phaseError(text, nil)
			}
			all = append(all, phaseRead{set, strings.TrimSpace(part), trimmed})
		}
		if len(all) == before {
			return nil, phaseError(text, nil)
		}
	}
	return all, nil
}

// readPhase reads one phase or one combination. trimmed reports that a letter such as that of 1b was removed.
func readPhase(text string) (set PhaseSet, trimmed bool) {
	text = phaseWord.ReplaceAllString(text, " $1 ")
	if name, ok := phaseNames[entity.Fold(text)]; ok && !severalRomans.MatchString(text) {
		return PhaseSet{name}, false
	}
	for _, part := range combiner.Split(text, -1) {
		word := entity.Fold(part)
		if word == "" {
			continue
		}
		if severalRomans.MatchString(part) {
			return nil, false
		}
		if m := subphase.FindStringSubmatch(word); m != nil {
			word, trimmed = m[1], true
		}
		name, ok := phaseNames[word]
		if !ok {
			return nil, false
		}
		if !slices.Contains(set, name) {
			set = append(set, name)
		}
	}
	slices.Sort(set)
	if len(set) > 1 && !slices.ContainsFunc(combined, func(c PhaseSet) bool { return slices.Equal(c, set) }) {
		return nil, false
	}
	return set, trimmed
}

// allPhases are the values of phase, in order.
var allPhases = []string{"early 1", "1", "1/2", "2", "2/3", "3", "4", "NA"}

// vaguePhases are words, folded, that mean several phases.
var vaguePhases = map[string][]string{
	"early": {"early 1", "1", "1/2"}, "earlystage": {"early 1", "1", "1/2"},
	"late": {"2/3", "3", "4"}, "latestage": {"2/3", "3", "4"}, "pivotal": {"2/3", "3"}, "confirmatory": {"2/3", "3"},
	"postmarketing": {"4"}, "postapproval": {"4"}, "firstinhuman": {"early 1", "1"}, "exploratory": {"early 1", "1"},
}

var (
	// combinedPhase matches the usual form of a combined phase, phaseSpan a text that is a range (1 to 3), and phaseOnward a text with all
	// phases on one side of a phase (at least 2, 2+).
	combinedPhase = lazyregexp.New(`(?i)^(?:phase\s*)?[0-4][ab]?\s*[/_]\s*(?:phase\s*)?[0-4][ab]?$`)
	phaseSpan     = lazyregexp.New(`(?i)^\s*([1-4]|i{1,3}|iv)\s*(?:[-–]|to|through)\s*([1-4]|i{1,3}|iv)\s*$`)
	phaseOnward   = lazyregexp.New(`(?i)^\s*(?:(>=|≥|>|<=|≤|<|at least|at most|from|up to|above|below|over|under)\s*([0-4]|i{1,3}|iv)|([0-4]|i{1,3}|iv)\s*(\+|(?:or|and) (?:higher|later|above|more|lower|earlier|below|less)))\s*$`)
)

// refusedPhase returns the error for a text that excludes a phase, or that means several phases or any; nil for other texts.
func refusedPhase(text string) error {
	if isPlaceholder(text) {
		return placeholderError("phase", text)
	}
	words := strings.TrimSpace(phaseWord.ReplaceAllString(text, " $1 "))
	folded := entity.Fold(words)
	if rest, out := excludes(text); out && phaseNames[folded] != "NA" {
		if set, _ := readPhase(rest); set != nil {
			return exclusionError("phase", text, slices.DeleteFunc(slices.Clone(allPhases), func(p string) bool {
				return slices.ContainsFunc(set, func(name string) bool { return strings.Contains(p, strings.TrimPrefix(name, "PHASE")) })
			}))
		}
	}
	if several := vaguePhases[strings.TrimSuffix(folded, "trial")]; several != nil {
		return phaseError(text, several)
	}
	if m := phaseSpan.FindStringSubmatch(words); m != nil {
		from, to := phaseNames[entity.Fold(m[1])], phaseNames[entity.Fold(m[2])]
		if slices.ContainsFunc(combined, func(c PhaseSet) bool { return c[0] == from && c[1] == to }) || from >= to {
			return nil
		}
		return phaseError(text, phasesBetween(from, to))
	}
	if m := phaseOnward.FindStringSubmatch(words); m != nil {
		return phaseError(text, phasesOnward(strings.ToLower(m[1]+m[4]), phaseNames[entity.Fold(m[2]+m[3])]))
	}
	return nil
}

// phasesBetween lists the values of phase from one phase to another.
func phasesBetween(from, to string) []string {
	at := func(name string) int { return slices.Index(allPhases, PhaseSet{name}.label()) }
	if from == "EARLY_PHASE1" {
		return allPhases[:at(to)+1]
	}
	return allPhases[at(from) : at(to)+1]
}

// phasesOnward lists the values of phase on one side of a phase.
func phasesOnward(side, name string) []string {
	upward := slices.ContainsFunc([]string{">", "≥", "+", "least", "from", "above", "over", "higher", "later", "more"},
		func(s string) bool { return strings.Contains(side, s) })
	several := phasesBetween("EARLY_PHASE1", name)
	if upward {
		several = phasesBetween(name, "PHASE4")
	}
	if !slices.Contains([]string{">", "<", "over", "under"}, side) && side != "above" && side != "below" {
		return several
	}
	return slices.DeleteFunc(slices.Clone(several), func(p string) bool { return strings.Contains(p, strings.TrimPrefix(name, "PHASE")) })
}

// phaseError returns the error for a text that names no phase. meant has the phases that it may mean, if any are known.
func phaseError(text string, meant []string) error {
	call := "one of these"
	if meant != nil {
		call = tool.Object("phase", meant)
	}
	return Misread{Argument: "phase", Text: text, Reason: TheText + " is not a phase of ClinicalTrials.gov",
		hint: `phase takes "1", "2", "3", "4", "early 1" or "NA", "1/2" or "2/3" for a combined phase, or a list of them: call ` +
			TheTool + " again with " + call + "."}
}

package trials

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// allPhases are the values of phase, in order.
var allPhases = []string{"early 1", "1", "1/2", "2", "2/3", "3", "4", "NA"}

// vaguePhases are words, folded, that mean several phases.
var vaguePhases = map[string][]string{
	"early": {"early 1", "1", "1/2"}, "earlystage": {"early 1", "1", "1/2"},
	"late": {"2/3", "3", "4"}, "latestage": {"2/3", "3", "4"}, "pivotal": {"2/3", "3"}, "confirmatory": {"2/3", "3"},
	"postmarketing": {"4"}, "postapproval": {"4"}, "firstinhuman": {"early 1", "1"}, "exploratory": {"early 1", "1"},
}

var (
	// phaseRange matches a hyphen or dash between two phases, phaseSpan a whole text that is a range (1 to 3), and phaseOnward a text with
	// all phases on one side of a phase (at least 2, 2+).
	phaseRange  = lazyregexp.New(`(?i)[0-9iv][ab]?\s*[-–]\s*(?:phase\s*)?[0-9iv]`)
	phaseSpan   = lazyregexp.New(`(?i)^\s*([1-4]|i{1,3}|iv)\s*(?:[-–]|to|through)\s*([1-4]|i{1,3}|iv)\s*$`)
	phaseOnward = lazyregexp.New(`(?i)^\s*(?:(>=|≥|>|<=|≤|<|at least|at most|from|up to|above|below|over|under)\s*([0-4]|i{1,3}|iv)|([0-4]|i{1,3}|iv)\s*(\+|(?:or|and) (?:higher|later|above|more|lower|earlier|below|less)))\s*$`)
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
		if slices.ContainsFunc(combined, func(c phaseSet) bool { return c[0] == from && c[1] == to }) || from >= to {
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
	at := func(name string) int { return slices.Index(allPhases, phaseSet{name}.label()) }
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
func phaseError(text string, meant []string) *entity.Error {
	call := "one of these"
	if meant != nil {
		call = tool.Object("phase", meant)
	}
	return envelope.Refuse("phase", text, "%s is not a phase of ClinicalTrials.gov", envelope.Quoted(text)).
		Hint(`phase takes "1", "2", "3", "4", "early 1" or "NA", "1/2" or "2/3" for a combined phase, or a list of them: `+
			"call %s again with %s.", theTool, call)
}

package trials

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A phaseSet is one phase, or the combination of two phases that a trial has. Upstream's own filter finds for phase 3 every trial that has
// phase 3 among its phases. A phaseSet finds only trials with exactly its phases.
type phaseSet []string

// combined are the combinations that the registry has.
var combined = []phaseSet{{"PHASE1", "PHASE2"}, {"PHASE2", "PHASE3"}}

// label returns the set as people write it.
func (p phaseSet) label() string {
	var numbers []string
	for _, phase := range p {
		numbers = append(numbers, strings.TrimPrefix(phase, "PHASE"))
	}
	return strings.Join(numbers, "/")
}

func (p phaseSet) expression() string {
	var parts []string
	for _, phase := range p {
		parts = append(parts, essie.Area("Phase", phase))
	}
	return essie.And(append(parts, essie.Size("Phase", fmt.Sprint(len(p))))...)
}

// phaseFilter returns the filter for trials with any of the given phases, and notices about the combined phases that it does not include.
func phaseFilter(caller string, given []string) (filter string, notices []string, err error) {
	var sets []phaseSet
	for _, text := range given {
		read, more, err := readPhases(caller, text)
		if err != nil {
			return "", nil, err
		}
		notices = append(notices, more...)
		for _, set := range read {
			if !slices.ContainsFunc(sets, func(s phaseSet) bool { return slices.Equal(s, set) }) {
				sets = append(sets, set)
			}
		}
	}
	var expressions []string
	for _, set := range sets {
		expressions = append(expressions, set.expression())
	}
	for _, c := range combined {
		requested := slices.ContainsFunc(sets, func(s phaseSet) bool { return slices.Equal(s, c) })
		part := slices.ContainsFunc(sets, func(s phaseSet) bool { return len(s) == 1 && slices.Contains(c, s[0]) })
		if part && !requested {
			notices = append(notices, fmt.Sprintf("phase: the combined phase %s was not searched; add %q to phase to include it.",
				c.label(), c.label()))
		}
	}
	return essie.Or(expressions...), notices, nil
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
func readPhases(caller, text string) (sets []phaseSet, notices []string, err error) {
	if err := refusedPhase(caller, text); err != nil { // 2 or higher
		return nil, nil, err
	}
	for _, part := range listSep.Split(text, -1) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		if err := refusedPhase(caller, part); err != nil {
			return nil, nil, err
		}
		set, trimmed := readPhase(part)
		if set == nil {
			return nil, nil, phaseError(caller, text, nil)
		}
		if trimmed {
			notices = append(notices, fmt.Sprintf("The registry does not distinguish a and b of a phase: %s was read as phase %s.",
				strings.TrimSpace(part), set.label()))
		}
		if len(set) > 1 && phaseRange.MatchString(part) {
			notices = append(notices, fmt.Sprintf("phase: %s was read as the combined phase %s. For phases %s to %s call %s again with %s.",
				envelope.Quoted(strings.TrimSpace(part)), set.label(), set[0][len("PHASE"):], set[1][len("PHASE"):], caller,
				tool.Object("phase", phasesBetween(set[0], set[1]))))
		}
		sets = append(sets, set)
	}
	if len(sets) == 0 {
		return nil, nil, phaseError(caller, text, nil)
	}
	return sets, notices, nil
}

// readPhase reads one phase or one combination. trimmed reports that a letter such as that of 1b was removed.
func readPhase(text string) (set phaseSet, trimmed bool) {
	text = phaseWord.ReplaceAllString(text, " $1 ")
	if name, ok := phaseNames[entity.Fold(text)]; ok && !severalRomans.MatchString(text) {
		return phaseSet{name}, false
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
	if len(set) > 1 && !slices.ContainsFunc(combined, func(c phaseSet) bool { return slices.Equal(c, set) }) {
		return nil, false
	}
	return set, trimmed
}

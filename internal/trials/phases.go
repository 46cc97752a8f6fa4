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

// A phaseRead is a phase or a combination of phases that the argument phase names.
type phaseRead struct {
	set     phaseSet
	text    string // the part of the argument
	trimmed bool   // a letter such as that of 1b was left out
}

// phaseFilter returns the filter for trials with any of the given phases.
func phaseFilter(given []phaseRead) string {
	var expressions []string
	for i, p := range given {
		if !hasPhases(given[:i], p.set) {
			expressions = append(expressions, p.set.expression())
		}
	}
	return essie.Or(expressions...)
}

// hasPhases reports whether a set is among the given phases.
func hasPhases(given []phaseRead, set phaseSet) bool {
	return slices.ContainsFunc(given, func(p phaseRead) bool { return slices.Equal(p.set, set) })
}

// phaseNotices says how phases were read, and which combined phases they do not include.
func phaseNotices(caller string, given []phaseRead) (notices []string) {
	for _, p := range given {
		if p.trimmed {
			notices = append(notices, fmt.Sprintf("The registry does not distinguish a and b of a phase: %s was read as phase %s.",
				p.text, p.set.label()))
		}
		if len(p.set) > 1 && phaseRange.MatchString(p.text) {
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
		if err := refusedPhase(text); err != nil { // 2 or higher
			return nil, err
		}
		before := len(all)
		for _, part := range listSep.Split(text, -1) {
			if strings.TrimSpace(part) == "" {
				continue
			}
			if err := refusedPhase(part); err != nil {
				return nil, err
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

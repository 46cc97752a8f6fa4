package filters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// wordValues has the values of an argument, and the words that people use for them.
type wordValues struct {
	Argument string
	piece    string // piece of the registry that has the values
	tool.Words
}

// wordsFor returns the words for the values of an argument.
func wordsFor(argument, piece string) wordValues {
	return wordValues{argument, piece, tool.WordsFor("trial_filters", argument)}
}

// placeholders are words that mean no particular value.
var placeholders = []string{"all", "any", "anything", "everything", "none", "null", "nil", "undefined"}

// isPlaceholder reports whether a text means any value or no value.
func isPlaceholder(text string) bool {
	return slices.Contains(placeholders, strings.ToLower(strings.Trim(strings.TrimSpace(text), `"'<>*`)))
}

// placeholderError returns the error for a word that means no particular value.
func placeholderError(argument, word string) error {
	return Misread{Argument: argument, Text: word, Reason: TheText + " does not name a particular value",
		change: map[string]any{argument: nil}}
}

// Read returns the values that texts name, and notices. Each text may list several values between commas.
func (w wordValues) Read(texts []string) (values, notices []string, err error) {
	var unknown, unclear []string
	for _, text := range texts {
		parts := valueSep.Split(text, -1)
		for i := 0; i < len(parts); i++ {
			word := parts[i]
			if i+1 < len(parts) && w.value(word+" "+parts[i+1]) != "" { // Active, not recruiting
				word += ", " + parts[i+1]
				i++
			}
			value, several := w.value(word), w.Unclear[folded(word)]
			switch {
			case strings.TrimSpace(word) == "":
			case value != "":
				values = append(values, value)
				if also := w.Imprecise[folded(word)]; also != nil {
					notices = append(notices, fmt.Sprintf("%s: %s was read as %s; %s.", w.Argument, envelope.Quoted(word), value, also[1]))
				}
			case isPlaceholder(word):
				return nil, nil, placeholderError(w.Argument, word)
			case several != nil:
				unclear = append(unclear, word)
			default:
				unknown = append(unknown, word)
			}
		}
	}
	if len(unknown) > 0 {
		return nil, nil, w.unknownError(values, append(unknown, unclear...))
	}
	if len(unclear) > 0 {
		return nil, nil, w.ambiguousError(values, unclear)
	}
	slices.Sort(values) // the order of the list does not change the query
	return slices.Compact(values), notices, nil
}

// valueSep separates the values of a text.
var valueSep = lazyregexp.New(`\s*[,;|]\s*|\s+(?:OR|or)\s+`)

// signBefore finds a sign that in many search languages excludes the value after it.
var signBefore = lazyregexp.New(`^\s*[-!−–]`)

// fillerWords are words that add nothing to a value.
var fillerWords = lazyregexp.New(`(?i)\b(?:stud(?:y|ies)|trials?|status)\b`)

// folded returns a text, folded, without words that add nothing to a value.
func folded(text string) string { return entity.Fold(fillerWords.ReplaceAllString(text, " ")) }

// value returns the value that a text names, or "".
func (w wordValues) value(text string) string {
	word := folded(text)
	known := w.Known()
	if signBefore.MatchString(text) {
		return ""
	}
	if i := slices.IndexFunc(known, func(k string) bool { return entity.Fold(k) == word || entity.Fold(k) == entity.Fold(text) }); i >= 0 {
		return known[i]
	}
	for _, meant := range [][]string{w.Means[word], w.Imprecise[word]} {
		if meant != nil {
			return meant[0]
		}
	}
	return ""
}

// Known returns the values, in the order of the registry.
func (w wordValues) Known() []string { return query.ValuesOf(w.piece) }

// ambiguousError returns the error for words, the first of which may mean several values. good has the values of the other words.
func (w wordValues) ambiguousError(good, words []string) error {
	meant := slices.Clone(good)
	for _, word := range words {
		meant = append(meant, w.Unclear[folded(word)]...)
	}
	return Misread{Argument: w.Argument, Text: words[0], Reason: TheText + " may mean " + alternatives(w.Unclear[folded(words[0])]),
		change: map[string]any{w.Argument: meant}, hint: "Leave out the values that are not meant."}
}

// unknownError returns the error for words that name no value. good has the values of the other words.
func (w wordValues) unknownError(good, words []string) error {
	m := Misread{Argument: w.Argument, Text: strings.Join(words, ", "), Reason: tool.NotKnown(words),
		Again: "with " + w.Argument + " as one or several of " + strings.Join(w.Known(), ", ")}
	meant := slices.Clone(good)
	for _, word := range words {
		nearest := tool.Nearest(word, w.Known())
		if _, negated := entity.Negated(word); negated {
			nearest = "" // the caller excludes the nearest value
		}
		meant = append(meant, nearest)
	}
	if !slices.Contains(meant, "") {
		m.change, m.hint = map[string]any{w.Argument: meant}, "The values are "+strings.Join(w.Known(), ", ")+"."
	}
	return m
}

// registryValues are the values of the arguments that take values of the registry.
type registryValues struct {
	named   map[string][]string // by argument
	notices []string
}

// readValues reads the words for a status, a kind of study, sponsor or intervention.
func readValues(args tools.TrialFilters) (all registryValues, err error) {
	all.named = map[string][]string{}
	for _, given := range []struct {
		argument, piece string
		texts           []string
	}{
		{"status", "OverallStatus", args.Status}, {"study_type", "StudyType", args.StudyType},
		{"sponsor_class", "LeadSponsorClass", args.SponsorClass}, {"intervention_type", "InterventionType", args.InterventionType},
		{"masking", "DesignMasking", args.Masking}, {"allocation", "DesignAllocation", args.Allocation},
		{"primary_purpose", "DesignPrimaryPurpose", args.PrimaryPurpose},
	} {
		values, notices, err := wordsFor(given.argument, given.piece).Read(given.texts)
		if err != nil {
			return all, err
		}
		all.named[given.argument], all.notices = values, append(all.notices, notices...)
	}
	return all, nil
}

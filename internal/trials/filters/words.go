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
	return wordValues{argument, piece, tools.Words(argument)}
}

// fillerWords are words that add nothing to a value.
var fillerWords = lazyregexp.New(`(?i)\b(?:stud(?:y|ies)|trials?|status|only|currently|actively|now|patients|participants|subjects)\b`)

// Read returns the values that texts name, and notices. Each text may list several values.
func (w wordValues) Read(texts []string) (values, notices []string, err error) {
	var unknown []string
	for _, text := range texts {
		parts := listSep.Split(text, -1)
		for len(parts) > 0 {
			if strings.TrimSpace(parts[0]) == "" {
				parts = parts[1:]
				continue
			}
			// A value may contain a comma (Active, not recruiting). The longest run of parts that is one value counts.
			run := min(len(parts), 4)
			for ; run > 1 && w.value(strings.Join(parts[:run], " ")) == ""; run-- {
			}
			word := strings.TrimSpace(strings.Join(parts[:run], ", "))
			parts = parts[run:]
			if err := w.refusal(word); err != nil {
				return nil, nil, err
			}
			value := w.value(word)
			if value == "" {
				unknown = append(unknown, word)
				continue
			}
			if also := w.Imprecise[withoutFillers(word)]; also != nil {
				notices = append(notices, fmt.Sprintf("%s: %s was read as %s; %s.", w.Argument, envelope.Quoted(word), value, also[1]))
			}
			values = append(values, value)
		}
	}
	if len(unknown) > 0 {
		return nil, nil, w.unknownError(values, unknown)
	}
	slices.Sort(values) // the order of the list does not change the query
	return slices.Compact(values), notices, nil
}

// refusal returns the error for a word that may mean several values, that excludes a value, or that means any value; nil for other words.
func (w wordValues) refusal(word string) error {
	if isPlaceholder(word) {
		return placeholderError(w.Argument, word)
	}
	rest, excluded := excludes(word)
	several := w.Unclear[withoutFillers(word)]
	switch {
	case startsWithSign(word):
	case several != nil:
		return w.ambiguousError(word, several)
	case w.value(word) != "": // not yet recruiting
		return nil
	}
	if !excluded {
		return nil
	}
	out := w.Unclear[withoutFillers(rest)]
	if value := w.value(rest); value != "" {
		out = []string{value}
	}
	others := slices.DeleteFunc(slices.Clone(w.Known()), func(k string) bool { return slices.Contains(out, k) })
	return exclusionError(w.Argument, word, others)
}

// value returns the value that a text names, or "". It is "" for a text with a sign before the value, because the sign may exclude it.
func (w wordValues) value(text string) string {
	if startsWithSign(text) {
		return ""
	}
	for _, word := range []string{entity.Fold(text), withoutFillers(text)} {
		known := w.Known()
		if i := slices.IndexFunc(known, func(k string) bool { return entity.Fold(k) == word }); i >= 0 {
			return known[i]
		}
		for _, meant := range [][]string{w.Means[word], w.Imprecise[word]} {
			if meant != nil {
				return meant[0]
			}
		}
	}
	return ""
}

// Known returns the values, in the order of the registry.
func (w wordValues) Known() []string { return query.ValuesOf(w.piece) }

// withoutFillers returns a text, folded, without words that add nothing to a value.
func withoutFillers(text string) string { return entity.Fold(fillerWords.ReplaceAllString(text, " ")) }

// ambiguousError returns the error for a word that may mean several values.
func (w wordValues) ambiguousError(word string, several []string) error {
	return Misread{Argument: w.Argument, Text: word, Reason: TheText + " may mean " + alternatives(several),
		Again: "with those that are meant: " + tool.Object(w.Argument, several) + " are all of them"}
}

// unknownError returns the error for words that name no value. good has the values of the other words.
func (w wordValues) unknownError(good, words []string) error {
	with := ""
	meant := slices.Clone(good)
	for _, word := range words {
		meant = append(meant, tool.Nearest(word, w.Known()))
	}
	if !slices.Contains(meant, "") {
		with = tool.Object(w.Argument, meant) + ", or with "
	}
	return Misread{Argument: w.Argument, Text: strings.Join(words, ", "), Reason: tool.NotKnown(words),
		Again: "with " + with + w.Argument + " as one or several of " + strings.Join(w.Known(), ", ") + ", in words too"}
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

package articles

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// pickSections returns the ids of the sections that ids, kinds or words of titles select, with their subsections, and the names that select
// no section.
func pickSections(outline []entity.OutlineEntry, names []string) (picked map[string]bool, unknown []string) {
	picked = map[string]bool{}
	for _, want := range splitSectionNames(outline, names) {
		means := sectionMatcher(outline, want)
		if !slices.ContainsFunc(outline, means) {
			unknown = append(unknown, entity.Cut(want, 60))
		}
		for _, entry := range outline {
			top, _, sub := strings.Cut(entry.ID, ".")
			if sub && picked[top] || means(entry) {
				picked[entry.ID] = true
			}
		}
	}
	return picked, unknown
}

// splitSectionNames returns the names of sections in some texts. A text that selects no section may be a list with commas.
func splitSectionNames(outline []entity.OutlineEntry, texts []string) (names []string) {
	for _, text := range texts {
		parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' })
		if len(parts) < 2 || slices.ContainsFunc(outline, sectionMatcher(outline, text)) {
			parts = []string{text}
		}
		names = append(names, parts...)
	}
	return names
}

// sectionMatcher returns a function that reports whether a name selects a section. A name that is the id of a section selects that section.
// Any other name selects the sections of that kind, and those whose title has its words, of which the last may be the beginning of a word.
func sectionMatcher(outline []entity.OutlineEntry, want string) func(entity.OutlineEntry) bool {
	byID := func(e entity.OutlineEntry) bool { return strings.EqualFold(strings.TrimSpace(want), e.ID) }
	if slices.ContainsFunc(outline, byID) {
		return byID
	}
	folded, words := entity.Fold(want), titleWords(want)
	return func(e entity.OutlineEntry) bool {
		isKind := func(kind string) bool { return entity.Fold(kind) == folded }
		return folded != "" && slices.ContainsFunc(e.Kinds, isKind) ||
			utf8.RuneCountInString(words) > 3 && strings.Contains(titleWords(e.Title), words)
	}
}

// titleWords returns the words of a title in lower case, each after a space.
func titleWords(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	return " " + strings.Join(words, " ")
}

package articles

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/mapping/fulltext"
	"github.com/biofact-mcp/biofact/internal/tool"
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

// headedWithin returns the section whose text has a heading with the words of a name, or nil.
func headedWithin(sections []entity.TextSection, want string) *entity.TextSection {
	words := titleWords(want)
	i := slices.IndexFunc(sections, func(s entity.TextSection) bool {
		for line := range strings.Lines(s.Text) {
			if title, heading := strings.CutPrefix(line, fulltext.Heading); heading && strings.Contains(titleWords(title), words) {
				return true
			}
		}
		return false
	})
	if i < 0 || utf8.RuneCountInString(words) <= 3 {
		return nil
	}
	return &sections[i]
}

// titleWords returns the words of a title in lower case, each after a space.
func titleWords(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	return " " + strings.Join(words, " ")
}

func noSection(text *entity.ArticleFullText, args tools.GetArticleFullTextArgs) *entity.Error {
	var known []string
	for _, entry := range text.Outline {
		known = append(known, strings.TrimSpace(entry.ID+" "+entry.Title))
	}
	e := envelope.Refuse("sections", strings.Join(args.Sections, ","), "the text has no section %s",
		entity.Cut(strings.Join(args.Sections, ", "), 200))
	if parts := partsHint(args, args.Sections); parts != "" {
		return e.Hint("%s", strings.TrimSpace(parts))
	}
	if len(known) == 0 {
		return e.Hint("Leave sections out: call %s with %s.", tools.GetArticleFullText, tool.Object("id", args.Id))
	}
	instead := "the ids of these sections"
	if usual := usualSection(text.Outline, args.Sections); usual != "" {
		instead = tool.Object("sections", usual)
	}
	return e.Hint("It has: %s. Call %s again with %s.", entity.Cut(strings.Join(known, "; "), 1500), tools.GetArticleFullText, instead)
}

// otherTitles are usual titles of sections, with the titles that mean the same.
var otherTitles = map[string]string{
	"background": "introduction", "introduction": "background", "materials and methods": "methods", "patients and methods": "methods",
	"methodology": "methods", "methods": "materials and methods", "findings": "results", "conclusion": "discussion",
	"conclusions": "discussion",
}

// usualSection returns the id of the section that the other title of the only requested one selects, or "".
func usualSection(outline []entity.OutlineEntry, sections []string) string {
	if len(sections) != 1 {
		return ""
	}
	title := otherTitles[strings.ToLower(strings.TrimSpace(sections[0]))]
	if i := slices.IndexFunc(outline, sectionMatcher(outline, title)); title != "" && i >= 0 {
		return outline[i].ID
	}
	return ""
}

// partsHint returns a call with include, if some of the section names are names of parts of a text.
func partsHint(args tools.GetArticleFullTextArgs, sections []string) string {
	var parts []string
	for _, part := range []string{textPart, fulltext.Tables, fulltext.Figures, fulltext.Supplements, fulltext.References} {
		if slices.ContainsFunc(sections, func(name string) bool { // table 2, Fig. 1
			name = strings.TrimSuffix(strings.TrimRight(entity.Fold(name), "0123456789"), "s")
			return len(name) > 2 && strings.HasPrefix(part, name)
		}) {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " To read " + strings.Join(parts, ", ") + " call " + tools.GetArticleFullText + " with " +
		tool.Show(map[string]any{"id": args.Id, "include": parts}) + " and without sections."
}

const textPart = "text"

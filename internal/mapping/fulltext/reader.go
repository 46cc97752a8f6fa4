package fulltext

import (
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/plaintext"
)

// A reader reads one article. After an error it adds nothing more, and its result must not be used.
type reader struct {
	article  Article
	sections []*section
	counts   [2]int // numbers of sections, and of subsections of the last section
	before   [2]int // before the last section of level 1
	text     text

	numbers        map[string]int    // of references, by id
	firstMention   map[string]string // by id: the first section that refers to it
	ids            floatIDs
	used           map[string]bool // sections that have a float
	noBrackets     bool            // citations are not put in brackets
	inCell         bool            // a superscript is marked if it would join the word before it
	inNotes        bool            // a superscript at the beginning of a paragraph is the marker of a note
	budget         *budget
	statementCount int // number of statements that were read

	err error // a limit is exceeded
}

// floatIDs are the ids with which the text refers to tables, figures and supplements.
type floatIDs struct{ tables, figures, supplements []string }

// A section is a section while it is read.
type section struct {
	entity.TextSection
	blocks []string
}

// A text is a list of paragraphs and the current line.
type text struct {
	blocks   []string
	line     plaintext.Line
	captured bool // it is not added to the section
}

// A budget counts the output for all articles of a document.
type budget struct{ cells, generated, stored int }

// paragraphBreak separates two paragraphs.
const paragraphBreak = "\n\n"

// nonEmpty returns the texts that are not empty.
func nonEmpty(texts ...string) (list []string) {
	for _, text := range texts {
		if text != "" {
			list = append(list, text)
		}
	}
	return list
}

// flush ends the current paragraph.
func (r *reader) flush() {
	if len(r.text.line.Text) > 0 {
		r.text.blocks = append(r.text.blocks, entity.Clean(string(r.text.line.Text)))
	}
	r.text.line.Reset()
	if s := r.last(); s != nil && !r.text.captured {
		s.blocks = append(s.blocks, r.text.blocks...)
		r.text.blocks = nil
	}
}

// last returns the current section, or nil before the first one.
func (r *reader) last() *section {
	if len(r.sections) == 0 {
		return nil
	}
	return r.sections[len(r.sections)-1]
}

// capture returns the paragraphs that do adds, without adding them to the section.
func (r *reader) capture(do func()) []string {
	outer := r.text
	r.text = text{captured: true}
	do()
	r.flush()
	blocks := r.text.blocks
	r.text = outer
	if r.err != nil {
		return nil
	}
	return blocks
}

// An Article is one complete article.
type Article struct {
	entity.ArticleFullText
	// ManuscriptID is the id of the author's manuscript, such as NIHMS265402.
	ManuscriptID string
	// TooLarge reports that the text exceeds the limits of this package, and is left out.
	TooLarge bool `json:",omitempty"`
}

// Valid reports whether the article was read.
func (a *Article) Valid() bool { return a.Availability != "" }

// useSection returns the id of the current section, and marks the section as used.
func (r *reader) useSection() string {
	id := r.sectionID()
	r.used[id] = true
	return id
}

func (r *reader) sectionID() string {
	if s := r.last(); s != nil {
		return s.ID
	}
	return ""
}

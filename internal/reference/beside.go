package reference

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// fold returns the letters and digits of a text in lower case, without accents, Greek letters by their names, and for each byte of it the
// offset in the text.
func fold(text string) (folded string, offsets []int) {
	var out strings.Builder
	for i, r := range text {
		letters := string(unicode.ToLower(r))
		if r >= 0x80 {
			if name, isGreek := greek[unicode.ToLower(r)]; isGreek {
				letters = name
			} else {
				letters = entity.BasicLetters(string(r))
			}
		}
		for _, letter := range letters {
			if unicode.IsLetter(letter) || unicode.IsDigit(letter) {
				n, _ := out.WriteRune(letter)
				for range n {
					offsets = append(offsets, i)
				}
			}
		}
	}
	return out.String(), offsets
}

// greek maps Greek letters to the names that titles use.
var greek = func() map[rune]string {
	letters := map[rune]string{'µ': "mu"}
	names := strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau " +
		"upsilon phi chi psi omega")
	for i, name := range names {
		letters['α'+rune(i)] = name
	}
	return letters
}()

var markup = lazyregexp.New(`</?[a-z]{1,6}>`)

// plainMarkup returns a text without tags and entities.
func plainMarkup(text string) string { return markup.ReplaceAllString(html.UnescapeString(text), "") }

// titlePart matches the ends of the parts of a title.
var titlePart = lazyregexp.New(`[:?.]\s| - `)

const minPartWords = 3 // of a part of a title that stands for the complete one

// titlesOf returns the titles of a record, and the first parts of them that people write in their place.
func titlesOf(a *entity.Article) (complete, first []string) {
	for _, title := range []string{a.Title, a.VernacularTitle} {
		title = titleRemark.ReplaceAllString(typography.Replace(plainMarkup(title)), "")
		if title = strings.Trim(title, " []."); title == "" {
			continue
		}
		complete = append(complete, title)
		for _, at := range titlePart.FindAllStringIndex(title, -1) {
			if len(strings.Fields(title[:at[0]])) >= minPartWords {
				first = append(first, title[:at[0]])
			}
		}
	}
	slices.Reverse(first) // the longest first
	return complete, first
}

// retractedRemark matches the remark before the title of a retracted article.
var retractedRemark = lazyregexp.New(`\bRETRACTED(?: ARTICLE)?:\s*`)

var titleRemark = lazyregexp.New(`(?i)^\s*\[?RETRACTED(?: ARTICLE)?:\s*|\s*\[(?:Article|Review|Letter) in [^\]]*\]`)

// titleSpan returns where a text has the title of a record, or its first parts; an empty span if it does not have them.
func titleSpan(text string, a *entity.Article) (at [2]int) {
	folded, offsets := fold(text)
	complete, first := titlesOf(a)
	for i, title := range slices.Concat(complete, first) {
		want, _ := fold(title)
		for from := 0; want != "" && from < len(folded); {
			found := strings.Index(folded[from:], want)
			if found < 0 {
				break
			}
			start, end := offsets[from+found], len(text)
			if next := from + found + len(want); next < len(offsets) {
				end = offsets[next]
			}
			if between := text[offsets[from+found+len(want)-1]:end]; stands(text[:start], between, end == len(text)) &&
				(i < len(complete) || endsPart(text[end:], between, a)) {
				return [2]int{start, offsets[from+found+len(want)-1] + firstSize(between)}
			}
			from += found + 1
		}
	}
	return at
}

// firstSize returns the number of bytes of the first character of a text.
func firstSize(text string) int {
	_, size := utf8.DecodeRuneInString(text)
	return size
}

// stands reports whether a title ends with the text before it and begins with the text after it: no further word belongs to it. between
// begins with the last letter of the title.
func stands(before, between string, last bool) bool {
	before = strings.TrimRight(before, " *_")
	after := strings.TrimLeft(between[firstSize(between):], " *_")
	return (before == "" || strings.ContainsAny(before[len(before)-1:], `.,;:)"'!?([]`) || strings.HasSuffix(before, "’")) &&
		(last || after != "")
}

// endsPart reports whether a first part of a title ends it in a text: the journal of the record follows.
func endsPart(rest, between string, a *entity.Article) bool {
	if !strings.ContainsAny(between, `.?!",;`) || a.JournalInfo == nil {
		return strings.TrimSpace(rest) == ""
	}
	var f Fields
	head := withoutMarks(dateEnd.ReplaceAllString(f.takePosition(" "+rest), ""))
	return head == "" || sameJournal(head, a.JournalInfo)
}

// likeTitle reports whether a title is that of a record but for one letter of many, or up to an ellipsis.
func likeTitle(title string, a *entity.Article) bool {
	cut, ellipsis := strings.CutSuffix(strings.TrimSuffix(strings.TrimSpace(title), "…"), "...")
	mine, _ := fold(cut)
	ellipsis = ellipsis || strings.HasSuffix(strings.TrimSpace(title), "…")
	complete, _ := titlesOf(a)
	return slices.ContainsFunc(complete, func(one string) bool {
		theirs, _ := fold(one)
		return mine == theirs || ellipsis && len(strings.Fields(cut)) >= 5 && strings.HasPrefix(theirs, mine) || oneLetter(mine, theirs)
	})
}

const manyLetters = 30 // of a title in which one may differ

// oneLetter reports whether one letter of a long text differs from another text; a digit may not.
func oneLetter(a, b string) bool {
	if min(len(a), len(b)) < manyLetters || len(a)-len(b) > 1 || len(b)-len(a) > 1 {
		return false
	}
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	same := 0
	for same < min(len(a), len(b))-from && a[len(a)-1-same] == b[len(b)-1-same] {
		same++
	}
	rest := a[from:len(a)-same] + b[from:len(b)-same]
	return len(rest) <= 2 && !strings.ContainsAny(rest, "0123456789")
}

// A nameToken is a word of a list of authors.
type nameToken struct {
	word     string // folded, with ae, oe and ue as a, o and u
	initials bool   // it has capitals alone, and few
	end      int
}

var nameWord = lazyregexp.New(`[\p{L}\p{M}'’]+`)

const maxInitials = 3 // letters of initials that are written together

// nameTokens returns the words of a list of authors.
func nameTokens(text string) (tokens []nameToken) {
	for _, at := range nameWord.FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		if slices.Contains([]string{"and", "und", "et", "with"}, word) {
			continue
		}
		t := nameToken{word: nameFold(word), end: at[1]}
		t.initials = strings.ToUpper(word) == word && len([]rune(word)) <= maxInitials
		if t.word != "" {
			tokens = append(tokens, t)
		}
	}
	return tokens
}

var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")

func nameFold(text string) string {
	folded, _ := fold(text)
	return umlauts.Replace(folded)
}

// nameWords returns the folded words of a part of a name.
func nameWords(text string) (list []string) {
	for _, t := range nameTokens(text) {
		list = append(list, t.word)
	}
	return list
}

// authorEnd matches the words that end a list of authors before its end, and the signs for names that are left out.
var authorEnd = lazyregexp.New(`(?i)[,;&]?\s*\b(?:et\s+al\b|and\s+(?:others|colleagues)\b)\.?|\.\s?\.\s?\.|…`)

// walkAuthors compares a list of authors with those of a record, in their order: each has the same family name, up to the last one that is
// named. It returns the number of authors of the record that were read, and where the last one ends.
func walkAuthors(text string, a *entity.Article) (read, end int, same bool) {
	list, last := text, ""
	if at := authorEnd.FindStringIndex(text); at != nil {
		list = text[:at[0]]
		if cut := text[at[0]:at[1]]; strings.HasSuffix(cut, ".") && !strings.ContainsAny(cut, "aA") || strings.HasSuffix(cut, "…") {
			last = text[at[1]:]
		}
	}
	tokens, next := nameTokens(list), 0
	for i := range a.Authors {
		if next == len(tokens) {
			break
		}
		after, ok := takeAuthor(tokens, next, &a.Authors[i])
		switch {
		case ok:
			next, read, end = after, i+1, tokens[after-1].end
		case a.Authors[i].CollectiveName == "":
			return read, end, false
		}
	}
	if last != "" && len(nameTokens(last)) > 0 && len(a.Authors) > 0 {
		_, ok := takeAuthor(nameTokens(last), 0, &a.Authors[len(a.Authors)-1])
		return len(a.Authors), len(text), ok && next == len(tokens)
	}
	return read, end, read > 0 && next == len(tokens)
}

// takeAuthor reads a name at a token. It returns the token behind it, and whether the name is that of an author.
func takeAuthor(tokens []nameToken, at int, a *entity.Author) (next int, ok bool) {
	if a.CollectiveName != "" {
		words := nameWords(a.CollectiveName)
		for i, word := range words {
			if at+i >= len(tokens) || tokens[at+i].word != word {
				return at, false
			}
		}
		return at + len(words), len(words) > 0
	}
	n := nameReader{family: nameWords(a.LastName), given: nameWords(a.FirstName), initials: a.Initials}
	n.complete = len(n.family)
	for next = at; next < len(tokens) && n.takes(tokens[next]); next++ {
	}
	return next, !slices.ContainsFunc(n.family, isName)
}

// A nameReader reads the words of the name of an author, in any order.
type nameReader struct {
	family, given []string // words that are not yet read
	initials      string
	complete      int  // number of words of the family name
	written       bool // initials or a given name
}

// takes reports whether a word belongs to the name.
func (n *nameReader) takes(t nameToken) bool {
	if i := slices.Index(n.family, t.word); i >= 0 {
		n.family = slices.Delete(n.family, i, i+1)
		return true
	}
	i := slices.Index(n.given, t.word)
	initialsAlone := len(n.given) > 0 && len(n.given[0]) == 1 && strings.HasPrefix(t.word, n.given[0])
	switch {
	case i >= 0:
		n.given = slices.Delete(n.given, i, i+1)
	case generations[t.word], t.initials && (!n.written || ofInitials(t.word, n.initials)), !n.written && initialsAlone:
	default: // a particle that the record does not have
		return len(n.family) == n.complete && !isName(t.word)
	}
	n.written = true
	return true
}

// ofInitials reports whether letters are some of the initials of an author.
func ofInitials(letters, initials string) bool {
	initials = nameFold(initials)
	return !strings.ContainsFunc(letters, func(r rune) bool { return !strings.ContainsRune(initials, r) })
}

var generations = setOf("jr sr ii iii iv 2nd 3rd")

// isName reports whether a word of a family name is no particle such as van, which people leave out.
func isName(word string) bool { return !particle.MatchString(word) || len(word) > 3 }

// authorLine returns the first authors of a record.
func authorLine(a *entity.Article, limit int) string {
	var names []string
	for i := range a.Authors {
		if i == limit {
			names = append(names, "et al")
			break
		}
		one := &a.Authors[i]
		initials := one.Initials
		if initials == "" {
			initials = one.FirstName
		}
		names = append(names, strings.TrimSpace(one.CollectiveName+one.LastName+" "+initials))
	}
	return strings.Join(names, ", ")
}

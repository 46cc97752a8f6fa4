package reference

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// The parts of a position in a journal.
const (
	yearForm   = `((?:1[89]|20)[0-9]{2})`
	volumeForm = `(?:(?i:vol(?:ume)?)\.?\s*)?([A-Za-z]{0,2}[0-9]{1,5}[A-Za-z]?)`
	issueForm  = `(?:\s*\(([^()]{1,40})\)|\.[0-9]{1,6}|,?\s*(?:no|iss|issue|nr)\.?\s*[0-9A-Za-z-]{1,12}|,?\s*(?i:suppl?)\b\.?(?:\s*[0-9A-Za-z]{1,4})?|,\s*sup[0-9]{1,3})?`
	pageForm   = `(?:pp?\.?\s*|pages?\s+|(?i:article)\s+)?([A-Za-z]{0,5}[0-9]{1,12}(?:\.e?[0-9]+)?[A-Za-z]{0,2})`
	lastForm   = `(?:\s*-\s*[A-Za-z]{0,5}[0-9]{1,12}(?:\.e?[0-9]+)?[A-Za-z]{0,2})?`
	// dayForm matches the date before a year: 1 Sept., July-Aug., spring, Dec. 1998-Jan.
	dayForm   = `(?:[0-9]{1,2}\s+)?(?:` + monthName + `(?:[0-9]{4}\s*)?(?:[-/]\s*(?:[0-9]{1,2}\s+)?` + monthName + `)?)?`
	monthName = `(?i:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|spring|summer|autumn|fall|winter)[a-z]{0,6}\.?\s*`
	// monthForm matches the date after a year: Jul 13, Dec-1999 Jan.
	monthForm = `(?:[ ,]+[A-Za-z][A-Za-z0-9 /-]{1,24}?)?`
)

// A positionFormat is a format of the position of an article in a journal. The numbers are those of the groups of form; 0 means that the
// format does not have the part.
type positionFormat struct {
	form               *lazyregexp.Regexp
	year, volume, page int
}

// positionFormats are tried in this order.
var positionFormats = []positionFormat{
	// 2019 Jul 13;394(10193):121-130. and 2019, 394, 121-130
	{lazyregexp.New(`\b(?:[0-9]{4}-)?` + yearForm + monthForm + `\s*[;,]\s*` + volumeForm + issueForm + `\s*[:,]\s*` + pageForm + lastForm),
		1, 2, 4},
	// 394.10193 (2019): 121-130 and 394 (2019) 121-130
	{lazyregexp.New(`\b` + volumeForm + issueForm + `\s*\((?:[A-Za-z. ]{0,12})?` + yearForm + `[a-z]?\)\s*[:,]?\s*` + pageForm + lastForm),
		3, 1, 4},
	// 394:121 (2019) and 394, 121-130 (2019)
	{lazyregexp.New(`\b` + volumeForm + issueForm + `\s*[:,]\s*` + pageForm + lastForm + `\s*[,.]?\s*\(` + yearForm + `[^)]{0,12}\)`),
		4, 1, 3},
	// vol. 394, no. 10193, 13 July 2019, pp. 121-130
	{lazyregexp.New(`\b` + volumeForm + issueForm + `,\s*` + dayForm + yearForm + `,\s*` + pageForm + lastForm), 3, 1, 4},
	// vol. 394, no. 10193, 13 July 2019
	{lazyregexp.New(`\b(?:vol\.\s*)` + volumeForm + issueForm + `,\s*` + dayForm + yearForm + `[ .,]*$`), 3, 1, 0},
	// 394(10193), 121-130 after a year in parentheses, and vol. 394, pp. 121-130, Jul. 2019
	{lazyregexp.New(`\b` + volumeForm + issueForm + `\s*[:,]\s*` + pageForm + lastForm), 0, 1, 3},
	// 2019;394(10193) and 2019;394.
	{lazyregexp.New(`\b(?:[0-9]{4}-)?` + yearForm + monthForm + `\s*;\s*` + volumeForm + issueForm + `[ .,;:]*$`), 1, 2, 0},
	// 394 (2019) at the end
	{lazyregexp.New(`\b` + volumeForm + issueForm + `\s*\(` + yearForm + `[a-z]?\)[ .,;:]*$`), 3, 1, 0},
	// 394(10193) at the end
	{lazyregexp.New(`\b` + volumeForm + `\s*\([^()]{1,40}\)[ .,;:]*$`), 0, 1, 0},
}

// finalVolume is the volume at the end of a text that has its year in parentheses.
var finalVolume = positionFormat{lazyregexp.New(`,\s*([0-9]{1,5})[ .,]*$`), 0, 1, 0}

var (
	numbering = lazyregexp.New(`^\s*(?:\[[0-9]{1,3}\]|\([0-9]{1,3}\)|[0-9]{1,3}[.)])\s+`)
	doiForm   = lazyregexp.New(`(?i)(?:https?://(?:dx\.|www\.)?doi\.org/|\bdoi\s*[:=]?\s*)?\b(10\.[0-9]{4,9}/[^\s"<>]+)`)
	pmidForm  = lazyregexp.New(`(?i)\b(?:PMID|pubmed(?:\s+id)?)\s*[:=]?\s*([0-9]{1,9})\b|pubmed\.ncbi\.nlm\.nih\.gov/([0-9]{1,9})/?`)
	bareID    = lazyregexp.New(`^0*([1-9][0-9]{3,8})$`)
	tails     = lazyregexp.New(`(?i)\bhttps?://\S+|\[(?:Epub ahead of print|Internet|cited[^\]]*)\]|\b(?:Epub|Available (?:from|at)|Accessed|Published online|Advance online publication|Retracted article)\b.*$`)
	// remarks matches remarks, which name another article than the cited one.
	remarks   = lazyregexp.New(`(?i)\[[^\[\]]*(?:\bcorrection|\berrat|\bretract|\bappears? in\b|\bcomment (?:in|on)\b)[^\[\]]*\]|\(Retraction published[^()]*\)|\b(?:Retraction|Retracted|Erratum|Correction|Corrected and republished|Comment|Update|Expression of concern) in:\s.*$`)
	pmcidForm = lazyregexp.New(`(?i)(?:\bPMCID\s*[:=]?\s*)?\b(PMC[0-9]{1,9})\b(?:\.[0-9]+)?|\bPMCID\s*[:=]?\s*([0-9]{1,9})\b`)
	apaYear   = lazyregexp.New(`\(` + yearForm + `[a-z]?(?:-[0-9]{2,4})?(?:,[^()]{0,30})?\)[.,:]?`)
	anyYear   = lazyregexp.New(`\b` + yearForm + `\b`)
	quoted    = lazyregexp.New(`^([^"]*?)"([^"]{8,}(?:[.,?!]"|"[.,]))`)
	// bracket matches square brackets with a number in them, harvard a title in single quotation marks.
	bracket = lazyregexp.New(`\[[^\[\]]*[0-9][^\[\]]*\]`)
	harvard = lazyregexp.New(`^['‘](.{8,})['’][.,]?\s`)
	// typography replaces quotation marks, dashes and spaces of word processors by ASCII characters.
	typography = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`,
		"–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-",
		"\u00a0", " ")
)

// Parse reads a reference in one of the usual styles: Vancouver, AMA, APA, MLA, those of Nature and of Elsevier, and short ones such as
// Husain, Lancet 394:121 (2019). Fields that it does not recognize are empty.
func Parse(text string) Fields {
	if f, ok := parseRecord(text); ok {
		return f
	}
	f := Fields{Text: strings.Join(strings.Fields(text), " ")}
	rest := typography.Replace(f.Text)
	if m := bareID.FindStringSubmatch(rest); m != nil {
		f.PMID = m[1]
		return f
	}
	rest = numbering.ReplaceAllString(rest, "")
	rest = f.takeIDs(rest)
	rest = strings.TrimSpace(tails.ReplaceAllString(rest, " "))
	f.readHead(f.takePosition(rest))
	return f
}

var (
	rangeEnd = lazyregexp.New(`^` + lastForm)
	// anIssue matches an issue behind a volume: (10193), .10193, no. 10193.
	anIssue = lazyregexp.New(`^\s*(?:\(([^()]{1,40})\)|\.([0-9]{1,6})|,?\s*(?:no|iss|issue|nr)\.?\s*([0-9A-Za-z-]{1,12}))`)
)

// issueOf returns the issue behind a volume. A year in parentheses is no issue.
func issueOf(text, year string) string {
	m := anIssue.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	if issue := cmp.Or(m[1:]...); issue != year && !apaYear.MatchString("("+issue+")") {
		return issue
	}
	return ""
}

// takePosition reads the position in a journal and the year, and returns the text before it.
func (f *Fields) takePosition(text string) (head string) {
	head, behind := text, ""
	list := positionFormats
	if apaYear.MatchString(text) {
		list = append(slices.Clone(positionFormats), finalVolume)
	}
	// A title may have the position of another article in brackets.
	masked := bracket.ReplaceAllStringFunc(text, func(part string) string { return strings.Repeat("~", len(part)) })
	for _, p := range list {
		at := p.form.FindStringSubmatchIndex(masked)
		if at == nil || at[0] == 0 {
			continue
		}
		group := func(n int) string {
			if n == 0 {
				return ""
			}
			return text[at[2*n]:at[2*n+1]]
		}
		f.Volume, f.FirstPage, f.Year = group(p.volume), group(p.page), group(p.year)
		if p.page > 0 {
			f.Pages = text[at[2*p.page]:at[2*p.page+1]]
			f.Pages += rangeEnd.FindString(text[at[2*p.page+1]:at[1]])
		}
		if at[2*p.volume+1] > 0 {
			f.Issue = issueOf(text[at[2*p.volume+1]:at[1]], f.Year)
		}
		head, behind = text[:at[0]], text[at[1]:]
		break
	}
	f.Year = cmp.Or(f.Year, yearOf(behind), yearOf(head))
	return head
}

// takeIDs reads the ids of a text, and returns the text without them.
func (f *Fields) takeIDs(text string) string {
	if m := pmidForm.FindStringSubmatch(text); m != nil {
		f.PMID = strings.TrimLeft(cmp.Or(m[1], m[2]), "0")
		text = pmidForm.ReplaceAllString(text, " ")
	}
	if m := pmcidForm.FindStringSubmatch(text); m != nil {
		f.PMCID = cmp.Or(strings.ToUpper(m[1]), "PMC"+m[2])
		text = pmcidForm.ReplaceAllString(text, " ")
	}
	text = remarks.ReplaceAllString(text, " ")
	if at := doiForm.FindStringSubmatchIndex(text); at != nil {
		doi := CleanDOI(text[at[2]:at[3]])
		f.DOI = doi
		text = text[:at[0]] + " " + text[at[2]+len(doi):]
	}
	return text
}

// CleanDOI returns a DOI without its address and without punctuation at its end. It keeps a closing parenthesis that belongs to the DOI.
func CleanDOI(text string) string {
	if m := doiForm.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	round, square := strings.Count(text, ")")-strings.Count(text, "("), strings.Count(text, "]")-strings.Count(text, "[")
	for {
		text = strings.TrimRight(text, ".,;:'")
		switch {
		case round > 0 && strings.HasSuffix(text, ")"):
			round--
		case square > 0 && strings.HasSuffix(text, "]"):
			square--
		default:
			return text
		}
		text = text[:len(text)-1]
	}
}

// yearOf returns the year in parentheses, else the last one.
func yearOf(text string) string {
	if m := apaYear.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	years := anyYear.FindAllString(text, -1)
	if len(years) == 0 {
		return ""
	}
	return years[len(years)-1]
}

// readHead reads the text before the position: authors, title and journal. Without a position, the journal is not distinguished from the
// rest.
func (f *Fields) readHead(head string) {
	head = strings.Trim(head, " ,;:.(")
	authors, rest := cutAuthors(head)
	if parts := quotedTitle(rest); parts != nil {
		f.setAuthor(cmp.Or(authors, parts[0]))
		f.Title = strings.Trim(parts[1], " ,.")
		f.setJournal(dateEnd.ReplaceAllString(parts[2], ""))
		return
	}
	parts := sentences(rest)
	if f.Volume != "" {
		last := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		if before, after, ok := cutLast(last, ","); ok && len(parts) == 0 && authors == "" {
			authors, last = moveInitials(before, after)
		}
		f.setJournal(last)
	}
	if authors == "" && len(parts) > 0 && looksLikeAuthors(parts[0]) && (len(parts) > 1 || f.Volume != "") {
		authors, parts = parts[0], parts[1:]
	}
	f.setAuthor(authors)
	if f.Volume == "" && f.Author != "" {
		parts = f.takeJournal(parts)
	}
	f.Title = strings.Trim(strings.Join(parts, ". "), " .,;:")
	if f.Volume == "" { // no position was found, and the title may end with the year
		f.Title = strings.TrimRight(strings.TrimSuffix(f.Title, f.Year), " .,;:(")
	}
	if !strings.Contains(f.Title, "(") {
		f.Title = strings.TrimRight(f.Title, " .)")
	}
}

// cutAuthors separates the authors, if a year in parentheses or et al. follows them.
func cutAuthors(head string) (authors, rest string) {
	authors, rest = "", head
	if at := apaYear.FindStringIndex(head); at != nil && at[0] > 0 {
		authors, rest = head[:at[0]], strings.TrimLeft(head[at[1]:], " .,")
	} else if at := etAl.FindStringIndex(head); at != nil && at[0] > 0 && at[0] < 200 && !strings.Contains(head[:at[0]], `"`) {
		end := at[0] + len(leadingEtAl.FindString(head[at[0]:]))
		authors, rest = head[:at[0]], strings.TrimLeft(head[end:], " .,;:")
	}
	return authors, rest
}

// quotedTitle returns the text before a title in quotation marks, the title, and the text after it; nil without one. It ignores quotation
// marks within a title.
func quotedTitle(text string) []string {
	if m := harvard.FindStringSubmatchIndex(text); m != nil {
		return []string{"", text[m[2]:m[3]], text[m[1]:]}
	}
	m := quoted.FindStringSubmatchIndex(text)
	if m == nil {
		return nil
	}
	before := strings.TrimSpace(text[:m[3]])
	if before != "" && !strings.HasSuffix(before, ".") && !strings.HasSuffix(before, ",") {
		return nil
	}
	return []string{before, strings.Trim(text[m[4]:m[5]], `".,`), text[m[1]:]}
}

// moveInitials moves initials before a journal to the author: Larkin, J. N. Engl. J. Med. The first initials of N. Engl. J. Med. and of J.
// Virol. belong to the journal.
func moveInitials(author, journal string) (name, rest string) {
	names := []string{author}
	for {
		m := oneInitial.FindStringSubmatchIndex(journal)
		if m == nil || strings.HasPrefix(journal, "N. Engl") {
			break
		}
		initial, next := journal[m[2]:m[3]], strings.TrimRight(journal[m[4]:m[5]], ".")
		if initial == "J." && len(next) > 1 && abbreviated[next] {
			break
		}
		names, journal = append(names, initial), journal[m[4]:]
	}
	return strings.Join(names, ", "), journal
}

// oneInitial matches an initial and the beginning of the next word.
var oneInitial = lazyregexp.New(`^(\p{Lu}\.)[ -]?(\S{1,20})`)

// dateEnd matches a date at the end of a text.
var dateEnd = lazyregexp.New(`[ ,.(]*\b(?:` + dayForm + yearForm + `|` + yearForm + monthForm + `)[ .,;)]*$`)

// takeJournal removes the last sentence and sets the journal, if the sentence looks like one: few words, each with a capital.
func (f *Fields) takeJournal(parts []string) []string {
	for len(parts) > 0 {
		last := strings.Trim(dateEnd.ReplaceAllString(parts[len(parts)-1], ""), " ,;.")
		if last == "" {
			parts = parts[:len(parts)-1]
			continue
		}
		if list := strings.Fields(last); len(parts) < 2 || len(list) > 6 || !allCapitalized(list) {
			break
		}
		f.setJournal(last)
		return parts[:len(parts)-1]
	}
	return parts
}

// allCapitalized reports whether each word, except the small words of journal names, begins with a capital.
func allCapitalized(list []string) bool {
	for _, word := range list {
		if len(journalWords(word)) > 0 && !unicode.IsUpper([]rune(word)[0]) {
			return false
		}
	}
	return true
}

// leadingEtAl matches et al. or equivalent words at the beginning of a text.
var leadingEtAl = lazyregexp.New(`(?i)^[,;&]?\s*(?:et\s+al\b\.?|and\s+(?:others|colleagues)\b|u\.\s*a\.)`)

func (f *Fields) setJournal(text string) {
	text = strings.TrimSpace(leadingEtAl.ReplaceAllString(text, ""))
	f.Journal = strings.Trim(strings.TrimSuffix(strings.TrimSpace(text), " vol"), " ,;:.")
}

func (f *Fields) setAuthor(text string) {
	if text = strings.Trim(text, " ,;."); text != "" {
		f.Author = text
	}
}

// cutLast splits a text at the last separator.
func cutLast(text, by string) (before, after string, ok bool) {
	i := strings.LastIndex(text, by)
	if i < 0 {
		return "", text, false
	}
	return text[:i], strings.TrimSpace(text[i+len(by):]), true
}

var sentenceEnd = lazyregexp.New(`[.?!]["')]?\s+`)

// sentences splits a text at the ends of sentences. The full stops of abbreviated journals and of initials are not ends.
func sentences(text string) []string {
	var parts []string
	from := 0
	for _, at := range sentenceEnd.FindAllStringIndex(text, -1) {
		before, word, _ := cutLast(text[from:at[0]], " ")
		if i := strings.LastIndexAny(word, ".-"); i >= 0 {
			before, word = word[:i+1], word[i+1:]
		}
		_, second, _ := cutLast(strings.TrimSpace(before), " ")
		// An initial after a name ends the authors; an initial after a comma or another initial does not.
		within := before == "" || strings.HasSuffix(before, ".") || strings.HasSuffix(before, ",")
		// J also ends the first author, unless it belongs to a journal: Korean J. Radiol.
		named := word == "J" && from == 0 && !within && !journalStart.MatchString(second)
		if text[at[0]] == '.' && !named && (len([]rune(word)) == 1 && within || abbreviated[word]) {
			continue
		}
		parts = append(parts, strings.TrimSpace(text[from:at[0]]))
		from = at[1]
	}
	return append(parts, strings.TrimSpace(text[from:]))
}

var journalStart = lazyregexp.New(`^(?:Acta|Am|Br|Can|Eur|Int|World|Asian|Chin|Clin|Open|[A-Z][a-z]+(?:an|ish|ese))$`)

// abbreviated are abbreviations in titles of journals that end with a full stop.
var abbreviated = setOf("Acad Acta Adv Am Ann Appl Arch Assoc Biochem Biol Br Bull Can Cardiol Chem Clin Coll Commun " +
	"Comp Curr Dev Dis Endocrinol " +
	"Engl Environ Epidemiol Eur Exp Gastroenterol Genet Gen Health Hosp Hum Immunol Infect Inst Int Intern J Med Mol Nat Natl " +
	"Neurol Neurosci Nutr Obstet Oncol " +
	"Opin Pathol Pediatr Pharmacol Phys Physiol Proc Psychiatry Psychol Public Radiol Res Rev Rheumatol Sci Ser Soc Surg Syst " +
	"Technol Ther Toxicol Trans Trop Virol")

var (
	nameEnd  = lazyregexp.New(`,|;|&|\s+and\s+|\s+et\s+al`)
	particle = lazyregexp.New(`^(?:\p{Lu}[\p{L}'’.-]*|van|von|der|den|de|del|della|di|da|dos|du|la|le|el|al|bin|ten|ter|zu|'t)$`)
)

// looksLikeAuthors reports whether a sentence begins with a name: few words, each with a capital.
func looksLikeAuthors(text string) bool {
	first := nameEnd.Split(text, 2)[0]
	list := strings.Fields(first)
	if len(list) == 0 || len(list) > 5 {
		return false
	}
	return !slices.ContainsFunc(list, func(word string) bool { return !particle.MatchString(word) })
}

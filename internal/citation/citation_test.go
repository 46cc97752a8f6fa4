package citation_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/citation"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func doe() entity.Author {
	return entity.Author{LastName: "Doe", FirstName: "Jane K", Initials: "JK"}
}

func roe() entity.Author {
	return entity.Author{LastName: "Röe-Smith", FirstName: "Jean-Pierre", Initials: "JP", Suffix: "Jr"}
}

func poe() entity.Author { return entity.Author{LastName: "van Poe", Initials: "AB", Suffix: "3rd"} }

// manyAuthors returns n invented authors.
func manyAuthors(n int) []entity.Author {
	out := make([]entity.Author, n)
	for i := range out {
		out[i] = entity.Author{LastName: fmt.Sprintf("Author%d", i+1), FirstName: "Xi", Initials: "X"}
	}
	return out
}

func manyAPA(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("Author%d, X.", i+1)
	}
	return strings.Join(names, ", ")
}

// article returns a simple article with changes.
func article(change func(*entity.Article)) entity.Article {
	a := entity.Article{
		PMID:    "111",
		Title:   "Moss on the DNA of {stones} & walls.",
		Authors: []entity.Author{doe(), roe()},
		JournalInfo: &entity.JournalInfo{
			Title: "Journal of invented moss (Anytown, N.W.)", ISOAbbreviation: "J Inv Moss", ISSN: "0000-0000",
			Volume: "12", Issue: "3", Pages: "113-25",
			PublicationDate: &entity.PublicationDate{Year: 2020, Month: "Mar", Day: 5},
		},
		DOI: "10.9999/moss_1(20)<2>",
	}
	if change != nil {
		change(&a)
	}
	return a
}

func guide(title string) entity.Article {
	return entity.Article{
		PMID: "222", Title: title,
		Book: &entity.Book{
			Title: "Guide to Moss", Publisher: "Moss Press Inc.", PublisherLocation: "Anytown (NW)", Edition: "2nd edition", Volume: "4",
			ISBN: []string{"9780000000002"}, Editors: []entity.Author{poe(), doe()},
			PublicationDate: &entity.PublicationDate{Year: 1993}, Accession: "NBK1",
		},
	}
}

func TestGolden(t *testing.T) {
	cases := []struct {
		name     string
		article  entity.Article
		apa, mla string
		ris      []string // lines that must occur
		bibtex   []string // lines that must occur
	}{
		{
			name: "two authors", article: article(nil),
			apa: "Doe, J. K., & Röe-Smith, J.-P., Jr. (2020). Moss on the DNA of {stones} & walls. Journal of Invented Moss, 12(3), " +
				"113–125. https://doi.org/10.9999/moss_1(20)%3C2%3E",
			mla: `Doe, Jane K., and Jean-Pierre Röe-Smith, Jr. "Moss on the DNA of {stones} & walls." Journal of Invented Moss, vol. 12, no. 3, 5 Mar. 2020, pp. 113-25, https://doi.org/10.9999/moss_1(20)%3C2%3E.`,
			ris: []string{"AU  - Doe, Jane K.", "AU  - Röe-Smith, Jean-Pierre, Jr.", "SP  - 113", "EP  - 125", "PY  - 2020",
				"DA  - 2020/03/05/"},
			bibtex: []string{"@article{doe2020_111,", "  author = {Doe, Jane K. and Röe-Smith, Jr., Jean-Pierre},", "  pages = {113--125},",
				"  month = mar,", `  title = {Moss on the {DNA} of \textbraceleft{}stones\textbraceright{} \& walls},`},
		},
		{
			name: "one author with a suffix, a number for pages, no issue",
			article: article(func(a *entity.Article) {
				a.Authors = []entity.Author{poe()}
				a.JournalInfo.Pages, a.JournalInfo.Issue, a.Title = "e5807", "", "Is it moss?"
			}),
			apa: "van Poe, A. B., III. (2020). Is it moss? Journal of Invented Moss, 12, Article e5807. " +
				"https://doi.org/10.9999/moss_1(20)%3C2%3E",
			mla:    `van Poe, A. B., III. "Is it moss?" Journal of Invented Moss, vol. 12, 5 Mar. 2020, article e5807, https://doi.org/10.9999/moss_1(20)%3C2%3E.`,
			ris:    []string{"AU  - van Poe, A. B., III", "SP  - e5807"},
			bibtex: []string{"@article{vanpoe2020_111,", "  author = {van Poe, III, A. B.},", "  pages = {e5807},"},
		},
		{
			name: "article number beside the pages, season, no DOI",
			article: article(func(a *entity.Article) {
				a.DOI, a.JournalInfo.Pages, a.JournalInfo.ELocation = "", "", "euae122"
				a.JournalInfo.PublicationDate = &entity.PublicationDate{Year: 1999, Season: "Winter-Spring"}
			}),
			apa: "Doe, J. K., & Röe-Smith, J.-P., Jr. (1999). Moss on the DNA of {stones} & walls. Journal of Invented Moss, 12(3), " +
				"Article euae122.",
			mla:    `Doe, Jane K., and Jean-Pierre Röe-Smith, Jr. "Moss on the DNA of {stones} & walls." Journal of Invented Moss, vol. 12, no. 3, winter-spring 1999, article euae122.`,
			ris:    []string{"DA  - 1999///Winter-Spring", "UR  - https://pubmed.ncbi.nlm.nih.gov/111/"},
			bibtex: []string{"  month = {Winter-Spring},", "  pages = {euae122},"},
		},
		{
			name: "over New Year, pages with a quiz",
			article: article(func(a *entity.Article) {
				a.DOI, a.JournalInfo.Pages = "", "S98-9; quiz S101-2"
				a.JournalInfo.PublicationDate = &entity.PublicationDate{Year: 1998, MedlineDate: "1998 Dec-1999 Jan"}
			}),
			apa: "Doe, J. K., & Röe-Smith, J.-P., Jr. (1998–1999). Moss on the DNA of {stones} & walls. Journal of Invented Moss, " +
				"12(3), S98–S99, S101–S102.",
			mla:    `Doe, Jane K., and Jean-Pierre Röe-Smith, Jr. "Moss on the DNA of {stones} & walls." Journal of Invented Moss, vol. 12, no. 3, Dec. 1998-Jan. 1999, pp. S98-S99, S101-S102.`,
			ris:    []string{"PY  - 1998", "DA  - 1998/12//Dec-Jan", "SP  - S98", "EP  - S99"},
			bibtex: []string{"  year = {1998--1999},", `  month = dec # "--" # jan,`, "  pages = {S98--S99, S101--S102},"},
		},
		{
			name: "collective author, year only, one page, nothing else",
			article: entity.Article{PMID: "333", Title: "Moss, again.",
				Authors: []entity.Author{{CollectiveName: "Moss and Stone Group, Anytown"}},
				JournalInfo: &entity.JournalInfo{Title: "Moss : the journal", Pages: "7",
					PublicationDate: &entity.PublicationDate{Year: 2001}}},
			apa:    "Moss and Stone Group, Anytown. (2001). Moss, again. Moss, 7.",
			mla:    `Moss and Stone Group, Anytown. "Moss, again." Moss, 2001, p. 7.`,
			ris:    []string{"AU  - Moss and Stone Group, Anytown", "SP  - 7"},
			bibtex: []string{"@article{moss2001_333,", "  author = {{Moss and Stone Group, Anytown}},"},
		},
		{
			name: "no authors, no date",
			article: entity.Article{PMID: "334", Title: `The "moss" question.`,
				JournalInfo: &entity.JournalInfo{Title: "Moss", Issue: "3"}},
			apa:    `The "moss" question. (n.d.). Moss, (3).`,
			mla:    `"The 'moss' question." Moss, no. 3.`,
			bibtex: []string{"@article{anonymous_334,"},
		},
		{
			name: "twenty authors, out before the issue",
			article: entity.Article{PMID: "335", Title: "M.", Authors: manyAuthors(20), PublicationStatus: "aheadofprint",
				ElectronicDate: "2021-05-02", JournalInfo: &entity.JournalInfo{Title: "Moss"}, DOI: "https://doi.org/10.9999/m"},
			apa:    manyAPA(19) + ", & Author20, X. (2021). M. Moss. Advance online publication. https://doi.org/10.9999/m",
			mla:    `Author1, Xi, et al. "M." Moss, 2 May 2021, https://doi.org/10.9999/m.`,
			ris:    []string{"DO  - 10.9999/m", "UR  - https://doi.org/10.9999/m", "DA  - 2021/05/02/"},
			bibtex: []string{"@article{author12021_335,", "  doi = {10.9999/m},"},
		},
		{
			name: "twenty-one authors",
			article: entity.Article{PMID: "336", Title: "M", Authors: manyAuthors(21),
				JournalInfo: &entity.JournalInfo{Title: "Moss", PublicationDate: &entity.PublicationDate{Year: 2021, Season: "Jan-Mar"}}},
			apa:    manyAPA(19) + ", . . . Author21, X. (2021). M. Moss.",
			mla:    `Author1, Xi, et al. "M." Moss, Jan.-Mar. 2021.`,
			ris:    []string{"AU  - Author21, Xi", "DA  - 2021/01//Jan-Mar"},
			bibtex: []string{`  month = jan # "--" # mar,`},
		},
		{
			name: "authors cut by the library",
			article: article(func(a *entity.Article) {
				a.AuthorsIncomplete, a.DOI, a.JournalInfo.Pages = true, "", "1653-1786"
			}),
			apa: "Doe, J. K., Röe-Smith, J.-P., Jr., et al. (2020). Moss on the DNA of {stones} & walls. Journal of Invented Moss, " +
				"12(3), 1653–1786.",
			mla:    `Doe, Jane K., et al. "Moss on the DNA of {stones} & walls." Journal of Invented Moss, vol. 12, no. 3, 5 Mar. 2020, pp. 1653-786.`,
			bibtex: []string{"  author = {Doe, Jane K. and Röe-Smith, Jr., Jean-Pierre and others},"},
		},
		{
			name: "retracted, with the notice",
			article: article(func(a *entity.Article) {
				a.Retracted, a.Title = true, "Moss."
				a.Corrections = []entity.Correction{{Type: "RetractionIn",
					Source: "J Inv Moss. 2022 Feb 6;14(9713):445-6. doi: 10.9999/r."}}
			}),
			apa: "Doe, J. K., & Röe-Smith, J.-P., Jr. (2020). Moss. Journal of Invented Moss, 12(3), 113–125. " +
				"https://doi.org/10.9999/moss_1(20)%3C2%3E (Retraction published 2022, J Inv Moss, 14[9713], 445–446)",
			mla:    `Doe, Jane K., and Jean-Pierre Röe-Smith, Jr. "Moss." Journal of Invented Moss, vol. 12, no. 3, 5 Mar. 2020, pp. 113-25, https://doi.org/10.9999/moss_1(20)%3C2%3E. Retracted article.`,
			ris:    []string{"N1  - Retracted. Retraction in: J Inv Moss. 2022 Feb 6;14(9713):445-6. doi: 10.9999/r"},
			bibtex: []string{"  note = {Retracted. Retraction in: J Inv Moss. 2022 Feb 6;14(9713):445-6. doi: 10.9999/r}"},
		},
		{
			name:    "retracted, nothing more known",
			article: article(func(a *entity.Article) { a.Retracted, a.Title, a.DOI, a.JournalInfo.Pages = true, "Moss.", "", "ii-xi" }),
			apa:     "Doe, J. K., & Röe-Smith, J.-P., Jr. (2020). Moss [Retracted]. Journal of Invented Moss, 12(3), ii–xi.",
			mla:     `Doe, Jane K., and Jean-Pierre Röe-Smith, Jr. "Moss." Journal of Invented Moss, vol. 12, no. 3, 5 Mar. 2020, pp. ii-xi. Retracted article.`,
			ris:     []string{"N1  - Retracted"},
		},
		{
			name: "translated, names in other letters",
			article: article(func(a *entity.Article) {
				a.Title, a.VernacularTitle, a.DOI = "[On moss].", "О мхе.", ""
				a.Authors = []entity.Author{{LastName: "Иванов", FirstName: "Пётр"}, {LastName: "王", FirstName: "伟"},
					{FirstName: "Suharto"}}
			}),
			apa:    "Иванов, П., 王, 伟, & Suharto. (2020). О мхе [On moss]. Journal of Invented Moss, 12(3), 113–125.",
			mla:    `Иванов, Пётр, et al. "О мхе [On moss]." Journal of Invented Moss, vol. 12, no. 3, 5 Mar. 2020, pp. 113-25.`,
			ris:    []string{"TI  - О мхе", "TT  - On moss", "AU  - Suharto"},
			bibtex: []string{"@article{anonymous2020_111,", "  title = {О мхе [{On} moss]},"},
		},
		{
			name: "chapter",
			article: func() entity.Article {
				a := guide("Walls")
				a.Authors = []entity.Author{roe()}
				a.Book.Section, a.Book.ContributionDate = "Chapter 5", &entity.PublicationDate{Year: 2006, Month: "Feb", Day: 15}
				return a
			}(),
			apa: "Röe-Smith, J.-P., Jr. (2006). Walls. In A. B. van Poe, III & J. K. Doe (Eds.), Guide to Moss (2nd ed., Vol. 4, " +
				"Chapter 5). Moss Press. https://www.ncbi.nlm.nih.gov/books/NBK1/",
			mla: `Röe-Smith, Jean-Pierre, Jr. "Walls." Guide to Moss, edited by A. B. van Poe III and Jane K. Doe, 2nd ed., vol. 4, Moss Press, 15 Feb. 2006, https://www.ncbi.nlm.nih.gov/books/NBK1/.`,
			ris: []string{"TY  - CHAP", "A2  - van Poe, A. B., III", "T2  - Guide to Moss", "SE  - Chapter 5", "ET  - 2nd",
				"PB  - Moss Press Inc.", "CY  - Anytown (NW)", "SN  - 9780000000002"},
			bibtex: []string{"@incollection{roesmith2006_222,", "  editor = {van Poe, III, A. B. and Doe, Jane K.},",
				"  booktitle = {Guide to Moss},", "  chapter = {5},", "  isbn = {9780000000002},"},
		},
		{
			name:    "book of editors",
			article: guide(""),
			apa: "van Poe, A. B., III, & Doe, J. K. (Eds.). (1993). Guide to Moss (2nd ed., Vol. 4). Moss Press. " +
				"https://www.ncbi.nlm.nih.gov/books/NBK1/",
			mla:    `van Poe, A. B., III, and Jane K. Doe, editors. Guide to Moss. 2nd ed., vol. 4, Moss Press, 1993, https://www.ncbi.nlm.nih.gov/books/NBK1/.`,
			ris:    []string{"TY  - BOOK", "ED  - Doe, Jane K.", "TI  - Guide to Moss"},
			bibtex: []string{"@book{vanpoe1993_222,", "  title = {Guide to {Moss}},"},
		},
		{
			name: "book of editors in place of authors",
			article: func() entity.Article {
				a := guide("")
				a.Title, a.Authors = a.Book.Title, a.Book.Editors
				return a
			}(),
			apa: "van Poe, A. B., III, & Doe, J. K. (Eds.). (1993). Guide to Moss (2nd ed., Vol. 4). Moss Press. " +
				"https://www.ncbi.nlm.nih.gov/books/NBK1/",
			mla:    `van Poe, A. B., III, and Jane K. Doe, editors. Guide to Moss. 2nd ed., vol. 4, Moss Press, 1993, https://www.ncbi.nlm.nih.gov/books/NBK1/.`,
			ris:    []string{"TY  - BOOK", "ED  - Doe, Jane K.", "TI  - Guide to Moss"},
			bibtex: []string{"@book{vanpoe1993_222,", "  title = {Guide to {Moss}},"},
		},
		{
			name: "book of authors, edited",
			article: func() entity.Article {
				a := guide("Guide to moss.")
				a.Book.Authors, a.Book.Editors, a.Book.Edition = []entity.Author{roe()}, []entity.Author{doe()}, ""
				return a
			}(),
			apa:    "Röe-Smith, J.-P., Jr. (1993). Guide to moss (Vol. 4). Moss Press. https://www.ncbi.nlm.nih.gov/books/NBK1/",
			mla:    `Röe-Smith, Jean-Pierre, Jr. Guide to moss. Edited by Jane K. Doe, vol. 4, Moss Press, 1993, https://www.ncbi.nlm.nih.gov/books/NBK1/.`,
			ris:    []string{"AU  - Röe-Smith, Jean-Pierre, Jr.", "VL  - 4"},
			bibtex: []string{"@book{roesmith1993_222,"},
		},
		{
			name: "the PMID alone", article: entity.Article{PMID: "9"},
			apa:    "[Untitled]. (n.d.).",
			mla:    "",
			ris:    []string{"TY  - GEN", "AN  - 9"},
			bibtex: []string{"@misc{anonymous_9,", "  pmid = {9}"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			expect.Equal(t, "APA", c.apa, citation.APA(c.article))
			expect.Equal(t, "MLA", c.mla, citation.MLA(c.article))
			has(t, citation.RIS(c.article), c.ris)
			has(t, citation.BibTeX(c.article), c.bibtex)
			checkReferences(t, c.article)
		})
	}
}

func has(t *testing.T, text string, lines []string) {
	t.Helper()
	for _, l := range lines {
		expect.That(t, strings.Contains("\n"+text+"\n", "\n"+l+"\n"), "no line %q in\n%s", l, text)
	}
}

// fullArticle returns an article with all fields, for the two largest goldens.
func fullArticle() entity.Article {
	return article(func(a *entity.Article) {
		a.PMCID, a.Languages, a.Keywords = "PMC1", []string{"eng"}, []string{"moss", "100% stone"}
		a.MeshTerms = []entity.MeshTerm{{DescriptorName: "Walls", QualifierName: "history"}, {DescriptorName: "Walls"}}
		a.AbstractText = "AIM: to\r\nsee ~ moss.\nEND: a^b\\c $5 #1 x_y"
	})
}

func TestRIS(t *testing.T) {
	want := `TY  - JOUR
ID  - doe2020_111
AU  - Doe, Jane K.
AU  - Röe-Smith, Jean-Pierre, Jr.
TI  - Moss on the DNA of {stones} & walls
T2  - Journal of Invented Moss
JO  - Journal of Invented Moss
JA  - J Inv Moss
VL  - 12
IS  - 3
PY  - 2020
DA  - 2020/03/05/
SP  - 113
EP  - 125
SN  - 0000-0000
DO  - 10.9999/moss_1(20)<2>
UR  - https://doi.org/10.9999/moss_1(20)%3C2%3E
AN  - 111
C2  - PMC1
DB  - PubMed
LA  - eng
KW  - moss
KW  - 100% stone
KW  - Walls
AB  - AIM: to see ~ moss. END: a^b\c $5 #1 x_y
ER  - `
	expect.Equal(t, "", want, citation.RIS(fullArticle()))
}

func TestBibTeX(t *testing.T) {
	want := `@article{doe2020_111,
  author = {Doe, Jane K. and Röe-Smith, Jr., Jean-Pierre},
  title = {Moss on the {DNA} of \textbraceleft{}stones\textbraceright{} \& walls},
  journal = {Journal of Invented Moss},
  year = {2020},
  month = mar,
  volume = {12},
  number = {3},
  pages = {113--125},
  issn = {0000-0000},
  doi = {10.9999/moss_1(20)<2>},
  url = {https://doi.org/10.9999/moss_1(20)%3C2%3E},
  pmid = {111},
  pmcid = {PMC1},
  language = {eng},
  keywords = {moss, 100\% stone, Walls},
  abstract = {AIM: to see \textasciitilde{} moss. END: a\textasciicircum{}b\textbackslash{}c \$5 \#1 x\_y}
}`
	expect.Equal(t, "", want, citation.BibTeX(fullArticle()))
}

// TestDays: Vancouver keeps the days and the quarter of an issue as the record has them.
func TestDays(t *testing.T) {
	for given, want := range map[string]string{
		"2009 Oct 15-31":         "2009 Oct 15-31.",
		"1983 Jul 30-Aug 6":      "1983 Jul 30-Aug 6.",
		"2000 Dec 28-2001 Jan 3": "2000 Dec 28-2001 Jan 3.",
		"1976 4th Quarter":       "1976 4th Quarter.",
		"1978 3d Quart":          "1978 3d Quart.",
		"1998 Dec-1999 Jan":      "1998 Dec-1999 Jan.",
		"Oct 15-31 of 2009":      "2009 Oct.",
	} {
		a := entity.Article{PMID: "1", JournalInfo: &entity.JournalInfo{Title: "Moss",
			PublicationDate: &entity.PublicationDate{Year: 2009, MedlineDate: given}}}
		if year, err := strconv.Atoi(given[:4]); err == nil {
			a.JournalInfo.PublicationDate.Year = year
		}
		expect.That(t, strings.Contains(citation.Vancouver(a), want), "%s: %s", given, citation.Vancouver(a))
	}
}

func TestPages(t *testing.T) {
	cases := map[string][2]string{ // pages in BibTeX and in MLA
		"113-25":            {"113--125", "pp. 113-25"},
		"103-108":           {"103--108", "pp. 103-08"},
		"96-101":            {"96--101", "pp. 96-101"},
		"1-10":              {"1--10", "pp. 1-10"},
		"199-05":            {"199--05", "pp. 199-05"},
		"H337-H349":         {"H337--H349", "pp. H337-H349"},
		"S12-9":             {"S12--S19", "pp. S12-S19"},
		"1233-44.e3":        {"1233--1244.e3", "pp. 1233-1244.e3"},
		"12.e1-12.e9":       {"12.e1--12.e9", "pp. 12.e1-12.e9"},
		"e1-e5":             {"e1--e5", "pp. e1-e5"},
		"e00337-22":         {"e00337-22", "article e00337-22"},
		"031208":            {"031208", "article 031208"},
		"101234":            {"101234", "article 101234"},
		"5-5":               {"5", "p. 5"},
		"12; discussion 13": {"12, 13", "pp. 12, 13"},
		"2 p following 123": {"2 p following 123", "pp. 2 p following 123"},
	}
	for given, want := range cases {
		a := entity.Article{PMID: "1", JournalInfo: &entity.JournalInfo{Title: "Moss", Pages: given}}
		has(t, citation.BibTeX(a), []string{"  pages = {" + want[0] + "},"})
		expect.Is(t, citation.MLA(a), "Moss, "+want[1]+".", "%s", given)
	}
	a := entity.Article{PMID: "1", JournalInfo: &entity.JournalInfo{Title: "Moss", Pages: "1233-44.e3"}}
	expect.That(t, strings.Contains(citation.Vancouver(a), ":1233-44.e3."), "%s", citation.Vancouver(a))
}

func TestJournals(t *testing.T) {
	for given, want := range map[string]string{
		"Science (New York, N.Y.)":                               "Science",
		"BMJ (Clinical research ed.)":                            "BMJ",
		"Stone (Baltimore, Md. : 1950)":                          "Stone",
		"Stone : official journal of the Stone Society":          "Stone",
		"Stone; the fate of moss in gardens":                     "Stone",
		"Stone (Anytown) : the journal. Part A":                  "Stone (Anytown)",
		"The New England journal of medicine":                    "The New England Journal of Medicine",
		"Biochimica et biophysica acta. Molecular cell research": "Biochimica et Biophysica Acta. Molecular Cell Research",
		"Journal of moss. The walls":                             "Journal of Moss. The Walls",
		"Anti-cancer drugs":                                      "Anti-Cancer Drugs",
		"Over-the-counter moss":                                  "Over-the-Counter Moss",
		"mBio":                                                   "mBio",
		"Zeitschrift für moos":                                   "Zeitschrift für Moos",
		"Revue de l'étude des mousses":                           "Revue de l'étude des Mousses",
		"Stone & moss":                                           "Stone & Moss",
		"(Stone)":                                                "(Stone)",
	} {
		a := entity.Article{PMID: "1", JournalInfo: &entity.JournalInfo{Title: given}}
		expect.Is(t, citation.MLA(a), want+".", "%s", given)
		has(t, citation.RIS(a), []string{"T2  - " + want, "JO  - " + want})
		has(t, citation.BibTeX(a), []string{"  journal = {" + strings.ReplaceAll(want, "&", `\&`) + "},"})
	}
}

func TestIssues(t *testing.T) {
	for given, want := range map[[2]string][2]string{ // volume and issue in APA and in MLA
		{"12", "3"}:              {"12(3)", "vol. 12, no. 3"},
		{"12", "3-4"}:            {"12(3-4)", "vol. 12, no. 3-4"},
		{"12", "S1"}:             {"12(S1)", "vol. 12, no. S1"},
		{"12", "Suppl"}:          {"12(Suppl.)", "vol. 12, suppl."},
		{"12", "Suppl 2"}:        {"12(Suppl. 2)", "vol. 12, suppl. 2"},
		{"12", "3 Suppl 2"}:      {"12(3, Suppl. 2)", "vol. 12, no. 3, suppl. 2"},
		{"12", "3 Pt B"}:         {"12(3, Pt. B)", "vol. 12, no. 3, pt. B"},
		{"12", "Spec No"}:        {"12(Spec No.)", "vol. 12, spec no."},
		{"12", "Database issue"}: {"12(Database issue)", "vol. 12, Database issue"},
		{"12", "Supplement"}:     {"12(Supplement)", "vol. 12, Supplement"},
		{"12 Suppl 1", ""}:       {"12(Suppl. 1)", "vol. 12, suppl. 1"},
		{"12 Suppl 1", "3"}:      {"12 Suppl 1(3)", "vol. 12 Suppl 1, no. 3"},
		{"Suppl 1", ""}:          {"Suppl 1", "vol. Suppl 1"},
	} {
		a := entity.Article{PMID: "1", JournalInfo: &entity.JournalInfo{Title: "Moss", Volume: given[0], Issue: given[1]}}
		if got := citation.APA(a); got != "[Untitled]. (n.d.). Moss, "+want[0]+"." && got != "[Untitled]. (n.d.). Moss, "+want[0] {
			t.Errorf("%q: %s", given, got)
		}
		expect.Is(t, citation.MLA(a), strings.TrimSuffix("Moss, "+want[1], ".")+".", "%q", given)
	}
}

func TestPublishers(t *testing.T) {
	for given, want := range map[string]string{
		"Moss Press (US)":       "Moss Press",
		"Moss Press, Inc.":      "Moss Press",
		"Moss Press Ltd":        "Moss Press",
		"Moss Press (of stone)": "Moss Press (of stone)",
		"Inc.":                  "Inc",
		"Moss Press Inc. (US)":  "Moss Press",
	} {
		a := entity.Article{PMID: "1", Title: "Walls", Book: &entity.Book{Publisher: given}}
		expect.Is(t, citation.MLA(a), "Walls. "+want+".", "%s", given)
		has(t, citation.RIS(a), []string{"PB  - " + given})
	}
}

func TestBibTeXCapitals(t *testing.T) {
	for given, want := range map[string]string{
		"Moss on stone":                "Moss on stone",
		"DNA (RNA), <b> of KB220, p53": `{DNA} ({RNA}), \textless{}b\textgreater{} of {KB220}, p53`,
		`"Moss" | "Stone?" 50% A_B`:    `"{Moss}" \textbar{} "{Stone}?" 50\% {A\_B}`,
		"... and (e.g.) WHO's":         "... and (e.g.) {WHO's}",
	} {
		has(t, citation.BibTeX(entity.Article{PMID: "1", Title: given}), []string{"  title = {" + want + "},"})
	}
}

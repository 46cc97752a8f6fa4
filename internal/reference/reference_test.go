package reference_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/reference"
)

// The styles are those of reference managers; the works are invented.
func TestParse(t *testing.T) {
	t.Parallel()
	const title = "Effects of a new drug on the heart: a randomised trial"
	lancet := reference.Fields{Journal: "Lancet", Year: "2019", Volume: "394", FirstPage: "121"}
	with := func(change func(*reference.Fields)) reference.Fields {
		f := lancet
		change(&f)
		return f
	}
	authored := func(author, journal string) reference.Fields {
		return with(func(f *reference.Fields) { f.Author, f.Title, f.Journal = author, title, journal })
	}
	for text, want := range map[string]reference.Fields{
		"Husain, Lancet 394:121 (2019)":                with(func(f *reference.Fields) { f.Author = "Husain" }),
		"Husain M. Lancet 2019; 394: 121-30":           with(func(f *reference.Fields) { f.Author = "Husain M" }),
		"Husain M, et al. Lancet. 2019;394(10193):121": with(func(f *reference.Fields) { f.Author = "Husain M" }),
		"Husain et al., Lancet 2019;394:121–130.":      with(func(f *reference.Fields) { f.Author = "Husain" }),
		"Lancet 2019;394:121":                          lancet,
		"Lancet 394 (2019) 121-130":                    lancet,
		"[12] Lancet. 2019 Jul 13;394(10193):121-130.": lancet,
		"Husain M, Ashbrook D. " + title +
			". Lancet. 2019 Jul 13;394(10193):121-130. doi: 10.5555/S0140-6736(19)31149-3. Epub 2019 Jun 10. " +
			"PMID: 90000001; PMCID: PMC1.": with(func(f *reference.Fields) {
			f.Author, f.Title, f.DOI, f.PMID, f.PMCID = "Husain M, Ashbrook D", title, "10.5555/S0140-6736(19)31149-3", "90000001", "PMC1"
		}),
		"Husain, M., Ashbrook, D. E., & Reedham, F. (2019). " + title +
			". The Lancet, 394(10193), 121–130. https://doi.org/10.5555/x.y": with(func(f *reference.Fields) {
			f.Author, f.Title, f.Journal, f.DOI = "Husain, M., Ashbrook, D. E., & Reedham, F", title, "The Lancet", "10.5555/x.y"
		}),
		"Husain, M. et al. " + title + ". Lancet 394, 121–130 (2019).": authored("Husain, M", "Lancet"),
		"Husain, Mansoor, et al. “" + title +
			".” The Lancet 394.10193 (2019): 121-130.": authored("Husain, Mansoor", "The Lancet"),
		"M. Husain, D. Ashbrook, \"" +
			title + ",\" Lancet, vol. 394, no. 10193, pp. 121-130, Jul. 2019.": authored("M. Husain, D. Ashbrook", "Lancet"),
		"Husain M, Ashbrook D. " + title + ". N. Engl. J. Med. 394, 121-130 (2019)": authored("Husain M, Ashbrook D", "N. Engl. J. Med"),
		"3. Husain M; Ashbrook D. " + title + ". Lancet 2019, 394, 121-130.":        authored("Husain M; Ashbrook D", "Lancet"),
		"van der Berg J, Ashbrook D. " + title + "? PLoS One. 2019;14(3):e0212345": {
			Author: "van der Berg J, Ashbrook D", Title: title, Journal: "PLoS One", Year: "2019", Volume: "14", FirstPage: "e0212345",
		},
		"Larkin J. N Engl J Med. 2015;373:23-34.": {Author: "Larkin J", Journal: "N Engl J Med", Year: "2015",
			Volume: "373", FirstPage: "23"},
		"Larkin, J. N. Engl. J. Med. 373, 23–34 (2015).": {Author: "Larkin, J", Journal: "N. Engl. J. Med", Year: "2015",
			Volume: "373", FirstPage: "23"},
		"Larkin, J. Virol. 73, 23–34 (2015).": {Author: "Larkin", Journal: "J. Virol", Year: "2015", Volume: "73",
			FirstPage: "23"},
		"Korean J. Radiol. 2015;73:23-34.": {Journal: "Korean J. Radiol", Year: "2015", Volume: "73",
			FirstPage: "23"},
		"Husain M. " + title + ". Lancet. 2019;394(10193)": with(func(f *reference.Fields) {
			f.Author, f.Title,
				f.FirstPage = "Husain M", title, ""
		}),
		"Husain M. " + title + ". Lancet. 2019;394.": with(func(f *reference.Fields) {
			f.Author, f.Title,
				f.FirstPage = "Husain M", title, ""
		}),
		"Husain M. " + title + ". Lancet 2019.":         {Author: "Husain M", Title: title, Journal: "Lancet", Year: "2019"},
		"Husain M. " + title + ". Lancet. 2019 Jul 13.": {Author: "Husain M", Title: title, Journal: "Lancet", Year: "2019"},
		"Husain M. " + title + ". Lancet. 2019;394(10193):euae999": with(func(f *reference.Fields) {
			f.Author, f.Title,
				f.FirstPage = "Husain M", title, "euae999"
		}),
		"Husain, M. (2019). " + title + ". The Lancet, 394(10193), Article eadn0327.": with(func(f *reference.Fields) {
			f.Author, f.Title, f.Journal, f.FirstPage = "Husain, M", title, "The Lancet", "eadn0327"
		}),
		"Husain, Mansoor, et al. \"" +
			title + ".\" Lancet, vol. 394, no. 9, 1 Sept. 2019, pp. 1865-76.": with(func(f *reference.Fields) {
			f.Author, f.Title,
				f.FirstPage = "Husain, Mansoor", title, "1865"
		}),
		"Husain, Mansoor. \"" + title + ".\" Lancet, vol. 394, no. 9, July-Aug. 2019, pp. 121-30.": authored("Husain, Mansoor", "Lancet"),
		"Husain, Mansoor. \"" + title + ".\" Lancet, vol. 394, no. 9, spring 2019, pp. 121-30.":    authored("Husain, Mansoor", "Lancet"),
		"Husain, M. and Ashbrook, D. (2019) ‘" +
			title + "’, New Moss Journal, 394(1), pp. 121–130.": authored("Husain, M. and Ashbrook, D", "New Moss Journal"),
		"Husain M. A \"blood relationship\" between drugs and stone. Lancet. 2019;394:121-30.": with(func(f *reference.Fields) {
			f.Author, f.Title = "Husain M", "A \"blood relationship\" between drugs and stone"
		}),
		"Husain M. " + title + " [published correction appears in Moss. 2020;1:2]. Lancet. 2019;394:121-30.": authored("Husain M",
			"Lancet"),
		title:                            {Title: title},
		"Husain M. " + title + ". 2019.": {Author: "Husain M", Title: title, Year: "2019"},
		"PMID 90000001":                  {PMID: "90000001"},
		"90000001":                       {PMID: "90000001"},
		"https://doi.org/10.5555/abc.1":  {DOI: "10.5555/abc.1"},
		"(see 10.5555/abc(1).)":          {DOI: "10.5555/abc(1)", Title: "see"},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got := reference.Parse(text)
			got.Issue, got.Pages, got.Authors = "", "", "" // TestStatements has them
			want.Text = strings.Join(strings.Fields(text), " ")
			expect.Equal(t, "", want, got)
		})
	}
}

// record is the record that references are compared with.
func record() *entity.Article {
	return &entity.Article{
		PMID: "90000001", PMCID: "PMC1", Title: "Effects of a new drug on the heart: a randomised trial.", DOI: "10.5555/S0140(19)1",
		ElectronicDate: "2018-12-10",
		Authors: []entity.Author{
			{LastName: "Ashbrook-Reedham", FirstName: "Dana E", Initials: "DE"}, {LastName: "Larkhill", Initials: "S"},
			{LastName: "Rydén", Initials: "L"},
			{LastName: "van der Berg", Initials: "J"}, {CollectiveName: "HEART Trial Investigators"},
		},
		JournalInfo: &entity.JournalInfo{
			Title: "The New England journal of medicine", ISOAbbreviation: "N Engl J Med", MedlineAbbreviation: "N Engl J Med",
			Volume: "394", Pages: "121-30", ELocation: "e0121",
			PublicationDate: &entity.PublicationDate{Year: 2019}, ISSN: "1533-4406",
		},
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		given   reference.Fields
		differs string
		score   int
	}{
		{"place", reference.Fields{Journal: "NEJM", Year: "2019", Volume: "394", FirstPage: "121"}, "", 5},
		{"year of the electronic version",
			reference.Fields{Journal: "New Engl J Med", Year: "2018", Volume: "394", FirstPage: "121-130"}, "", 5},
		{"another author", reference.Fields{Journal: "N. Engl. J. Med.", Year: "2019", Volume: "394", FirstPage: "121", Author: "Husain"},
			"author", 4},
		{"another author and year", reference.Fields{Journal: "N Engl J Med", Year: "2011", Volume: "394", FirstPage: "121",
			Author: "Husain"}, "year author", 2},
		{"second author", reference.Fields{Author: "Larkhill S"}, "", 2},
		{"without accents", reference.Fields{Author: "Ryden, L."}, "", 2},
		{"particles", reference.Fields{Author: "J. van der Berg"}, "", 2},
		{"part of a name", reference.Fields{Author: "Reedham DE"}, "", 2},
		{"full name", reference.Fields{Author: "Sam Larkhill"}, "", 2},
		{"group", reference.Fields{Author: "HEART Trial"}, "", 2},
		{"other initial", reference.Fields{Author: "Larkhill B"}, "author", -1},
		{"beginning of a name", reference.Fields{Author: "Lark S"}, "author", -1},
		{"volume with its issue", reference.Fields{Volume: "vol. 394(1)"}, "", 1},
		{"word before a page", reference.Fields{FirstPage: "p121"}, "", 2},
		{"other PMID", reference.Fields{PMID: "90000002", Volume: "394"}, "pmid", 1},
		{"other PMCID", reference.Fields{PMCID: "PMC2", Volume: "394"}, "pmcid", 1},
		{"article number", reference.Fields{FirstPage: "E0121"}, "", 2},
		{"other journal", reference.Fields{Journal: "Nature", FirstPage: "121"}, "journal", 1},
		{"ISSN", reference.Fields{Journal: "1533-4406"}, "", 1},
		{"title", reference.Fields{Title: "Effects of a new drug on the heart"}, "", 4},
		{"other title", reference.Fields{Title: "Effects of an old drug on the lung of children"}, "title", -3},
		{"DOI", reference.Fields{DOI: "https://doi.org/10.5555/s0140(19)1."}, "", 5},
		{"other DOI", reference.Fields{DOI: "10.5555/s0140(19)2"}, "doi", -2},
		{"text", reference.Parse("see: effects of a new drug on the heart, a randomised trial, in the big journal"), "", 4},
		{"PMID", reference.Parse("PMID 90000001"), "", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := reference.Compare(tt.given, record())
			expect.Is(t, strings.Join(got.Differs, " "), tt.differs, "differs")
			expect.Is(t, got.Score, tt.score, "score")
		})
	}
	incomplete := record()
	incomplete.AuthorsIncomplete = true
	expect.Equal(t, "a record without all authors", reference.Comparison{},
		reference.Compare(reference.Fields{Author: "Husain"}, incomplete))
	expect.Equal(t, "an empty record", reference.Comparison{},
		reference.Compare(reference.Parse("Husain M. A title of some words. Lancet 2019;1:2"), &entity.Article{PMID: "1"}))
}

// FuzzParse: any text is parsed in time, and every field can be sent to a source.
func FuzzParse(f *testing.F) {
	f.Add("Husain, Lancet 394:121 (2019)")
	f.Add("A, B. (2019). T. J, 1(2), 3. doi:10.1/x)")
	f.Add("\x00|\t2019;1:1 et al et al \"")
	f.Fuzz(func(t *testing.T, text string) {
		got := reference.Parse(text)
		for _, field := range []string{got.Journal, got.Year, got.Volume, got.FirstPage, got.Author, got.Title, got.DOI, got.PMID,
			got.PMCID} {
			expect.That(t, len(field) <= len(text)+8, "%q is longer than %q", field, text)
			expect.That(t, utf8.ValidString(field) || !utf8.ValidString(text), "%q is no text", field)
		}
		reference.Compare(got, record())
	})
}

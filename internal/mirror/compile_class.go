package mirror

import (
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/internal/mirror/wordindex"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A classTest reports whether a condition holds for a site with the words of a country, nil for none, and a status, as classOf returns it.
type classTest func(country []string, status uint32) bool

// classTestOf returns the test of a node for one site, or nil if the node depends on more than the class of the site.
func classTestOf(n query.Node) classTest {
	switch n := n.(type) {
	case query.All, query.Boost:
		return func([]string, uint32) bool { return true }
	case query.And:
		return joinTests(n, false)
	case query.Or:
		return joinTests(n, true)
	case query.Not:
		if inner := classTestOf(n.Node); inner != nil {
			return func(country []string, status uint32) bool { return !inner(country, status) }
		}
		return nil
	}
	return classTestOfPiece(n)
}

// joinTests returns the test that a site passes if it passes one of the nodes' tests, or all of them.
func joinTests(nodes []query.Node, one bool) classTest {
	var tests []classTest
	for _, n := range nodes {
		t := classTestOf(n)
		if t == nil {
			return nil
		}
		tests = append(tests, t)
	}
	return func(country []string, status uint32) bool {
		return slices.ContainsFunc(tests, func(t classTest) bool { return t(country, status) == one }) == one
	}
}

// classTestOfPiece returns the test of a condition on the country or the status of a site.
func classTestOfPiece(n query.Node) classTest {
	switch n := n.(type) {
	case query.Term:
		if wordindex.OnlyPiece(n) == wordindex.CountryPiece {
			return func(country []string, _ uint32) bool { return holdsInOne(n, country) }
		}
	case query.Value:
		if n.Piece.Name == sitePieces[statusOfSite] {
			want := classOf(0, n.Text)
			return func(_ []string, status uint32) bool { return status == want }
		}
	case query.Missing:
		switch n.Piece.Name {
		case wordindex.CountryPiece:
			return func(country []string, _ uint32) bool { return country == nil }
		case sitePieces[statusOfSite]:
			return func(_ []string, status uint32) bool { return status == missingStatus }
		}
	}
	return nil
}

func holdsInOne(n query.Term, words []string) bool {
	if n.Phrase || n.FullMatch {
		return n.Holds(words)
	}
	return !slices.ContainsFunc(n.Words, func(word string) bool { return !slices.Contains(words, word) })
}

// classes finds the studies with a site that passes a test.
func (f *finder) classes(test classTest) (finding, error) {
	countries, err := countryWords(f.ctx, f.db)
	if err != nil {
		return finding{}, err
	}
	rows, err := f.rowsOf(f.ctx, f.db, sitesListing, func(class uint32) bool {
		return test(countries[class>>statusBits], class&otherStatus)
	})
	return finding{rows, true}, err
}

// countryWords returns the words of the countries by number.
func countryWords(ctx context.Context, db querier) (map[uint32][]string, error) {
	texts, err := values(ctx, db, slices.Index(grouped, wordindex.CountryPiece))
	words := map[uint32][]string{}
	for id, text := range texts {
		words[uint32(id)] = append([]string{}, query.Words(text)...)
	}
	return words, err
}

package mirror

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror/feed"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A WordCount is the number of trials that have a word in some fields.
type WordCount struct {
	Word, Fields   string
	Here, Registry int
}

// Differs reports whether one number is more than twice the other, apart from small numbers. The registry also finds synonyms and other
// forms of a word, but a field that the mirror does not find any more changes the number more.
func (w WordCount) Differs() bool { return max(w.Here, w.Registry) > 2*min(w.Here, w.Registry)+10 }

// countedWords are the words that a verification counts, by the index that has them. They are frequent words without synonyms. The words of
// MeSH terms are frequent in the broader terms only.
var countedWords = map[string]string{
	"title": "trial", "condition": "disease", "condition_mesh": "site", "keyword": "quality", "intervention": "placebo",
	"intervention_text": "mechanisms", "summary": "purpose", "criteria": "consent", "outcome": "change", "lead": "university",
	"facility": "hospital", "city": "boston",
}

// countWords counts words in the file and at the registry.
func countWords(ctx context.Context, db querier, client *feed.Client) (counts []WordCount, err error) {
	for _, i := range wordColumns {
		word := countedWords[i.name]
		if word == "" {
			continue
		}
		pieces := slices.DeleteFunc(strings.Fields(i.pieces), func(name string) bool { return query.PieceNamed(name).Enum() != nil })
		var nodes []query.Node
		for _, piece := range pieces {
			nodes = append(nodes, query.Named(piece, word))
		}
		filter := query.AnyOf(nodes...).String()
		n, err := query.Parse(filter, nil)
		if err != nil {
			return nil, err
		}
		if either, ok := n.(query.Or); ok {
			n = either[0]
		}
		term, ok := n.(query.Term)
		if !ok {
			return nil, fmt.Errorf("%s is no word", filter)
		}
		count := WordCount{Word: word, Fields: strings.Join(pieces, ", ")}
		err = db.QueryRowContext(ctx, "SELECT count(*) FROM words WHERE words MATCH ?",
			matchingTerm(term, []string{i.name})).Scan(&count.Here)
		if err != nil {
			return nil, err
		}
		if count.Registry, err = client.Count(ctx, filter); err != nil {
			return nil, err
		}
		counts = append(counts, count)
	}
	return counts, nil
}

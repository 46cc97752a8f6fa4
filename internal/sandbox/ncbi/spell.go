package ncbi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/biofact-mcp/biofact/internal/reply"
)

// spell is ESpell. It corrects words to those of the records.
func (u *Utilities) spell(r request) (reply.Reply, error) {
	db, err := u.open(r.get("db"))
	if err != nil {
		return reply.Reply{}, err
	}
	all, ok := db.(*articles)
	if !ok {
		return reply.Reply{}, notServed("espell of " + r.get("db"))
	}
	words, changed := strings.Fields(r.get("term")), false
	for i, word := range words {
		if isOperator(word) {
			words[i] = strings.ToLower(word)
		} else if near := all.spell(strings.ToLower(word)); near != "" {
			words[i], changed = near, true
		}
	}
	if !changed {
		words = nil
	}
	return spellReply(r, strings.Join(words, " "), ""), nil
}

func spellReply(r request, corrected, failure string) reply.Reply {
	return reply.Reply{Status: http.StatusOK, Type: "text/xml; charset=UTF-8", Body: fmt.Appendf(nil, `<?xml version="1.0"?>`+
		"\n<eSpellResult>\n\t<Database>%s</Database>\n\t<Query>%s</Query>\n\t<CorrectedQuery>%s</CorrectedQuery>\n"+
		"\t<ERROR>%s</ERROR>\n</eSpellResult>\n",
		escaped.Replace(r.get("db")), escaped.Replace(r.get("term")), escaped.Replace(corrected), escaped.Replace(failure))}
}

// spell returns a similar word of the records, or "".
func (a *articles) spell(word string) string {
	words := a.words()
	const shortest = 5 // minimum length of a word to correct
	if len(word) < shortest || slices.Contains(words, word) || strings.ContainsAny(word, "0123456789-/") {
		return ""
	}
	for far := 1; far <= 2; far++ {
		for _, other := range words {
			if other[0] == word[0] && len(other) >= shortest && levenshtein.ComputeDistance(word, other) <= far {
				return other
			}
		}
	}
	return ""
}

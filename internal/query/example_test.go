package query_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/internal/query"
)

// condition compiles a node to a condition over tables of another engine, or returns false where the
// engine has no column for it.
func condition(n query.Node) (string, bool) {
	switch n := n.(type) {
	case query.And:
		return joined(n, " AND ")
	case query.Or:
		return joined(n, " OR ")
	case query.Not:
		inner, ok := condition(n.Node)
		return "NOT " + inner, ok
	case query.Term:
		return fmt.Sprintf("words MATCH '{%s}: %s'", n.Area.Name, strings.Join(n.Words, " ")), true
	case query.Value:
		return fmt.Sprintf("%s = '%s'", n.Piece.Name, n.Text), true
	case query.DateRange:
		return fmt.Sprintf("%s BETWEEN '%s' AND '%s'", n.Piece.Name, n.From, n.To), true
	}
	return "", false
}

func joined(nodes []query.Node, operator string) (string, bool) {
	var parts []string
	for _, n := range nodes {
		part, ok := condition(n)
		if !ok {
			return "", false
		}
		parts = append(parts, part)
	}
	return "(" + strings.Join(parts, operator) + ")", true
}

// Another engine compiles the nodes of a search.
func ExampleReadSearch() {
	search, err := query.ReadSearch("query.cond=melanoma+OR+nevi&filter.advanced=AREA[Phase]PHASE3+AND+AREA[StartDate]2024&sort=StartDate")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range append(search.Queries, search.Advanced) {
		fmt.Println(condition(n))
	}
	fmt.Println("ORDER BY", search.Sort[0].Piece.Name, "DESC LIMIT", search.PageSize)
	// Output:
	// (words MATCH '{ConditionSearch}: melanoma' OR words MATCH '{ConditionSearch}: nevi') true
	// (Phase = 'PHASE3' AND StartDate BETWEEN '2024-01-01' AND '2024-12-31') true
	// ORDER BY StartDate DESC LIMIT 10
}

// A BadRequest has the sentence of the registry.
func ExampleBadRequest() {
	_, err := query.ReadSearch("query.term=EGFR+AND")
	message, _, _ := strings.Cut(err.Error(), " expecting")
	fmt.Println(message)
	// Output: Error parsing query in Other terms: mismatched input '<EOF>'
}

// Studies evaluates a search over records. An engine that found candidates by other means checks them in this way.
func ExampleStudies_Search() {
	study := map[string]any{"protocolSection": map[string]any{
		"identificationModule": map[string]any{"nctId": "NCT90000001", "briefTitle": "An Example of Nevi"},
		"designModule":         map[string]any{"phases": []any{"PHASE2", "PHASE3"}},
	}}
	search, err := query.ReadSearch("query.cond=nevi&filter.advanced=AREA[Phase:size]2&fields=NCTId&countTotal=true")
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := query.NewStudies([]map[string]any{study}).Search(context.Background(), search)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(page.JSON()))
	// Output: {"totalCount":1,"studies":[{"protocolSection":{"identificationModule":{"nctId":"NCT90000001"}}}]}
}

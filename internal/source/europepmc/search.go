package europepmc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	api "github.com/biofact-mcp/biofact/gen/europepmc"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/articles"
	"github.com/biofact-mcp/biofact/internal/source"
)

// A Search requests the first articles that match a query, in the order of relevance.
type Search struct {
	Query string
	Size  int
	// Links requests the published versions of preprints, which makes an answer nine times as large.
	Links bool
}

func (s Search) key() string { return fmt.Sprintf("%d %t %s", s.Size, s.Links, s.Query) }

// Found has the articles of a search, and the number of all that match.
type Found struct {
	Total    int               `json:"total"`
	Articles []articles.Listed `json:"articles"`
}

// Search returns the first articles that match a query.
func (e *EuropePMC) Search(ctx context.Context, search Search, notes *entity.Notes) (*Found, error) {
	return e.searches.Get(ctx, search, notes)
}

// Printed returns the query for the articles that print one of some texts in the title, the abstract or the text.
func Printed(texts ...string) string {
	var parts []string
	for _, text := range texts {
		for _, field := range []string{"TITLE", "ABSTRACT", "BODY"} {
			parts = append(parts, field+`:"`+strings.NewReplacer(`"`, " ", `\`, " ").Replace(text)+`"`)
		}
	}
	return strings.Join(parts, " OR ")
}

func (e *EuropePMC) search(ctx context.Context, searches []Search) (source.Reply[Found], error) {
	s, answers := searches[0], map[string]*Found{}
	params := &api.SearchParams{Query: s.Query, Format: "json", ResultType: "lite", PageSize: s.Size}
	if s.Links {
		params.ResultType = "core"
	}
	resp, err := e.keeper.Read(e.client.Search(ctx, params))
	reply := source.Reply[Found]{Answers: answers, Retrieval: resp.Retrieval}
	if err != nil {
		return reply, err
	}
	var found api.Found
	if resp.Status == http.StatusOK {
		err = json.Unmarshal(resp.Body, &found)
	}
	switch {
	case err != nil:
	case resp.Status != http.StatusOK:
		err = fmt.Errorf("status %d", resp.Status)
	case found.ErrCode != 0:
		err = fmt.Errorf("error %d: %s", found.ErrCode, found.ErrMsg)
	case found.HitCount == nil:
		err = errors.New("no number of hits")
	}
	if err != nil {
		return reply, e.keeper.Unreadable(err)
	}
	answer := &Found{Total: *found.HitCount}
	for i := range found.ResultList.Result {
		answer.Articles = append(answer.Articles, articles.ListedArticle(&found.ResultList.Result[i]))
	}
	answers[s.key()] = answer
	return reply, nil
}

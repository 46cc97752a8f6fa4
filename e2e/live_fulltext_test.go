//go:build live

package e2e

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// fullText reads an open text by each kind of id, a manuscript, a text that may be withheld, and ids that do not exist.
func (l *live) fullText(t *testing.T) {
	const review, reviewPMID, reviewDOI = "PMC5994433", "29915538", "10.3389/fphar.2018.00576"
	for _, id := range []string{review, reviewPMID, reviewDOI} {
		var text entity.ArticleFullText
		l.call(t, "getArticleFullText", map[string]any{"id": id, "maxBytes": 400000}, &text)
		expect.That(t, text.PMCID == review && text.PMID == reviewPMID && strings.EqualFold(text.DOI, reviewDOI), "%s: ids %s %s %s", id,
			text.PMCID, text.PMID, text.DOI)
		expect.That(t, text.Availability == "full_text" && text.License != nil && strings.HasPrefix(text.License.Code, "CC BY"),
			"%s: %s, %+v", id, text.Availability, text.License)
		kinds := map[string]bool{}
		for _, entry := range text.Outline {
			for _, kind := range entry.Kinds {
				kinds[kind] = true
			}
		}
		expect.That(t, kinds["methods"] && kinds["results"] && len(text.References) > 0, "%s: kinds %v, %d references", id, kinds,
			len(text.References))
		expect.That(t, slices.ContainsFunc(text.References, func(r entity.TextReference) bool { return r.DOI != "" || r.PMID != "" }),
			"%s: no reference has an id", id)
	}
	var text entity.ArticleFullText
	l.call(t, "getArticleFullText", map[string]any{"id": "PMC4689591"}, &text)
	expect.That(t, text.Availability == "full_text" && text.Copy == "author_manuscript", "%s, %s", text.Availability, text.Copy)
	l.call(t, "getArticleFullText", map[string]any{"id": "PMC7556338"}, &text)
	expect.That(t, text.Availability != "not_in_pmc" && len(text.Sections) > 0 && len(text.Tried) > 0, "%s, tried %v", text.Availability,
		text.Tried)
	l.call(t, "getArticleFullText", map[string]any{"id": "26027431"}, &text)
	expect.Is(t, text.Availability, "not_in_pmc", "availability of an article that is in PubMed alone")
	for _, id := range []string{"PMC999999999", "999999999", "10.5555/biofact.unknown"} {
		expect.Is(t, l.call(t, "getArticleFullText", map[string]any{"id": id}, nil), entity.EntityNotFound, "code of %s", id)
	}
}

// convertIDs checks that the ID converter and the E-utilities, which replace it, give the same ids. An unknown DOI must not match as
// words.
func (l *live) convertIDs(t *testing.T) {
	ids := []string{"PMC5994433", "29915538", "10.3389/fphar.2018.00576", "26027431", "10.1056/NEJMoa1504030", "10.5555/biofact.unknown",
		"999999999", "words"}
	const want = "found found found not_in_pmc not_in_pmc unknown unknown malformed"
	cfg, err := config.Read(os.Environ())
	expect.NoError(t, err)
	cfg.Sandbox, cfg.IDConvURL, cfg.CacheDir = os.Getenv("BIOFACT_LIVE_SANDBOX"), "https://pmc.ncbi.nlm.nih.gov/none", "off"
	without, err := app.New(t.Context(), cfg, "live", nil)
	expect.NoError(t, err)
	defer without.Close()
	for _, a := range []*app.App{l.app, without} {
		if a == without && cfg.Sandbox != "" {
			continue // all addresses have the same converter
		}
		var answer entity.ArticleIdentifiers
		(&live{app: a, timeout: l.timeout}).call(t, "convertArticleIds", map[string]any{"ids": ids}, &answer)
		var states []string
		for _, item := range answer.Items {
			states = append(states, item.Status)
			if item.Status == "found" {
				expect.That(t, item.PMCID == ids[0] && item.PMID == ids[1] && strings.EqualFold(item.DOI, ids[2]), "%+v", item)
			}
		}
		expect.Is(t, strings.Join(states, " "), want, "states")
	}
}

// mesh reads a heading by its name, by a synonym, by its id, by an id of the newer form and by a tree number, and a substance. It
// checks the ids of the related headings.
func (l *live) mesh(t *testing.T) {
	for query, want := range map[string]string{
		"asthma": "MESH:D001249", "heart attack": "MESH:D009203", "MESH:D001249": "MESH:D001249", "C08.127.108": "MESH:D001249",
		"palbociclib": "MESH:C500026",
	} {
		var found entity.MeshHeadings
		l.call(t, "lookupMesh", map[string]any{"query": query}, &found)
		expect.Must(t, len(found.Items) > 0, "%s: nothing", query)
		top := found.Items[0]
		expect.Is(t, top.ID, want, "%s", query)
		expect.That(t, top.ArticleCounts != nil && top.Query != "", "%s: counts %v, query %q", query, top.ArticleCounts, top.Query)
		expect.That(t, strings.HasPrefix(want, "MESH:C") == (len(top.MappedTo) > 0), "%s is mapped to %v", query, top.MappedTo)
		expect.That(t, strings.HasPrefix(want, "MESH:C") != (len(top.Broader) > 0 && len(top.Narrower) > 0), "%s: broader %v, narrower %v",
			query, top.Broader, top.Narrower)
	}
	if os.Getenv("BIOFACT_LIVE_SANDBOX") == "" { // the sandbox has no heading with an id of the newer form
		var found entity.MeshHeadings
		l.call(t, "lookupMesh", map[string]any{"query": "D000072669"}, &found)
		expect.That(t, len(found.Items) == 1 && found.Items[0].ID == "MESH:D000072669", "%+v", found.Items)
	}
}

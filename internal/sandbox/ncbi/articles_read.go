package ncbi

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/sandbox/pmc"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// readArticles reads the articles of the PubMed files, and marks those whose full text is open. Of the records of an article the first
// counts.
func readArticles(ctx context.Context, f *records.Folder, genes func() (*genes, error), texts pmc.Articles) (*articles, error) {
	var list []*article
	seen := map[uint64]bool{}
	err := eachRecord(ctx, f, []string{"PubmedArticle", "PubmedBookArticle"}, func(_, text string) error {
		tree, err := parseElement(text)
		if err != nil {
			return err
		}
		a := &article{element: tree, xml: text}
		if a.PMID, err = strconv.ParseUint(a.text("*/PMID"), 10, 64); err != nil || a.PMID == 0 {
			return errors.New("a record without a PMID")
		}
		if full := texts[a.id("pmc")]; !seen[a.PMID] {
			seen[a.PMID], a.open = true, full != nil && full.Open()
			list = append(list, a)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(x, y *article) int { return newestFirst(x.PMID, y.PMID) })
	all, err := newIndex(list, articleFields, articleValues())
	if err != nil {
		return nil, err
	}
	a := &articles{index: all, genes: genes}
	a.graph = sync.OnceValue(a.citations)
	a.words = sync.OnceValue(a.vocabulary)
	a.medline, err = readMEDLINE(ctx, f)
	return a, err
}

// readMEDLINE reads the recorded responses of EFetch in the format of MEDLINE. It returns the text of an article by its PMID.
func readMEDLINE(ctx context.Context, f *records.Folder) (map[string]string, error) {
	all := map[string]string{}
	for _, file := range f.MEDLINE("ncbi") {
		text, err := file.Read(ctx)
		if err != nil {
			return nil, err
		}
		const begin = "\nPMID- "
		for _, record := range strings.Split("\n"+string(text), begin)[1:] {
			pmid, _, _ := strings.Cut(record, "\n")
			all[strings.TrimSpace(pmid)] = begin + strings.TrimSpace(record) + "\n"
		}
	}
	return all, nil
}

package ncbi

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

func (a *articles) citations() *citations {
	net := &citations{citedBy: map[uint64][]uint64{}, terms: map[uint64][]string{}, weight: map[string]int{}}
	spread := map[string]int{}
	for _, record := range a.list {
		for _, pmid := range a.refs(record) {
			net.citedBy[pmid] = append(net.citedBy[pmid], record.PMID) // descending, as the list is
		}
		var terms []string
		for _, subject := range record.subjects(false) {
			terms = append(terms, "mesh "+subject)
		}
		for _, title := range record.texts(titlePath + "|" + bookTitlePath) {
			terms = append(terms, queryWords(title)...)
		}
		slices.Sort(terms)
		net.terms[record.PMID] = slices.Compact(terms)
		for _, t := range net.terms[record.PMID] {
			spread[t]++
		}
	}
	for t, n := range spread {
		net.weight[t] = int(scale * math.Log(float64(len(a.list)+1)/float64(n)))
	}
	return net
}

// scale makes scores as large as those of NCBI, tens of millions.
const scale = 300

// refs returns the articles of the database that a record cites, by falling PMID.
func (a *articles) refs(record *article) []uint64 {
	var refs []uint64
	const paths = "*/ReferenceList/Reference/ArticleIdList/ArticleId|*/ReferenceList/ReferenceList/Reference/ArticleIdList/ArticleId"
	for _, id := range record.all(paths) {
		pmid, err := strconv.ParseUint(id.value(), 10, 64)
		if err == nil && id.attribute("IdType") == "pubmed" && a.byID[pmid] != nil && pmid != record.PMID {
			refs = append(refs, pmid)
		}
	}
	slices.SortFunc(refs, newestFirst)
	return slices.Compact(refs)
}

// maxSimilar is about the number of similar articles that NCBI returns.
const maxSimilar = 100

// links implements database.
func (a *articles) links(uid uint64, name string) ([]link, error) {
	record := cmp.Or(a.byID[uid], &article{})
	switch name {
	case "pubmed_pubmed":
		return a.similar(uid), nil
	case "pubmed_pubmed_citedin":
		return linksTo(a.graph().citedBy[uid]), nil
	case "pubmed_pubmed_refs":
		return linksTo(a.refs(record)), nil
	case "pubmed_gene", "pubmed_gene_rif":
		return a.geneLinks(uid, name == "pubmed_gene_rif")
	}
	return nil, noSuchLink(name)
}

// similar returns the articles that are most similar to an article, which is the first itself.
func (a *articles) similar(uid uint64) []link {
	if a.byID[uid] == nil {
		return nil
	}
	var others []link
	for _, other := range a.list {
		if score := a.graph().similarity(uid, other.PMID); score > 0 && other.PMID != uid {
			others = append(others, link{other.PMID, score})
		}
	}
	slices.SortFunc(others, func(x, y link) int { return cmp.Or(cmp.Compare(y.score, x.score), newestFirst(x.uid, y.uid)) })
	self := link{uid, a.graph().similarity(uid, uid)}
	return append([]link{self}, others[:min(len(others), maxSimilar-1)]...)
}

// geneLinks returns the genes that have an article in their articles, or in their GeneRIFs.
func (a *articles) geneLinks(uid uint64, ofRIFs bool) ([]link, error) {
	genes, err := a.genes()
	if err != nil {
		return nil, err
	}
	var back []uint64
	for _, gene := range genes.list {
		pmids := gene.PMIDs
		if ofRIFs {
			pmids = gene.RIFs
		}
		if slices.Contains(pmids, uid) {
			back = append(back, gene.ID)
		}
	}
	slices.SortFunc(back, newestFirst)
	return linksTo(back), nil
}

// similarity returns the similarity of two articles, or 0 if they have too few terms in common.
func (c *citations) similarity(a, b uint64) int {
	score, shared := 0, 0
	have := c.terms[b]
	for _, t := range c.terms[a] {
		if _, both := slices.BinarySearch(have, t); !both {
			continue
		}
		score += c.weight[t] * c.weight[t]
		if c.weight[t] > scale { // rarer than in a third of the articles
			shared++
		}
	}
	if a != b && shared < 2 {
		return 0
	}
	return score
}

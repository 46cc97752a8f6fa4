package sandbox

import (
	"cmp"
	"math"
	"slices"
)

// citations are what the articles say of each other.
type citations struct {
	citedBy map[uint64][]uint64
	terms   map[uint64][]string // subjects and words of the title, sorted
	weight  map[string]int      // of a term: the rarer, the heavier
}

func (a *articles) citations() *citations {
	net := &citations{citedBy: map[uint64][]uint64{}, terms: map[uint64][]string{}, weight: map[string]int{}}
	spread := map[string]int{}
	for _, record := range a.list {
		for _, pmid := range a.refs(record) {
			net.citedBy[pmid] = append(net.citedBy[pmid], record.PMID) // falling, as the list
		}
		var terms []string
		for _, subject := range record.subjects(false) {
			terms = append(terms, "mesh "+subject)
		}
		for _, title := range titles(record) {
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

// scale brings scores to the size that they have upstream, tens of millions.
const scale = 300

// score is how alike two articles are, 0 where they share too little. Nothing is
// more like an article than itself.
func (c *citations) score(a, b uint64) int {
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

// refs are the articles of the database that a record cites, by falling PMID.
func (a *articles) refs(record *article) []uint64 {
	var refs []uint64
	for _, r := range record.References {
		if a.byID[r.PMID] != nil && r.PMID != record.PMID {
			refs = append(refs, r.PMID)
		}
	}
	slices.SortFunc(refs, newestFirst)
	return slices.Compact(refs)
}

// mostSimilar is about how many similar articles the upstream names.
const mostSimilar = 100

// links are those to PubMed and to Gene.
func (a *articles) links(uid uint64, to string) ([]linkList, error) {
	record := a.byID[uid]
	switch {
	case record == nil:
		return nil, nil
	case to == "gene":
		return a.geneLinks(uid)
	case to != "pubmed":
		return nil, nil
	}
	net := a.net()
	scores := map[uint64]int{}
	var similar, reviews []uint64
	for _, other := range a.list {
		if score := net.score(uid, other.PMID); score > 0 || other == record {
			scores[other.PMID] = score
			similar = append(similar, other.PMID)
		}
	}
	slices.SortFunc(similar, func(x, y uint64) int {
		if x == uid || y == uid { // even if another is as much like it
			return cmp.Compare(boolNumber(y == uid), boolNumber(x == uid))
		}
		return cmp.Or(cmp.Compare(scores[y], scores[x]), newestFirst(x, y))
	})
	similar = similar[:min(len(similar), mostSimilar)]
	for _, other := range similar {
		if slices.ContainsFunc(a.byID[other].Types, func(h heading) bool { return h.Name == "Review" }) {
			reviews = append(reviews, other)
		}
	}
	return []linkList{
		{name: "pubmed_pubmed", uids: similar, scores: scores},
		{name: "pubmed_pubmed_citedin", uids: net.citedBy[uid], scores: map[uint64]int{}},
		{name: "pubmed_pubmed_five", uids: similar[:min(5, len(similar))], scores: scores},
		{name: "pubmed_pubmed_refs", uids: a.refs(record), scores: map[uint64]int{}},
		{name: "pubmed_pubmed_reviews", uids: reviews, scores: scores},
	}, nil
}

func boolNumber(b bool) int {
	if b {
		return 1
	}
	return 0
}

// geneLinks lead back from the articles of the genes.
func (a *articles) geneLinks(uid uint64) ([]linkList, error) {
	genes, err := a.genes()
	if err != nil {
		return nil, err
	}
	back := map[string][]uint64{}
	for _, gene := range genes.list {
		lists, err := genes.links(gene.ID, "pubmed")
		if err != nil {
			return nil, err
		}
		for _, list := range lists {
			if slices.Contains(list.uids, uid) {
				back[list.name] = append(back[list.name], gene.ID)
			}
		}
	}
	var lists []linkList
	for _, names := range [][2]string{{"pubmed_gene", "gene_pubmed"}, {"pubmed_gene_citedinomim", "gene_pubmed_citedinomim"}, {"pubmed_gene_rif", "gene_pubmed_rif"}} {
		slices.SortFunc(back[names[1]], newestFirst)
		lists = append(lists, linkList{name: names[0], uids: back[names[1]], scores: map[uint64]int{}})
	}
	return lists, nil
}

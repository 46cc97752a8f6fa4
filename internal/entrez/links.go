package entrez

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ReadLinks is ReadNeighbors for links without an order of their own. It sorts the ids in descending order, and returns the same errors.
func ReadLinks(body []byte, linkname string) (map[string][]string, error) {
	neighbors, err := ReadNeighbors(body, linkname)
	if err != nil {
		return nil, err
	}
	links := map[string][]string{}
	for id, near := range neighbors {
		var ids []string
		for _, n := range near {
			ids = append(ids, n.PMID)
		}
		slices.SortFunc(ids, func(a, b string) int { return CompareIDs(b, a) })
		links[id] = ids
	}
	return links, nil
}

// Neighbor is an article that a record is linked to.
type Neighbor struct {
	PMID  string // digits; empty: the link cannot be read
	Score int64  // similarity, without a unit and comparable for one record only; 0 if scores were not requested
}

// ReadNeighbors reads a JSON ELink response to a request that has each id as a parameter of its own (id=1&id=2, not id=1,2). It returns the
// links of each id under a linkname, in NCBI's order and without duplicates. Of similar articles the first is the article itself. An id
// without links is in the map; NCBI returns the same for an unknown id. An id that is missing from the response is not in the map. A link
// that cannot be read has no PMID. A response that pools the links of several ids is an error.
func ReadNeighbors(body []byte, linkname string) (map[string][]Neighbor, error) {
	var answer struct {
		LinkSets []struct {
			IDs   []string
			Error message
			DBs   []struct {
				LinkName string
				Links    []neighbor
			} `json:"linksetdbs"`
		} `json:"linksets"`
	}
	if err := readAnswer("ELink", body, &answer); err != nil {
		return nil, err
	}
	if len(answer.LinkSets) == 0 {
		return nil, errors.New("an ELink without link sets")
	}
	neighbors := map[string][]Neighbor{}
	type pair struct{ from, to string }
	known := map[pair]bool{}
	for _, set := range answer.LinkSets {
		if len(set.IDs) != 1 {
			return nil, fmt.Errorf("an ELink with a link set of %d ids", len(set.IDs))
		}
		id := set.IDs[0]
		near := neighbors[id]
		for _, db := range set.DBs {
			if db.LinkName != linkname {
				continue
			}
			for _, l := range db.Links {
				if p := (pair{id, l.PMID}); l.PMID == "" || !known[p] {
					known[p] = true
					near = append(near, Neighbor(l))
				}
			}
		}
		neighbors[id] = near
	}
	return neighbors, nil
}

// CompareIDs compares numbers of any length.
func CompareIDs(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// neighbor is an id, or an object with an id and a score. One that cannot be read is empty, so that the other links are kept.
type neighbor Neighbor

func (n *neighbor) UnmarshalJSON(text []byte) error {
	if n.read(text) != nil {
		*n = neighbor{}
	}
	return nil
}

func (n *neighbor) read(text []byte) error {
	var scored struct{ ID, Score string }
	target := any(&scored.ID)
	if len(text) > 0 && text[0] == '{' {
		target = &scored
	}
	if err := readJSON(text, target); err != nil {
		return err
	}
	n.PMID = strings.TrimLeft(scored.ID, "0")
	if !isNumber(n.PMID) {
		return fmt.Errorf("a link to %.40q, which is no id", scored.ID)
	}
	if scored.Score != "" {
		value, err := strconv.ParseInt(scored.Score, 10, 64)
		if err != nil {
			return fmt.Errorf("a link with the score %.40q", scored.Score)
		}
		n.Score = value
	}
	return nil
}

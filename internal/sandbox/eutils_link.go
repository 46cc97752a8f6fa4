package sandbox

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// link is ELink, cmd=neighbor and cmd=neighbor_score.
func (e *eutils) link(r request) (answer, error) {
	sets, err := e.linkSets(r)
	if inside, ok := errors.AsType[errorInside](err); ok {
		return r.linkError(string(inside))
	}
	if err != nil {
		return answer{}, err
	}
	return jsonAnswer(object{r.header(), {"linksets", eachOf(sets, linkSet.object)}})
}

func (r request) linkError(sentence string) (answer, error) {
	return rawNewlines(jsonAnswer(object{r.header(), {"linksets", []any{}}, {"ERROR", sentence}}))
}

// linkSet are the links of one id parameter, pooled.
type linkSet struct {
	from, to string
	uids     []uint64
	lists    []linkList
	scored   bool
}

func (e *eutils) linkSets(r request) ([]linkSet, error) {
	db, err := e.database(r, "dbfrom")
	if err != nil {
		return nil, err
	}
	to := strings.ToLower(r.get("db"))
	switch cmd := r.get("cmd"); {
	case !slices.Contains(entrezDatabases, to):
		return nil, errorInside("Invalid db name specified: " + to)
	case cmd != "" && cmd != "neighbor" && cmd != "neighbor_score":
		return nil, errorInside("the sandbox does not understand cmd=" + cmd)
	}
	var sets []linkSet
	for _, list := range r.values["id"] {
		set := linkSet{from: db.info().name, to: to, uids: fetched(ids(list)), scored: r.get("cmd") == "neighbor_score"}
		for _, uid := range set.uids {
			more, err := db.links(uid, to)
			if err != nil {
				return nil, err
			}
			set.pool(more, r.get("linkname"))
		}
		if len(set.uids) > 0 {
			sets = append(sets, set)
		}
	}
	if len(sets) == 0 {
		return nil, errorInside("Empty id list - nothing todo")
	}
	return sets, nil
}

// pool adds the links of one record, those of one name where a name is given.
func (s *linkSet) pool(more []linkList, only string) {
	for _, list := range more {
		if only != "" && list.name != only || len(list.uids) == 0 {
			continue
		}
		at := slices.IndexFunc(s.lists, func(have linkList) bool { return have.name == list.name })
		if at < 0 {
			s.lists = append(s.lists, linkList{list.name, slices.Clone(list.uids), maps.Clone(list.scores)})
			continue
		}
		have := map[uint64]bool{}
		for _, uid := range s.lists[at].uids {
			have[uid] = true
		}
		for _, uid := range list.uids {
			if !have[uid] {
				s.lists[at].uids = append(s.lists[at].uids, uid)
			}
		}
		maps.Copy(s.lists[at].scores, list.scores)
	}
}

// object leaves linksetdbs out where there are no links.
func (s linkSet) object() object {
	out := object{{"dbfrom", s.from}, {"ids", decimals(s.uids)}}
	var lists []object
	for _, list := range s.lists {
		lists = append(lists, object{{"dbto", s.to}, {"linkname", list.name}, {"links", s.links(list)}})
	}
	if lists != nil {
		out = append(out, member{"linksetdbs", lists})
	}
	return out
}

// links are uids, which are text; with scores they are objects.
func (s linkSet) links(list linkList) any {
	if !s.scored {
		return decimals(list.uids)
	}
	return eachOf(list.uids, func(uid uint64) object { return object{{"id", decimal(uid)}, {"score", list.scores[uid]}} })
}

package ncbi

import (
	"fmt"
	"strings"
)

func linksTo(uids []uint64) []link {
	return mapSlice(uids, func(uid uint64) link { return link{uid: uid} })
}

// link is ELink with a link name and one id in each parameter, for cmd=neighbor and cmd=neighbor_score.
func (u *Utilities) link(r request) (object, error) {
	name, cmd, to := r.get("linkname"), r.get("cmd"), strings.ToLower(r.get("db"))
	from, err := u.open(r.get("dbfrom"))
	if err != nil {
		return nil, err
	}
	if _, err = u.open(to); err != nil {
		return nil, err
	}
	if cmd != "" && cmd != "neighbor" && cmd != "neighbor_score" {
		return nil, notServed(fmt.Sprintf("cmd `%s` of elink", cmd))
	}
	var sets []object
	for _, list := range r.values["id"] {
		uids := numbers(ids(list))
		switch len(uids) {
		case 0:
			continue
		case 1:
		default:
			return nil, notServed("several ids in one parameter of elink")
		}
		links, err := from.links(uids[0], name)
		if err != nil {
			return nil, err
		}
		set := object{{"dbfrom", from.info().name}, {"ids", decimals(uids)}}
		if len(links) > 0 {
			set = append(set, member{"linksetdbs",
				[]object{{{"dbto", to}, {"linkname", name}, {"links", linkValues(links, cmd == "neighbor_score")}}}})
		}
		sets = append(sets, set)
	}
	if sets == nil {
		return nil, reportedError("Empty id list - nothing todo")
	}
	return object{{"linksets", sets}}, nil
}

// linkValues returns uids as strings, or objects with scores.
func linkValues(links []link, scored bool) any {
	if !scored {
		return mapSlice(links, func(l link) string { return decimal(l.uid) })
	}
	return mapSlice(links, func(l link) object { return object{{"id", decimal(l.uid)}, {"score", l.score}} })
}

// noSuchLink returns the error for a link name that the sandbox does not serve.
func noSuchLink(name string) error { return notServed(fmt.Sprintf("linkname `%s` of elink", name)) }

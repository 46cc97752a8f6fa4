package ncbi

import (
	"fmt"
	"strconv"
)

// maxJSONUIDs is the maximum number of uids in a JSON response of ESummary.
const maxJSONUIDs = 500

// summarise is ESummary, always in version 2.0.
func (u *Utilities) summarise(r request) (object, error) {
	db, err := u.open(r.get("db"))
	if err != nil {
		return nil, err
	}
	uids, err := u.requestedUIDs(r)
	if err != nil {
		return nil, err
	}
	result := object{{"uids", nonNil(uids)}}
	seen := map[string]bool{}
	for _, uid := range uids {
		if seen[uid] {
			continue
		}
		seen[uid] = true
		number, _ := strconv.ParseUint(uid, 10, 64) // requestedUIDs has checked it
		doc, ok := db.summary(number)
		if !ok {
			doc = object{{"uid", uid}, {"error", "cannot get document summary"}}
		}
		result = append(result, member{uid, doc})
	}
	return object{{"result", result}}, nil
}

// requestedUIDs returns the ids of a request, from its id parameter or from the history.
func (u *Utilities) requestedUIDs(r request) ([]string, error) {
	uids, given := ids(r.values["id"]...), r.values.Has("id")
	if r.get("query_key") != "" || r.get("WebEnv") != "" {
		s, err := decodeSearch(r.get("WebEnv"), r.get("query_key"))
		if err != nil {
			return nil, err
		}
		result, err := u.find(s)
		if err != nil {
			return nil, err
		}
		uids, given = decimals(result.uids), true
	} else if given && len(uids) == 0 {
		return nil, reportedError("Empty id list - nothing todo")
	}
	if !given {
		return nil, reportedError("Neither query_key nor id specified")
	}
	for i, uid := range uids {
		if _, err := strconv.ParseUint(uid, 10, 64); err != nil {
			return nil, reportedError(fmt.Sprintf("Invalid uid %s at position= %d", uid, i))
		}
	}
	uids = window(uids, r.number("retstart", 0), r.number("retmax", maxRows))
	if len(uids) > maxJSONUIDs {
		return nil, reportedError(fmt.Sprintf("Too many UIDs in request. Maximum number of UIDs is %d for JSON format output.",
			maxJSONUIDs))
	}
	return uids, nil
}

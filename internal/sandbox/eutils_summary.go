package sandbox

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// mostJSON is how many uids one JSON answer of ESummary takes.
const mostJSON = 500

// summarise is ESummary, whose version 2.0 the sandbox always speaks.
func (e *eutils) summarise(r request) (answer, error) {
	db, err := e.database(r, "db")
	var uids []string
	given := false
	if err == nil {
		uids, given, err = e.asked(r)
	}
	if err == nil {
		err = wrongIDs(r, uids, given)
	}
	if inside, ok := errors.AsType[errorInside](err); ok {
		return r.summaryError(string(inside))
	}
	if err != nil {
		return answer{}, err
	}
	uids = window(uids, r.number("retstart", 0), r.number("retmax", mostRows))
	return r.summaryJSON(db, uids)
}

// wrongIDs is what the upstream has against a list of ids.
func wrongIDs(r request, uids []string, given bool) error {
	switch {
	case !given:
		return errorInside("Neither query_key nor id specified")
	case len(uids) == 0 && r.get("query_key") == "":
		return errorInside("Empty id list - nothing todo")
	}
	for i, uid := range uids {
		if _, err := strconv.ParseUint(uid, 10, 64); err != nil {
			return errorInside(fmt.Sprintf("Invalid uid %s at position= %d", uid, i))
		}
	}
	if len(uids) > mostJSON {
		return errorInside(fmt.Sprintf("Too many UIDs in request. Maximum number of UIDs is %d for JSON format output.", mostJSON))
	}
	return nil
}

func (r request) summaryError(sentence string) (answer, error) {
	out := object{r.header(), {"error", sentence}}
	if strings.HasPrefix(sentence, "Invalid uid") {
		out = append(out, member{"result", object{{"uids", []string{}}}})
	}
	return jsonAnswer(out)
}

func (r request) summaryJSON(db database, uids []string) (answer, error) {
	result := object{{"uids", list0(uids)}}
	seen := map[string]bool{}
	for _, uid := range uids {
		if seen[uid] {
			continue
		}
		seen[uid] = true
		number, _ := strconv.ParseUint(uid, 10, 64) // wrongIDs has seen to it
		doc, ok := db.summary(number)
		if !ok {
			doc = object{{"uid", uid}, {"error", "cannot get document summary"}}
		}
		result = append(result, member{uid, doc})
	}
	return jsonAnswer(object{r.header(), {"result", result}})
}

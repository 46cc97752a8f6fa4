package sandbox

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// The history of the sandbox is in the hands of its client: a WebEnv holds the
// search itself, so that any sandbox over the same records knows it.
const (
	webEnv  = "MCID_"
	onlyKey = "1"
)

// remember returns an environment with a search.
func remember(s storedSearch) (env string, err error) {
	text, err := json.Marshal(s)
	return webEnv + base64.RawURLEncoding.EncodeToString(text), err
}

// recall finds a search again.
func recall(env, key string) (s storedSearch, err error) {
	coded, ok := strings.CutPrefix(env, webEnv)
	text, err := base64.RawURLEncoding.DecodeString(coded)
	if !ok || err != nil || key != onlyKey || json.Unmarshal(text, &s) != nil {
		return s, errorInside("Unable to obtain query #" + key)
	}
	return s, nil
}

// asked are the ids of a request to ESummary: its own, or those of the history. There are none where neither is given.
func (e *eutils) asked(r request) (uids []string, given bool, err error) {
	if r.get("query_key") == "" && r.get("WebEnv") == "" {
		return ids(r.values["id"]...), r.values.Has("id"), nil
	}
	s, err := recall(r.get("WebEnv"), r.get("query_key"))
	if err != nil {
		return nil, true, err
	}
	result, err := e.run(s)
	if err != nil {
		return nil, true, err
	}
	return decimals(result.uids), true, nil
}

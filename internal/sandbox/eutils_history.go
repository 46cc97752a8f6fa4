package sandbox

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
)

// The history of the sandbox is in the hands of its client: a WebEnv holds the
// searches themselves, so that any sandbox over the same records knows it.
const webEnv = "MCID_"

// remember adds a search to an environment, a new one where env is none, and
// returns its key.
func remember(env string, s storedSearch) (key, grown string, err error) {
	searches, _ := openEnv(env)
	searches = append(searches, s)
	text, err := json.Marshal(searches)
	if err != nil {
		return "", "", err
	}
	return strconv.Itoa(len(searches)), webEnv + base64.RawURLEncoding.EncodeToString(text), nil
}

// recall finds a search again.
func recall(env, key string) (storedSearch, error) {
	searches, ok := openEnv(env)
	n, err := strconv.Atoi(key)
	if !ok || err != nil || n < 1 || n > len(searches) {
		return storedSearch{}, errorInside("Unable to obtain query #" + key)
	}
	return searches[n-1], nil
}

func openEnv(env string) (searches []storedSearch, ok bool) {
	coded, ok := strings.CutPrefix(env, webEnv)
	if !ok {
		return nil, false
	}
	text, err := base64.RawURLEncoding.DecodeString(coded)
	if err != nil || json.Unmarshal(text, &searches) != nil {
		return nil, false
	}
	return searches, true
}

// asked are the ids of a request to ESummary or EFetch: its own, or those of
// the history. There are none where neither is given.
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

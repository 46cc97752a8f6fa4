package ncbi

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/reply"
)

// fetch is EFetch.
func (u *Utilities) fetch(r request) (reply.Reply, error) {
	db, err := u.open(r.get("db"))
	if err != nil {
		return reply.Reply{}, err
	}
	uids := numbers(ids(r.values["id"]...))
	if len(uids) == 0 {
		return reply.Reply{}, reportedError("ID list is empty! Possibly it has no correct IDs.")
	}
	return db.fetch(uids, form{strings.ToLower(r.get("retmode")), strings.ToLower(r.get("rettype"))})
}

// numbers parses ids as EFetch does: it ignores letters, 0 and duplicates.
func numbers(texts []string) []uint64 {
	var uids []uint64
	seen := map[uint64]bool{}
	for _, id := range texts {
		digits := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, id)
		uid, err := strconv.ParseUint(digits, 10, 64)
		if err == nil && uid > 0 && !seen[uid] {
			seen[uid] = true
			uids = append(uids, uid)
		}
	}
	return uids
}

func (r request) fetchError(sentence string) reply.Reply {
	if r.get("retmode") == "text" {
		return reply.Reply{Status: http.StatusBadRequest, Type: "text/plain", Body: []byte(strings.ReplaceAll(sentence, " ", "+"))}
	}
	body := `<?xml version="1.0" encoding="UTF-8" ?>` + "\n<eFetchResult><ERROR>" + escaped.Replace(sentence) + "</ERROR></eFetchResult>\n"
	return reply.Reply{Status: http.StatusBadRequest, Type: "text/xml; charset=UTF-8", Body: []byte(body)}
}

// escaped does not escape quotes, as at NCBI.
var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// fetch is EFetch.
func (e *eutils) fetch(r request) (answer, error) {
	db, err := e.database(r, "db")
	if inside, ok := errors.AsType[errorInside](err); ok {
		return r.fetchError(string(inside))
	}
	if err != nil {
		return answer{}, err
	}
	uids := fetched(ids(r.values["id"]...))
	if len(uids) == 0 {
		return r.fetchError("ID list is empty! Possibly it has no correct IDs.")
	}
	start := r.number("retstart", 0)
	if start >= len(uids) {
		return r.fetchError(fmt.Sprintf("Cannot retrieve history data: OUT OF RANGE. Parameter retstart=%d + 1 is greater than number of records available in history. History includes %d IDs.", start, len(uids)))
	}
	return db.fetch(window(uids, start, min(r.number("retmax", mostRows), mostRows)), form{strings.ToLower(r.get("retmode")), strings.ToLower(r.get("rettype"))})
}

// fetched reads ids as EFetch does: letters are passed over, 0 is none, and
// twice is once.
func fetched(asked []string) []uint64 {
	var uids []uint64
	seen := map[uint64]bool{}
	for _, id := range asked {
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

func (r request) fetchError(sentence string) (answer, error) {
	if r.get("retmode") == "text" {
		return answer{status: http.StatusBadRequest, contentType: "text/plain", body: []byte(strings.ReplaceAll(sentence, " ", "+"))}, nil
	}
	body := bytes.NewBufferString(`<?xml version="1.0" encoding="UTF-8" ?>` + "\n")
	el("eFetchResult", el("ERROR", sentence)).write(body, inLine)
	body.WriteByte('\n')
	return answer{status: http.StatusBadRequest, contentType: "text/xml; charset=UTF-8", body: body.Bytes()}, nil
}

package registry

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"
)

// The page sizes of the upstream. A larger size is coerced, not refused.
const (
	defaultPageSize = 10
	maxPageSize     = 1000
)

func (s *Search) readPaging(p parameters) error {
	if text, there := p.get("countTotal"); there {
		if text != "true" && text != "false" {
			return refuse("Parameter `countTotal` has incorrect format")
		}
		s.countTotal = text == "true"
	}
	if text, there := p.get("pageSize"); there {
		size, err := strconv.ParseInt(text, 10, 32)
		if err != nil || size < 0 {
			return refuse("Parameter `pageSize` has incorrect format")
		}
		s.pageSize = min(int(size), maxPageSize)
	}
	if s.pageSize == 0 {
		s.pageSize = defaultPageSize
	}
	if text, there := p.get("pageToken"); there {
		offset, ok := readPageToken(text)
		if !ok {
			return refuse("Parameter `pageToken` has incorrect format")
		}
		s.offset = offset
	}
	return nil
}

// A page token is an offset behind a mark that tells it from garbage. It does
// not know its query, as upstream's does not: under another query it pages
// that other query.
const tokenMark = 0x4e465430

func pageToken(offset int) string {
	raw := binary.BigEndian.AppendUint32(nil, tokenMark)
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(raw, uint32(offset)))
}

func readPageToken(token string) (offset int, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != 8 || binary.BigEndian.Uint32(raw) != tokenMark {
		return 0, false
	}
	offset = int(binary.BigEndian.Uint32(raw[4:]))
	return offset, offset > 0
}

package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// shortestCut is the smallest number of bytes that fit leaves of a text or a list that it cuts.
const shortestCut = 1000

// A longPart is a long text, or a long list of short texts and numbers, in an answer.
type longPart struct {
	path string
	size int
	cut  func(over int) (removed int) // removes a number of bytes from its end, or a little more or less
}

// fit cuts the longest texts and lists of an answer that is larger than MaxAnswer, and names them in a notice. The tools keep their answers
// within the limit by whole records, of which the first may be larger than the limit, and count no notices.
func (t *Tool) fit(answer []byte) ([]byte, error) {
	if t.MaxAnswer == 0 || len(answer) <= t.MaxAnswer {
		return answer, nil
	}
	var value map[string]any
	if err := decode(answer, &value); err != nil {
		return nil, err
	}
	parts := longParts("", value, nil)
	slices.SortStableFunc(parts, func(a, b longPart) int { return cmp.Compare(b.size, a.size) })
	const noticeBytes = 2000
	var cut []string
	for over := len(answer) + noticeBytes - t.MaxAnswer; over > 0 && len(cut) < len(parts); {
		part := parts[len(cut)]
		over -= part.cut(over)
		cut = append(cut, part.path)
	}
	if cut == nil {
		return answer, nil
	}
	notices, _ := value["notices"].([]any)
	notice := fmt.Sprintf("The answer is larger than its limit of %d bytes; these parts were cut: %s.",
		t.MaxAnswer, entity.Cut(strings.Join(cut, ", "), 1000))
	value["notices"] = slices.Insert(notices, len(notices)-len(t.Origin.notices()), any(notice))
	return entity.JSON(value)
}

// longParts adds the parts of a value that can be cut, without cursors.
func longParts(path string, value any, parts []longPart) []longPart {
	add := func(path string, item any, put func(any)) {
		switch item := item.(type) {
		case string:
			if size := entity.Size(item); len(item) > 2*shortestCut && !strings.HasSuffix(path, "cursor") {
				parts = append(parts, longPart{path, size, func(over int) int { return cutText(item, size, over, put) }})
			}
			return
		case []any:
			if size := entity.Size(item); size > 2*shortestCut && !slices.ContainsFunc(item, divisible) {
				parts = append(parts, longPart{path, size, func(over int) int { return cutList(item, size, over, put) }})
				return
			}
		}
		parts = longParts(path, item, parts)
	}
	switch v := value.(type) {
	case map[string]any:
		for name, item := range v {
			add(strings.TrimPrefix(path+"."+name, "."), item, func(shorter any) { v[name] = shorter })
		}
	case []any:
		for i, item := range v {
			add(fmt.Sprintf("%s[%d]", path, i), item, func(shorter any) { v[i] = shorter })
		}
	}
	return parts
}

// divisible reports whether an item of a list can have parts that can be cut.
func divisible(item any) bool {
	switch item := item.(type) {
	case string:
		return len(item) > 2*shortestCut
	case []any, map[string]any:
		return true
	}
	return false
}

// cutText puts a shorter text. An escaped character has several bytes.
func cutText(text string, size, over int, put func(any)) (removed int) {
	keep := max(shortestCut, len(text)-over*len(text)/size-shortestCut)
	shorter := strings.ToValidUTF8(text[:min(keep, len(text))], "") + "…"
	put(shorter)
	return size - entity.Size(shorter)
}

// cutList puts a list without its last items.
func cutList(list []any, size, over int, put func(any)) (removed int) {
	for removed < over && size-removed > shortestCut {
		removed += entity.Size(list[len(list)-1]) + 1
		list = list[:len(list)-1]
	}
	put(list)
	return removed
}

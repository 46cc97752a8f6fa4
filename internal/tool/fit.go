package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// shortestCut is the smallest number of bytes of a text that fit may cut.
const shortestCut = 1000

// A longText is a text in an answer, and the function that replaces it.
type longText struct {
	path, text string
	put        func(string)
}

// fit cuts the longest texts of an answer that is larger than MaxAnswer, and names them in a notice. The tools keep their answers within
// the limit by whole records, of which the first may have one text that is larger than the limit.
func (t *Tool) fit(answer []byte) ([]byte, error) {
	if t.MaxAnswer == 0 || len(answer) <= t.MaxAnswer {
		return answer, nil
	}
	var value map[string]any
	if err := decode(answer, &value); err != nil {
		return nil, err
	}
	texts := longTexts("", value, nil)
	slices.SortStableFunc(texts, func(a, b longText) int { return cmp.Compare(len(b.text), len(a.text)) })
	notices, _ := value["notices"].([]any)
	const noticeBytes = 2000
	var cut []string
	for _, long := range texts {
		over := len(answer) + noticeBytes - t.MaxAnswer
		if over <= 0 {
			break
		}
		// An escaped character has several bytes.
		keep := max(shortestCut, len(long.text)-over*len(long.text)/entity.Size(long.text)-shortestCut)
		long.put(strings.ToValidUTF8(long.text[:min(keep, len(long.text))], "") + "…")
		cut = append(cut, long.path)
		var err error
		if answer, err = entity.JSON(value); err != nil {
			return nil, err
		}
	}
	if cut == nil {
		return answer, nil
	}
	value["notices"] = append(notices, fmt.Sprintf("The answer is larger than its limit of %d bytes; these texts were cut: %s.",
		t.MaxAnswer, entity.Cut(strings.Join(cut, ", "), 1000)))
	return entity.JSON(value)
}

// longTexts adds the texts of a value that can be cut, without cursors and notices.
func longTexts(path string, value any, texts []longText) []longText {
	add := func(path string, item any, put func(string)) {
		if text, ok := item.(string); !ok {
			texts = longTexts(path, item, texts)
		} else if len(text) > 2*shortestCut && !strings.HasSuffix(path, "cursor") {
			texts = append(texts, longText{path, text, put})
		}
	}
	switch v := value.(type) {
	case map[string]any:
		for name, item := range v {
			if name != "notices" {
				add(strings.TrimPrefix(path+"."+name, "."), item, func(text string) { v[name] = text })
			}
		}
	case []any:
		for i, item := range v {
			add(fmt.Sprintf("%s[%d]", path, i), item, func(text string) { v[i] = text })
		}
	}
	return texts
}

package history

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// An Operation is a step of a JSON Patch (RFC 6902).
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value *any   `json:"value,omitempty"` // nil: a removal, which has no value
}

// Patch returns the steps that make a decoded value out of another one. Items of lists that both have stay where they are.
func Patch(before, after any) []Operation {
	var p patcher
	p.value("", before, after)
	return p
}

type patcher []Operation

func (p *patcher) add(op, path string, value any) { *p = append(*p, Operation{op, path, &value}) }

func (p *patcher) remove(path string) { *p = append(*p, Operation{Op: "remove", Path: path}) }

func (p *patcher) value(path string, before, after any) {
	if reflect.DeepEqual(before, after) {
		return
	}
	switch old := before.(type) {
	case map[string]any:
		if now, ok := after.(map[string]any); ok {
			p.object(path, old, now)
			return
		}
	case []any:
		if now, ok := after.([]any); ok {
			p.list(path, old, now)
			return
		}
	}
	p.add("replace", path, after)
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

func (p *patcher) object(path string, before, after map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(before)) {
		at := path + "/" + escape.Replace(key)
		if now, ok := after[key]; ok {
			p.value(at, before[key], now)
		} else {
			p.remove(at)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[key]; !ok {
			p.add("add", path+"/"+escape.Replace(key), after[key])
		}
	}
}

func (p *patcher) list(path string, before, after []any) {
	at := 0 // in the list as the steps so far have made it
	for _, gap := range gaps(before, after) {
		at += gap.same
		old, now := gap.before, gap.after
		for ; len(old) > 0 && len(now) > 0; old, now = old[1:], now[1:] {
			p.value(path+"/"+strconv.Itoa(at), old[0], now[0])
			at++
		}
		for range old {
			p.remove(path + "/" + strconv.Itoa(at))
		}
		for _, item := range now {
			p.add("add", path+"/"+strconv.Itoa(at), item)
			at++
		}
	}
}

// A gap is a part in which two lists differ, behind some items that are the same.
type gap struct {
	same          int
	before, after []any
}

// maxAligned bounds the pairs of items that are compared to align two lists. Longer parts that differ are compared item by item.
const maxAligned = 1 << 20

// gaps aligns two lists by a longest common subsequence.
func gaps(before, after []any) (out []gap) {
	keys := func(items []any) (texts []string) {
		for _, item := range items {
			text, _ := json.Marshal(item) // it was decoded from JSON
			texts = append(texts, string(text))
		}
		return texts
	}
	old, now := keys(before), keys(after)
	start := 0
	for start < min(len(old), len(now)) && old[start] == now[start] {
		start++
	}
	endOld, endNow := len(old), len(now)
	for endOld > start && endNow > start && old[endOld-1] == now[endNow-1] {
		endOld, endNow = endOld-1, endNow-1
	}
	if (endOld-start)*(endNow-start) > maxAligned {
		return []gap{{start, before[start:endOld], after[start:endNow]}}
	}
	return aligned(start, before[start:endOld], after[start:endNow], lengths(old[start:endOld], now[start:endNow]))
}

// aligned returns the gaps of two lists behind some items that are the same.
func aligned(same int, before, after []any, longest [][]int32) (out []gap) {
	for i, j := 0, 0; i < len(before) || j < len(after); {
		fromOld, fromNow := i, j
		for i < len(before) && j < len(after) && !common(longest, i, j) {
			if longest[i+1][j] >= longest[i][j+1] {
				i++
			} else {
				j++
			}
		}
		if i == len(before) || j == len(after) {
			i, j = len(before), len(after)
		}
		out = append(out, gap{same, before[fromOld:i], after[fromNow:j]})
		for same = 0; i < len(before) && j < len(after) && common(longest, i, j); same++ {
			i, j = i+1, j+1
		}
	}
	return out
}

// common reports whether two items are the same and in the longest common subsequence.
func common(longest [][]int32, i, j int) bool {
	return longest[i][j] > longest[i+1][j] && longest[i][j] > longest[i][j+1]
}

// lengths returns the lengths of the longest common subsequences of all ends of two lists.
func lengths(old, now []string) [][]int32 {
	table := make([][]int32, len(old)+1)
	for i := range table {
		table[i] = make([]int32, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			table[i][j] = max(table[i+1][j], table[i][j+1])
			if old[i] == now[j] {
				table[i][j] = table[i+1][j+1] + 1
			}
		}
	}
	return table
}

package trials

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// A room says how much of a change is shown.
type room struct{ characters, items int }

// rooms are tried one after the other until a change fits. The first ones are for one field of one trial.
var rooms = []room{{6000, 1000}, {3000, 200}, {1500, 60}, {1000, 25}, {700, 10}, {400, 5}, {200, 5}, {100, 3}, {60, 1}}

// usual is the index of the first room of a call for several fields or trials.
const usual = 5

// fitChange cuts a change. If it is the first one of a page, which must be shown, it is cut until it has at most some bytes. It returns the
// first field that was cut.
func fitChange(c *entity.TrialChange, size int, narrow, must bool) (field string) {
	all := slices.Clone(c.Changes)
	first := usual
	if narrow {
		first = 0
	}
	for _, r := range rooms[first:] {
		field = ""
		for i := range all {
			c.Changes[i] = all[i]
			if cutField(&c.Changes[i], r) && field == "" {
				field = c.Changes[i].Field
			}
		}
		if !must || entity.Size(c) < size {
			break
		}
	}
	for must && len(c.Changes) > 1 && entity.Size(c) >= size {
		c.ChangesTotal = len(all)
		c.Changes = c.Changes[:len(c.Changes)-1]
		field = all[len(c.Changes)].Field
	}
	return field
}

// cutField cuts the texts and lists of a change to a room. It reports whether it cut something.
func cutField(c *entity.FieldChange, r room) (cut bool) {
	before, after := around(c.Before, c.After, r.characters)
	cut = before != c.Before || after != c.After
	c.Before, c.After = before, after
	for _, list := range []struct {
		items *[]string
		total *int
	}{{&c.Added, &c.AddedTotal}, {&c.Removed, &c.RemovedTotal}} {
		if n := len(*list.items); n > r.items {
			*list.total, cut = n, true
			*list.items = (*list.items)[:r.items]
		}
		*list.items = slices.Clone(*list.items)
		for i, item := range *list.items {
			(*list.items)[i] = entity.Cut(item, r.characters)
			cut = cut || (*list.items)[i] != item
		}
	}
	if n := len(c.Changed); n > r.items {
		c.ChangedTotal, cut = n, true
		c.Changed = c.Changed[:r.items]
	}
	c.Changed = slices.Clone(c.Changed)
	for i := range c.Changed {
		item := &c.Changed[i]
		before, after := around(item.Before, item.After, r.characters)
		cut = cut || before != item.Before || after != item.After
		item.Item, item.Before, item.After = entity.Cut(item.Item, max(100, r.characters)), before, after
	}
	return cut
}

// around cuts two texts of more than some characters to the parts that differ, with the words around them.
func around(before, after string, limit int) (string, string) {
	if utf8.RuneCountInString(before) <= limit && utf8.RuneCountInString(after) <= limit {
		return before, after
	}
	if before == "" || after == "" {
		return entity.Cut(before, limit), entity.Cut(after, limit)
	}
	start := commonLength(before, after, func(text string, n int) string { return text[n:] }, utf8.DecodeRuneInString)
	end := commonLength(before[start:], after[start:], func(text string, n int) string { return text[:len(text)-n] },
		utf8.DecodeLastRuneInString)
	context := limit / 5
	from := start
	for n := 0; n < context && from > 0; n++ {
		_, width := utf8.DecodeLastRuneInString(before[:from])
		from -= width
	}
	if space := strings.IndexByte(before[from:start], ' '); from > 0 && space >= 0 {
		from += space + 1
	}
	part := func(text string) string {
		to := len(text) - end
		for n := 0; n < context && to < len(text); n++ {
			_, width := utf8.DecodeRuneInString(text[to:])
			to += width
		}
		out := text[from:to]
		if to < len(text) {
			if space := strings.LastIndexByte(text[len(text)-end:to], ' '); space >= 0 {
				out = text[from : len(text)-end+space]
			}
			out += "…"
		}
		if from > 0 {
			out = "…" + out
		}
		return entity.Cut(out, limit)
	}
	return part(before), part(after)
}

// commonLength returns how many bytes two texts share at one end, in whole characters.
func commonLength(a, b string, rest func(string, int) string, decode func(string) (rune, int)) (n int) {
	for n < len(a) && n < len(b) {
		one, width := decode(rest(a, n))
		other, same := decode(rest(b, n))
		if one != other || width != same {
			break
		}
		n += width
	}
	return n
}

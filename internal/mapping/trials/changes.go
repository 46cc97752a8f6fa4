package trials

import (
	"reflect"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
	"github.com/biofact-mcp/biofact/internal/query"
)

// TrialChangeFields returns the fields that TrialChange reads of a whole record, beside the parts that differ.
func TrialChangeFields() []string {
	return []string{"NCTId", "BriefTitle", "OverallStatus", "StartDate", "PrimaryCompletionDate", "LastUpdateSubmitDate",
		"LastUpdatePostDate"}
}

// RecordVersions are two versions of the record of a trial, one after the other.
type RecordVersions struct {
	ID           string // NCT00461032
	From, To     string // days of the data; From is empty for a new trial
	Posted       string
	MergedInto   string         // NCT00461032
	Old, Current map[string]any // records; nil: the registry does not have the trial
	Parts        []ChangedPart  // sorted by field
}

// TrialChange maps the differences of two versions in some fields; no fields: in all. The day of the change is that of the data.
func TrialChange(v *RecordVersions, fields []string) entity.TrialChange {
	c := entity.TrialChange{
		ID: text.CURIE(id.NCT, v.ID), From: v.From, To: v.To, Posted: v.Posted, Added: v.Old == nil,
		Removed: v.Current == nil && v.MergedInto == "", MergedInto: text.CURIE(id.NCT, v.MergedInto),
	}
	if v.Current == nil {
		c.Title = text.Clean(query.First(v.Old, "BriefTitle"))
		return c
	}
	c.Title, c.Status = text.Clean(query.First(v.Current, "BriefTitle")), entity.Status(query.First(v.Current, "OverallStatus"))
	if v.Old != nil {
		c.Changes = fieldChanges(v.Parts, fields)
		setTiming(&c, v.Current)
	}
	return c
}

// setTiming sets whether the changes came after the start and the primary completion, by the dates of the new version.
func setTiming(c *entity.TrialChange, record map[string]any) {
	day := c.To[:min(len(c.To), len("yyyy-mm-dd"))]
	submitted := text.Date(query.First(record, "LastUpdateSubmitDate"))
	after := func(piece string) *bool {
		limit := lastDay(query.First(record, piece))
		if limit == "" {
			return nil
		}
		if day > limit && submitted != "" && submitted <= limit {
			c.Submitted = submitted
		}
		return new(day > limit)
	}
	start, completion := after("StartDate"), after("PrimaryCompletionDate")
	for i := range c.Changes {
		c.Changes[i].AfterStart, c.Changes[i].AfterPrimaryCompletion = start, completion
	}
}

// fieldChanges maps the parts that differ, which are sorted by field. An outcome that moves to another list belongs to the fields of both.
func fieldChanges(parts []ChangedPart, fields []string) (changes []entity.FieldChange) {
	var outcomes [len(outcomeFields)]ChangedPart
	for _, p := range parts {
		if i := slices.Index(outcomeFields[:], p.Field); i >= 0 {
			outcomes[i] = p
		}
	}
	compared := false
	for i, p := range parts {
		var found []entity.FieldChange
		switch {
		case p.Field == "contacts" && i > 0 && parts[i-1].Field == p.Field: // it is shown once
		case !slices.Contains(outcomeFields[:], p.Field):
			found = partChanges(p)
		case !compared:
			found, compared = outcomeChanges(outcomes), true
		}
		changes = append(changes, ofFields(found, fields)...)
	}
	return changes
}

// ofFields returns the changes of some fields; none: of all.
func ofFields(found []entity.FieldChange, fields []string) (changes []entity.FieldChange) {
	for _, c := range found {
		moved := c.Kind == toSecondary || c.Kind == fromSecondary
		if moved && !slices.Contains(fields, c.Field) && slices.Contains(fields, outcomeFields[1]) {
			c.Field = outcomeFields[1]
		}
		if len(fields) == 0 || slices.Contains(fields, c.Field) {
			changes = append(changes, c)
		}
	}
	return changes
}

// partChanges maps a part that is not of the outcomes. Of contacts it returns the field alone, and of posted results the modules.
func partChanges(p ChangedPart) []entity.FieldChange {
	path := strings.TrimPrefix(strings.TrimPrefix(p.Path, "."), "protocolSection.")
	walk := &changeWalk{field: p.Field}
	switch old, now := members(p.Before), members(p.After); {
	case p.Field == "contacts":
		walk.add(entity.FieldChange{})
	case p.Field == "results" && p.Before == nil:
		walk.add(entity.FieldChange{Kind: added})
	case p.Field == "results" && p.After == nil:
		walk.add(entity.FieldChange{Kind: dropped})
	case p.Field == "results":
		for _, name := range memberNames(old, now) {
			kind := changed
			if old[name] == nil {
				kind = added
			} else if now[name] == nil {
				kind = dropped
			}
			walk.add(entity.FieldChange{Path: path + "." + name, Kind: kind})
		}
	default:
		walk.compare(path, p.Before, p.After)
	}
	return walk.found
}

// A changeWalk collects the values of a field that differ.
type changeWalk struct {
	field string
	found []entity.FieldChange
}

func (w *changeWalk) add(c entity.FieldChange) {
	c.Field = w.field
	w.found = append(w.found, c)
}

func (w *changeWalk) compare(path string, before, after any) {
	oldList, wasList := before.([]any)
	newList, isList := after.([]any)
	switch {
	case reflect.DeepEqual(before, after):
	case (wasList || before == nil) && (isList || after == nil):
		w.lists(path, oldList, newList)
	case isObject(before) && isObject(after) && !isMeasured(before) && !isMeasured(after):
		old, now := members(before), members(after)
		for _, name := range memberNames(old, now) {
			w.compare(path+"."+name, old[name], now[name])
		}
	default:
		w.add(entity.FieldChange{Path: path, Before: shown(before), After: shown(after)})
	}
}

// lists compares two lists by the identities of their items.
func (w *changeWalk) lists(path string, before, after []any) {
	name := path[strings.LastIndexByte(path, '.')+1:]
	pairs := pairItems(before, after, wholeItem, itemIdentity(name))
	c := entity.FieldChange{Path: path}
	for i, item := range before {
		j := pairs.of[i]
		if j < 0 {
			c.Removed = append(c.Removed, itemText(name, item))
		} else if old, now := differing(item, after[j]); old != now {
			c.Changed = append(c.Changed, entity.ItemChange{Item: itemText(name, item), Before: old, After: now})
		}
	}
	for j, item := range after {
		if !pairs.taken[j] {
			c.Added = append(c.Added, itemText(name, item))
		}
	}
	if pairs.reordered() {
		c.Kind = reordered
	}
	w.add(c)
}

// differing returns the members in which two items differ, by name.
func differing(before, after any) (old, now string) {
	was, is := members(before), members(after)
	var texts [2][]string
	for _, name := range memberNames(was, is) {
		for i, v := range []any{was[name], is[name]} {
			if v != nil {
				texts[i] = append(texts[i], name+": "+shown(v))
			}
		}
	}
	return strings.Join(texts[0], "; "), strings.Join(texts[1], "; ")
}

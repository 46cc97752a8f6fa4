package mirror

import (
	"context"
	"errors"
)

// mergePages is the number of pages of 4 kB of the word index that one transaction merges. The next transaction reuses the
// space of the merged parts.
const mergePages = 20_000

// mergeLater sets whether FTS5 leaves the parts of the word index, one for each page of studies, unmerged until merge is
// called. That is fastest for a first load.
func (w *writer) mergeLater(ctx context.Context, later bool) error {
	parts, most := 4, 16 // of SQLite
	if later {
		parts, most = 0, 1999
	}
	for name, value := range map[string]int{"automerge": parts, "crisismerge": most, "hashsize": indexMemory} {
		if err := w.exec(ctx, "INSERT INTO words (words, rank) VALUES (?, ?)", name, value); err != nil {
			return err
		}
	}
	return nil
}

// merge merges the parts of the word index into one.
func (w *writer) merge(ctx context.Context) error {
	for pages := -mergePages; ; pages = mergePages { // a negative number starts a merge of all parts
		before, _, err := w.number(ctx, "SELECT total_changes()")
		if err != nil {
			return err
		}
		if err := w.exec(ctx, "INSERT INTO words (words, rank) VALUES ('merge', ?)", pages); err != nil {
			return err
		}
		after, _, err := w.number(ctx, "SELECT total_changes()")
		if err = errors.Join(err, w.checkpoint(ctx)); err != nil || after-before < 2 && pages > 0 {
			return err
		}
	}
}

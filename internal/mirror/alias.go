package mirror

import (
	"context"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// aliases returns the numbers of the NCT ids of the studies that were merged into a study.
func (s *study) aliases() (ids []int64) {
	for _, text := range registry.Values(s.body, "NCTIdAlias") {
		if id, ok := numberOf(text); ok && id != s.id {
			ids = append(ids, id)
		}
	}
	return ids
}

// dropAliases removes the studies that were merged into a study, and returns their number.
func (w *writer) dropAliases(ctx context.Context, s *study) (merged int, err error) {
	for _, id := range s.aliases() {
		_, known, err := w.number(ctx, "SELECT id FROM study WHERE id = ?", id)
		if err == nil && known {
			err = w.drop(ctx, id)
			merged++
		}
		if err != nil {
			return merged, err
		}
	}
	return merged, nil
}

func (w *writer) putAliases(ctx context.Context, s *study) error {
	for _, id := range s.aliases() {
		if err := w.exec(ctx, "INSERT OR IGNORE INTO alias (id, study) VALUES (?, ?)", id, s.id); err != nil {
			return err
		}
	}
	return nil
}

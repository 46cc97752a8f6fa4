package mirror

import (
	"context"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// dropAliases removes the studies that were merged into a study, and returns their number.
func (w *writer) dropAliases(ctx context.Context, s *study) (merged int, err error) {
	for _, text := range registry.Values(s.body, "NCTIdAlias") {
		id, ok := numberOf(text)
		if !ok || id == s.id {
			continue
		}
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
	for _, text := range registry.Values(s.body, "NCTIdAlias") {
		if id, ok := numberOf(text); ok && id != s.id {
			if err := w.exec(ctx, "INSERT OR IGNORE INTO alias (id, study) VALUES (?, ?)", id, s.id); err != nil {
				return err
			}
		}
	}
	return nil
}

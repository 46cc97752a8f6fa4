package mirror

import (
	"context"
	"github.com/biofact-mcp/biofact/internal/query"
)

func (w *writer) putWords(ctx context.Context, s *study) error {
	var row []any
	for _, c := range wordColumns {
		text := c.text(s.body)
		row = append(row, text)
		w.wordBytes += len(text)
	}
	w.words[s.id] = row
	if w.wordBytes < maxWordBytes {
		return nil
	}
	return w.flushWords(ctx)
}

func (w *writer) putSites(ctx context.Context, s *study) error {
	for _, at := range s.sites {
		if err := ctx.Err(); err != nil {
			return err
		}
		place, err := w.place(ctx, at)
		if err != nil {
			return err
		}
		status := int64(0)
		if at[statusOfSite] != "" {
			if status, err = w.value(ctx, statusPiece, at[statusOfSite]); err != nil {
				return err
			}
		}
		if err := w.exec(ctx, "INSERT OR IGNORE INTO site (study, place, status) VALUES (?, ?, ?)", s.id, place, status); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) place(ctx context.Context, at site) (int64, error) {
	key := at.key()
	return intern(w.places, key, func() (int64, error) {
		id, found, err := w.number(ctx, "SELECT id FROM place WHERE key = ?", key)
		if err != nil || found {
			return id, err
		}
		var lat, lon any
		if point, located := query.ReadPoint(at[pointOfSite]); located {
			lat, lon = point.Lat, point.Lon
		}
		if id, err = w.insert(ctx, "INSERT INTO place (key, lat, lon) VALUES (?, ?, ?)", key, lat, lon); err != nil {
			return 0, err
		}
		return id, w.exec(ctx, insertPlaceWords, append([]any{id}, at.words()...)...)
	})
}

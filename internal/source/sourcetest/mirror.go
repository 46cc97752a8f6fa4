package sourcetest

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/query/api"
	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

// MirrorOf returns a mirror of a registry, which alone answers, and a function that syncs it.
func MirrorOf(t testing.TB, from http.RoundTripper) (local *ctgov.Mirror, update func()) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mirror.db")
	sync := mirror.Sync{Path: path, Source: "test", URL: RegistryURL, Do: &http.Client{Transport: from}}
	update = func() {
		_, err := sync.Run(t.Context())
		expect.NoError(t, err)
	}
	update()
	reader := mirror.NewReader(path)
	t.Cleanup(func() { expect.NoError(t, reader.Close()) })
	return &ctgov.Mirror{Reader: reader, Source: "test", Only: true, Log: slog.New(slog.DiscardHandler)}, update
}

// Published is a registry with the records of a day, which a test replaces.
type Published struct {
	*query.Studies
	Day string
}

// Publish replaces the records by those of a day, whose date it writes into them.
func (p *Published) Publish(day string, records []map[string]any) {
	for _, record := range records {
		record["derivedSection"] = map[string]any{"miscInfoModule": map[string]any{"versionHolder": day}}
	}
	p.Studies, p.Day = query.NewStudies(records), day
}

// Get implements api.Engine.
func (p *Published) Get(_ context.Context, id string, fields query.Projection) (study api.Study, known bool, err error) {
	record, canonical, known := p.Studies.Get(id)
	if !known {
		return study, false, nil
	}
	study.ID = canonical
	study.JSON, err = fields.JSON(record)
	return study, true, err
}

// Stamp implements api.Engine.
func (p *Published) Stamp(context.Context) (string, error) { return p.Day + "T09:00:05", nil }

// RoundTrip answers a request of a sync.
func (p *Published) RoundTrip(req *http.Request) (*http.Response, error) {
	return reply.Func(func(req *http.Request) (reply.Reply, error) { return api.Answer(req, p, "the test") }).RoundTrip(req)
}

package mirror

import (
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/registry"
)

func TestTmpOld(t *testing.T) {
	s := source{rand.New(rand.NewPCG(9, 9)), false}
	records, _, _ := s.studies()
	r := fill(t, records)
	db, err := openWriter(t.Context(), r.path)
	expect.NoError(t, err)
	_, err = db.Exec("UPDATE meta SET value = '2020-01-01T00:00:00Z' WHERE key = 'synced'")
	expect.NoError(t, err)
	expect.NoError(t, db.Close())
	var bodies []map[string]any
	for _, raw := range records {
		body, _ := decode(raw)
		setVersion(body, "2026-08-05")
		protocol, _ := body["protocolSection"].(map[string]any)
		module, _ := protocol["contactsLocationsModule"].(map[string]any)
		delete(module, "centralContacts")
		sites, _ := module["locations"].([]any)
		for _, site := range sites {
			delete(site.(map[string]any), "contacts")
		}
		bodies = append(bodies, body)
	}
	oracle := registry.NewStudies(bodies)
	bad := 0
	for range 300 {
		search := s.search()
		search.Queries, search.Advanced = nil, nil
		search.Fields = registry.Select("NCTId", pick(s, leavesOfSites...).Name, pick(s, registry.Pieces()...).Name, pick(s, registry.Pieces()...).Name)
		if s.chance(10) {
			search.Fields = nil
		}
		if search.Fields == nil {
			search.PageSize = 5
			search.Sort = append(search.Sort, registry.SortKey{Piece: registry.PieceNamed("StartDate")})
		}
		if d := compareSearch(t, r, oracle, search); d != "" {
			bad++
			t.Errorf("%v %s", search.Fields, d)
			if bad > 2 {
				return
			}
		}
	}
	_ = gocmp.Diff
}

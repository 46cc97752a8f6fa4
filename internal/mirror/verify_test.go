package mirror

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestVerifyReadsRecords: a verification finds records that cannot be read, or that are those of another trial.
func TestVerifyReadsRecords(t *testing.T) {
	t.Parallel()
	c := copyingFrom(t, sources(t), 40)
	c.run(t)
	v, err := c.sync.Verify(t.Context())
	expect.Must(t, err == nil && v.Damage == "" && v.Sampled == 40 && len(v.Differ) == 0, "%+v %v", v, err)
	for _, damage := range []string{
		"UPDATE record SET main = (SELECT main FROM record ORDER BY id LIMIT 1)", "UPDATE record SET main = substr(main, 2)",
	} {
		db, err := openWriter(t.Context(), c.sync.Path)
		expect.NoError(t, err)
		_, err = db.ExecContext(t.Context(), damage)
		expect.NoError(t, err)
		expect.NoError(t, db.Close())
		v, err = c.sync.Verify(t.Context())
		expect.That(t, err == nil && v.Damage != "", "%s: %+v %v", damage, v, err)
	}
}

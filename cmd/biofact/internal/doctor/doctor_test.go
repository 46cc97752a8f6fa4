package doctor_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/doctor"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// TestEndsEarly checks that no further check follows an invalid configuration, and no probe if the sources cannot be set up. Each check
// is reported once, in order.
func TestEndsEarly(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		env       []string
		requested bool // whether Options is called
		last      doctor.Check
	}{
		"configuration": {[]string{"BIOFACT_TLS_MAX=7"}, false, doctor.Check{
			Name: "configuration", Status: doctor.Fail, Finding: "BIOFACT_TLS_MAX: must be 1.2 or 1.3, was 7",
			Remedy: "correct it; nothing else was checked",
		}},
		"sandbox": {nil, true, doctor.Check{Name: "sandbox", Status: doctor.Fail, Finding: "no records"}},
	} {
		cfg, err := config.Read(append(tt.env, "BIOFACT_CACHE_DIR=off"))
		expect.NoError(t, err)
		var printed []doctor.Check
		requested := false
		d := &doctor.Doctor{Config: cfg, Version: "1.2.3", Validate: cfg.Validate,
			Store: func() *store.Store { return store.New(store.Options{}) },
			Found: func(c doctor.Check) { printed = append(printed, c) }}
		d.Options = func(*store.Store) (func(*source.Source) upstream.Options, error) {
			requested = true
			return nil, errors.New("no records")
		}
		all := d.Examine(t.Context())
		expect.That(t, all.Status == doctor.Fail && !all.Offline && requested == tt.requested && slices.Equal(printed, all.Checks) &&
			printed[len(printed)-1] == tt.last,
			"%s: asked %t: %+v", name, requested, all)
		if !strings.HasPrefix(printed[0].Finding, "biofact 1.2.3, ") {
			t.Errorf("%s: %+v", name, printed[0])
		}
	}
}

// TestPrint checks that a check is printed as one line, with its remedy if it has one.
func TestPrint(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	doctor.Check{Name: "tls", Status: doctor.OK, Finding: "fine"}.Print(&out)
	doctor.Check{Name: "ctgov", Status: doctor.Warn, Finding: "slow", Remedy: "wait", Problem: "timeout"}.Print(&out)
	expect.Equal(t, "", "ok    tls                 fine\nwarn  ctgov               slow: wait\n", out.String())
}

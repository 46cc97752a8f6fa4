package source

import (
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestPerSecond(t *testing.T) {
	t.Parallel()
	for rate, want := range map[float64]time.Duration{1: time.Second, 0.5: 2 * time.Second, 4: 250 * time.Millisecond,
		0.001: 1000 * time.Second} {
		expect.Is(t, perSecond(rate), want, "%v a second", rate)
	}
}

// TestProbeOfIDConverter: an answer that is an error, or has no record, does not show that the converter works.
func TestProbeOfIDConverter(t *testing.T) {
	t.Parallel()
	converter := idConverter()
	for body, want := range map[string]string{
		`{"status":"ok","records":[{"pmid":23193287,"pmcid":"PMC3531190"}]}`:    "it converts ids",
		`{"status":"error","records":[{"pmid":23193287,"pmcid":"PMC3531190"}]}`: "the answer is an error",
		`{"status":"error","errors":[{"message":"server busy"}]}`:               "the answer is an error",
		`{"status":"ok","records":[]}`:                                          "no record in the answer",
		`<html>`:                                                                "no record in the answer",
	} {
		state, err := converter.Probe.Read([]byte(body))
		if err != nil {
			state = err.Error()
		}
		expect.Equal(t, body, want, state)
	}
}

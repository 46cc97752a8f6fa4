package source

import (
	"context"
	"fmt"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/store"
)

// FreshFor is how long an answer counts as current without a check at the source, and how long an id without a record is cached.
const FreshFor = 10 * time.Minute

// clockSkew is how much the clocks of replicas may differ.
const clockSkew = 5 * time.Second

// Within reports whether an entry that was stored at a time is younger than an age. If the time is in the future, the clock was set back
// since, and the age is unknown.
func Within(stored time.Time, age time.Duration) bool {
	since := time.Since(stored)
	return since >= -clockSkew && since < age
}

// ByAge returns a Current that checks only the age of an answer.
func ByAge(age time.Duration) func(context.Context, store.Entry, *entity.Notes) (bool, error) {
	return func(_ context.Context, entry store.Entry, _ *entity.Notes) (bool, error) {
		return Within(entry.Stored, age), nil
	}
}

// age formats a duration for a reader.
func age(d time.Duration) string {
	switch {
	case d < -clockSkew:
		return "an unknown time" // the clock was set back since
	case d < 2*time.Minute:
		return "a minute"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

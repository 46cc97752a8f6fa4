//go:build !unix

package expect

import "time"

var started = time.Now()

// ProcessTime returns the time since the start: this system has no simple figure of processor time.
func ProcessTime() time.Duration { return time.Since(started) }

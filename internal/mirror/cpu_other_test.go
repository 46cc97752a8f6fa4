//go:build !unix

package mirror

import "time"

var started = time.Now()

// processTime returns the time since the start: this system has no simple figure of processor time.
func processTime() time.Duration { return time.Since(started) }

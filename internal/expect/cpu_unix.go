//go:build unix

package expect

import (
	"syscall"
	"time"
)

// ProcessTime returns the processor time that this process has used.
func ProcessTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it cannot fail for the process itself
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

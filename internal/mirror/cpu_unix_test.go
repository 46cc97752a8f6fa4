//go:build unix

package mirror

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// processTime returns the processor time that this process has used.
func processTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it cannot fail for the process itself
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// largestMemory returns the largest resident memory of a process that has ended, as text.
func largestMemory(s *os.ProcessState) string {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return "memory unknown"
	}
	return fmt.Sprintf("%d MB resident", u.Maxrss>>10)
}

//go:build unix

package engine

import (
	"os/exec"
	"syscall"
)

// ofGroup lets the end of a call kill the process with all that it started.
func ofGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

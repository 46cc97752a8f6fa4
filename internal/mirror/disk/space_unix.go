//go:build linux || darwin

package disk

import "syscall"

// freeSpace returns the bytes that the disk of a folder has left for this user.
func freeSpace(folder string) (bytes int64, known bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true //nolint:unconvert // another type on other systems
}

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// aboutForce describes the flag that replaces a file of another program.
const aboutForce = "replace the file also if biofact did not write it"

// beginning is the number of bytes of a file that say whether biofact has written it.
const beginning = 4096

// mayWrite returns an error for a path at which biofact must not write: a link, and without force a file that it has not written, which
// ours reports of its beginning.
func mayWrite(path string, force bool, ours func(beginning []byte) bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a link, and was not changed; name the file to which it leads, or another one", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case !force && info.Size() > 0:
		old, err := beginningOf(path)
		if err != nil {
			return err
		}
		if !ours(old) {
			return fmt.Errorf("%s was not written by biofact, and was not changed; name another file, or add --force", path)
		}
	}
	return nil
}

// beginningOf returns the first bytes of a file.
func beginningOf(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, beginning))
}

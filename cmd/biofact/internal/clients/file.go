package clients

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// FileOf returns the path of a client's file of this user, or of the current folder. The error says that the client reads no file of a
// folder.
func FileOf(name string, project bool) (string, error) {
	for i := range all {
		c := &all[i]
		switch {
		case c.name != name:
		case project && c.project == "":
			return "", fmt.Errorf("--project: %s has no file in a folder", name)
		case project:
			return filepath.FromSlash(c.project), nil
		default:
			path := c.path(runtime.GOOS)
			if c.user != "" {
				path = c.user
			}
			home, err := os.UserHomeDir()
			if err != nil {
				return "", err
			}
			path = strings.NewReplacer("%APPDATA%", os.Getenv("APPDATA"), "%USERPROFILE%", home).Replace(path)
			if rest, ok := strings.CutPrefix(path, "~/"); ok {
				path = filepath.Join(home, rest)
			}
			return path, nil
		}
	}
	return "", fmt.Errorf("no client %q: must be one of %s", name, strings.Join(Names(), ", "))
}

// Write replaces the content of a file, and returns the path of a file beside it with the content that it had before the first time; "" if
// it is new. Links, the mode and the owner of the file stay.
func Write(path string, old, content []byte) (backup string, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", err
		}
		return "", os.WriteFile(path, content, 0o600)
	case err != nil:
		return "", err
	}
	backup = path + ".biofact-backup"
	if err := keep(backup, old, info.Mode().Perm()); err != nil {
		return "", err
	}
	if err := overwrite(path, content); err != nil {
		return "", errors.Join(err, overwrite(path, old)) // which has its room on the disk
	}
	return backup, nil
}

// keep writes a backup, unless an earlier one exists.
func keep(backup string, content []byte, mode fs.FileMode) error {
	file, err := os.OpenFile(backup, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}

// overwrite replaces the content of a file in its place.
func overwrite(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Truncate(int64(len(content)))
	}
	return errors.Join(err, file.Sync(), file.Close())
}

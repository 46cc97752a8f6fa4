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

// Write replaces the content of a file, and returns the path of a file beside it that keeps the former content; "" if it is new. Links
// and the mode of the file stay.
func Write(path string, old, content []byte) (backup string, err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0o600)
	info, err := os.Stat(path)
	switch {
	case err == nil:
		mode = info.Mode().Perm()
		backup = path + ".biofact-backup"
		if err := os.WriteFile(backup, old, mode); err != nil {
			return "", err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	default:
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", err
		}
	}
	part := path + ".part"
	defer func() { _ = os.Remove(part) }() // it is gone after a rename
	if err := os.WriteFile(part, content, mode); err != nil {
		return "", err
	}
	if err := os.Chmod(part, mode); err != nil { // the user's mask does not change it
		return "", err
	}
	return backup, os.Rename(part, path)
}

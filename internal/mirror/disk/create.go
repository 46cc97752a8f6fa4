package disk

import (
	"errors"
	"os"
	"path/filepath"
)

// Create creates an empty file, and its folder, unless it exists. SQLite would make the file readable for all users; the files that SQLite
// creates beside it get its mode.
func Create(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// Replace calls a function with a new file that only this user may read, and gives the file its name when it is complete. An older file
// stays until then.
func Replace(path string, write func(f *os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".biofact-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // it has another name if it is complete
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

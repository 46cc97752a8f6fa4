package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A file is a file in an archive. Its path has slashes.
type file struct {
	path    string
	mode    fs.FileMode
	content []byte
}

// write writes an archive of files, whose name says its format, and returns its SHA-256.
func (r release) write(path string, files []file) (hash string, err error) {
	pack := zipped
	if slices.Contains([]string{".gz", ".tgz"}, filepath.Ext(path)) {
		pack = tarGz
	}
	archive, err := pack(files, r.date)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(archive)), os.WriteFile(path, archive, 0o644)
}

// tarGz packs files in order, all with the same date and without an owner.
func tarGz(files []file, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	gz := gzip.NewWriter(&out)
	tw := tar.NewWriter(gz)
	for _, f := range files {
		header := &tar.Header{Name: f.path, Mode: int64(f.mode), Size: int64(len(f.content)), ModTime: date, Format: tar.FormatUSTAR}
		if err := tw.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := tw.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := tw.Close(); err != nil {
		return nil, err
	}
	err := gz.Close()
	return out.Bytes(), err
}

// zipped packs files in order, all with the same date.
func zipped(files []file, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	zw := zip.NewWriter(&out)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: date}
		header.SetMode(f.mode)
		w, err := zw.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := zw.Close()
	return out.Bytes(), err
}

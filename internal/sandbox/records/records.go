// Package records finds and opens the files of records that the sandbox serves,
// embedded or on disk. It knows no source.
package records

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// sources are the folders with the records of one source each. All sources may read the files outside of them.
var sources = []string{"ctgov", "datasets", "europepmc", "ncbi", "openfda", "pmc"}

// Folder is a tree of files that may hold records.
type Folder struct {
	Limits Limits
	files  fs.FS
	root   string   // prefix of the paths in errors
	paths  []string // in reading order

	mixed   bool // the folder may also hold files without records
	mu      sync.Mutex
	leftOut []string
}

// Mixed reports whether the folder of a user may hold anything beside records, so that a bad file is left out and of two records with one
// id the first one counts. A single file, and the embedded records, must be right.
func (f *Folder) Mixed() bool { return f.mixed }

// LeaveOut notes that a file of a mixed folder holds no records, or is damaged. It returns the reason as an error where no file may be left
// out, and where reading was stopped or exceeds a limit.
func (f *Folder) LeaveOut(file File, reason error) error {
	_, exceeded := errors.AsType[limitError](reason)
	if reason == nil || !f.mixed || exceeded || errors.Is(reason, context.Canceled) {
		return reason
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if text := reason.Error(); strings.HasPrefix(text, file.Name()) {
		f.leftOut = append(f.leftOut, text)
	} else {
		f.leftOut = append(f.leftOut, file.Name()+": "+text)
	}
	return nil
}

// LeftOut returns the files that were left out, each with the reason.
func (f *Folder) LeftOut() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.leftOut)
}

// File is a file of records. It is decompressed while it is read.
type File struct {
	folder *Folder
	path   string
}

// Open lists the files at a path, which is a file or a folder.
func Open(ctx context.Context, name string, most Limits) (*Folder, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if !isXML(name) && !isJSON(name) {
			return nil, fmt.Errorf("%s: want a folder or a .json, .jsonl, .jsonl.gz, .xml or .xml.gz file", name)
		}
		parent, base := filepath.Split(name)
		f := &Folder{files: os.DirFS(filepath.Clean(parent)), root: parent, paths: []string{base}, Limits: most}
		return f, f.fits(ctx)
	}
	root := strings.TrimSuffix(name, string(filepath.Separator)) + string(filepath.Separator)
	f := &Folder{files: os.DirFS(name), root: root, Limits: most, mixed: true}
	entries := 0
	if err := f.list(ctx, ".", 1, &entries); err != nil {
		return nil, err
	}
	return f, f.fits(ctx)
}

// fits returns an error if all files together have more text than the limit. It
// decompresses what is compressed, and keeps nothing of it.
func (f *Folder) fits(ctx context.Context) error {
	left := f.Limits.All
	for _, path := range f.paths {
		info, err := fs.Stat(f.files, path)
		if err != nil {
			return err
		}
		size := info.Size()
		if strings.HasSuffix(path, ".gz") && info.Mode().IsRegular() {
			file, err := File{f, path}.open(ctx, f.Limits.File)
			if err != nil {
				return err
			}
			size, err = io.CopyN(io.Discard, file, left+1)
			file.Close()
			if ctx.Err() != nil || err == nil {
				size = left + 1
			}
		}
		if left -= size; left < 0 {
			return errors.Join(ctx.Err(), fmt.Errorf("%s: %w", File{f, path}.Name(), LimitError("all files together", f.Limits.All)))
		}
	}
	return nil
}

// Embedded lists embedded files.
func Embedded(files fs.FS) (*Folder, error) {
	f := &Folder{files: files, root: "embedded ", Limits: DefaultLimits}
	entries := 0
	return f, f.list(context.Background(), ".", 1, &entries)
}

func isXML(name string) bool {
	return strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".xml.gz")
}

func isJSON(name string) bool {
	return strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".jsonl.gz")
}

func isMEDLINE(name string) bool {
	return strings.HasSuffix(name, ".nbib") || strings.HasSuffix(name, ".nbib.gz")
}

// name returns a path for an error.
func (f *Folder) name(file string) string {
	if file == "." {
		return strings.TrimSuffix(f.root, string(filepath.Separator))
	}
	return f.root + filepath.FromSlash(file)
}

// list adds the files below a folder by name, so that the order of the records does not depend on the file system. It does not follow a
// link to a folder.
func (f *Folder) list(ctx context.Context, within string, depth int, entries *int) error {
	if depth > f.Limits.Depth {
		return fmt.Errorf("%s: folders within each other deeper than %d, which is the limit", f.name(within), f.Limits.Depth)
	}
	found, err := f.readDir(within, entries)
	if err != nil {
		return err
	}
	for _, entry := range found {
		file := path.Join(within, entry.Name())
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir():
			if err := f.list(ctx, file, depth+1, entries); err != nil {
				return err
			}
		case isXML(file), isJSON(file), isMEDLINE(file):
			f.paths = append(f.paths, file)
		}
	}
	return nil
}

func (f *Folder) readDir(within string, entries *int) ([]fs.DirEntry, error) {
	file, err := f.files.Open(within)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	dir, ok := file.(fs.ReadDirFile)
	if !ok {
		return nil, fmt.Errorf("%s: not a folder", f.name(within))
	}
	found, err := dir.ReadDir(f.Limits.Entries - *entries + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if *entries += len(found); *entries > f.Limits.Entries {
		return nil, fmt.Errorf("%s: more than %d files and folders, which is the limit", f.name(within), f.Limits.Entries)
	}
	slices.SortFunc(found, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return found, nil
}

// JSON returns the JSON files that may belong to a source: those in its folder, and those outside of the folders of all sources.
func (f *Folder) JSON(source string) []File { return f.of(source, isJSON) }

// XML returns the XML files that may belong to a source.
func (f *Folder) XML(source string) []File { return f.of(source, isXML) }

// MEDLINE returns the files with articles in the format of MEDLINE that may belong to a source.
func (f *Folder) MEDLINE(source string) []File { return f.of(source, isMEDLINE) }

func (f *Folder) of(source string, kind func(string) bool) []File {
	var files []File
	for _, file := range f.paths {
		top, _, _ := strings.Cut(file, "/")
		if kind(file) && (top == source || !slices.Contains(sources, top)) {
			files = append(files, File{f, file})
		}
	}
	return files
}

// Name returns the path of the file, for errors.
func (f File) Name() string { return f.folder.name(f.path) }

// Open opens the text of the file. The limit is that of a file that is read record by record.
func (f File) Open(ctx context.Context) (io.ReadCloser, error) {
	return f.open(ctx, f.folder.Limits.File)
}

// open opens the text with a limit of bytes, until ctx ends. It refuses pipes and devices, which may have no end.
func (f File) open(ctx context.Context, limit int64) (io.ReadCloser, error) {
	info, err := fs.Stat(f.folder.files, f.path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a file", f.Name())
	}
	file, err := f.folder.files.Open(f.path)
	if err != nil {
		return nil, err
	}
	text := &limitedReader{ctx: ctx, from: file, file: file, limit: limit, left: limit}
	if strings.HasSuffix(f.path, ".gz") {
		if text.from, err = gzip.NewReader(file); err != nil {
			_ = file.Close()
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	return text, nil
}

// Read returns the text of a file that is held in memory.
func (f File) Read(ctx context.Context) ([]byte, error) {
	file, err := f.open(ctx, f.folder.Limits.Held)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return text, nil
}

// head is the number of bytes that are read to find the kind of a file.
const head = 4 << 10

// WithMarks returns the files that contain one of the marks in their first bytes.
func WithMarks(ctx context.Context, files []File, marks ...string) ([]File, error) {
	var found []File
	for _, f := range files {
		file, err := f.open(ctx, head)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(io.LimitReader(file, head))
		file.Close()
		if err != nil && len(text) == 0 {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		if slices.ContainsFunc(marks, func(mark string) bool { return bytes.Contains(text, []byte(mark)) }) {
			found = append(found, f)
		}
	}
	return found, nil
}

// Package delta is the format of the files that bring a mirror from one state of the registry to a later one. It knows neither the file of
// a mirror nor the network.
package delta

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Magic begins each file: family, and the version of the format.
const (
	Magic  = family + "2\n"
	family = "biofact delta "
)

// A compressed body follows, and the file ends with a SHA-256 of all before it. The body has the source, the time of the last sync, and
// the steps: its two stamps, and changes, which the number 0 ends. An empty stamp ends the steps.

// ErrDamaged is the error of a file that is no delta, or that is damaged or cut.
var ErrDamaged = errors.New("the file is no delta, or it is damaged or cut")

// ErrVersion is the error of a delta of another version of Biofact.
var ErrVersion = errors.New("the delta is of another version of Biofact")

// Check returns ErrVersion or ErrDamaged if a file with these first bytes, as many as Magic has, is no delta of this version.
func Check(begin []byte) error {
	switch {
	case string(begin) == Magic:
		return nil
	case strings.HasPrefix(string(begin), family):
		return ErrVersion
	}
	return ErrDamaged
}

// A Head says what a delta is of.
type Head struct{ Source, Synced string }

// A Change brings one record to its next version.
type Change struct {
	ID       int64 // number of the NCT id
	Old, New int64 // hashes of the versions; 0: no record
	Target   int64 // of a removed trial: that into which it was merged, or 0
	Data     []byte
}

// A Writer writes a delta.
type Writer struct {
	f   *os.File
	sum hash.Hash
	z   *zstd.Encoder
	out *bufio.Writer
	err error
}

// NewWriter returns a writer of a delta to an empty file.
func NewWriter(f *os.File, h Head) (*Writer, error) {
	w := &Writer{f: f, sum: sha256.New()}
	all := io.MultiWriter(f, w.sum)
	if _, err := io.WriteString(all, Magic); err != nil {
		return nil, err
	}
	z, err := zstd.NewWriter(all, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	w.z, w.out = z, bufio.NewWriter(z)
	w.text(h.Source)
	w.text(h.Synced)
	return w, w.err
}

func (w *Writer) number(n int64) {
	if w.err == nil {
		_, w.err = w.out.Write(binary.AppendVarint(nil, n))
	}
}

func (w *Writer) text(text string) {
	w.number(int64(len(text)))
	if w.err == nil {
		_, w.err = w.out.WriteString(text)
	}
}

// Step begins the changes between two stamps.
func (w *Writer) Step(from, to string) error {
	w.text(from)
	w.text(to)
	return w.err
}

// Change writes a change of the step.
func (w *Writer) Change(c *Change) error {
	for _, n := range []int64{c.ID, c.Old, c.New, c.Target} {
		w.number(n)
	}
	w.text(string(c.Data))
	return w.err
}

// EndStep ends the changes of a step.
func (w *Writer) EndStep() error {
	w.number(0)
	return w.err
}

// Close completes the file, which stays open.
func (w *Writer) Close() error {
	w.text("")
	if err := errors.Join(w.err, w.out.Flush(), w.z.Close()); err != nil {
		return err
	}
	_, err := w.f.Write(w.sum.Sum(nil))
	return errors.Join(err, w.f.Sync())
}

// A Reader reads a delta whose hash was checked.
type Reader struct {
	Head
	in *bufio.Reader
	z  *zstd.Decoder
}

const (
	maxText   = 1000     // bytes of a stamp or of the source
	maxData   = 64 << 20 // bytes of a difference
	maxMemory = 256 << 20
)

// Open checks the hash of a file and returns a reader of it.
func Open(f *os.File) (*Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size() - sha256.Size
	if size < int64(len(Magic)) {
		return nil, ErrDamaged
	}
	sum, begin, end := sha256.New(), make([]byte, len(Magic)), make([]byte, sha256.Size)
	if _, err := f.ReadAt(begin, 0); err != nil {
		return nil, err
	}
	if err := Check(begin); err != nil {
		return nil, err
	}
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return nil, err
	}
	if _, err := f.ReadAt(end, size); err != nil {
		return nil, err
	}
	if string(end) != string(sum.Sum(nil)) {
		return nil, ErrDamaged
	}
	z, err := zstd.NewReader(io.NewSectionReader(f, int64(len(Magic)), size-int64(len(Magic))), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(maxMemory))
	if err != nil {
		return nil, err
	}
	r := &Reader{z: z, in: bufio.NewReader(z)}
	if r.Source, err = r.text(maxText); err == nil {
		r.Synced, err = r.text(maxText)
	}
	if err != nil {
		r.Close()
	}
	return r, err
}

// Close releases the memory of the reader.
func (r *Reader) Close() { r.z.Close() }

func (r *Reader) number() (int64, error) {
	n, err := binary.ReadVarint(r.in)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return n, nil
}

func (r *Reader) text(limit int64) (string, error) {
	n, err := r.number()
	if err != nil || n < 0 || n > limit {
		return "", errors.Join(ErrDamaged, err)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r.in, text); err != nil {
		return "", fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return string(text), nil
}

// step returns the stamps of the next step; from is empty after the last one.
func (r *Reader) step() (from, to string, err error) {
	if from, err = r.text(maxText); err != nil {
		return "", "", err
	}
	if from == "" {
		if _, err := r.in.ReadByte(); err != io.EOF {
			return "", "", ErrDamaged
		}
		return "", "", nil
	}
	to, err = r.text(maxText)
	if err == nil && (to <= from || !hasDay(from) || !hasDay(to)) {
		err = ErrDamaged
	}
	return from, to, err
}

// change returns the next change of the step; false after the last one.
func (r *Reader) change() (c Change, ok bool, err error) {
	if c.ID, err = r.number(); err != nil || c.ID == 0 {
		return c, false, err
	}
	for _, n := range []*int64{&c.Old, &c.New, &c.Target} {
		if *n, err = r.number(); err != nil {
			return c, false, err
		}
	}
	data, err := r.text(maxData)
	if c.Data = []byte(data); c.ID < 0 || c.Old == c.New {
		err = ErrDamaged
	}
	return c, err == nil, err
}

// A FollowError is the error of a delta that does not follow on the state of the mirror.
type FollowError struct{ Begins, Here string }

// Error returns the message.
func (e *FollowError) Error() string {
	return fmt.Sprintf("the delta begins with the data of %s, and the mirror has those of %s", e.Begins, e.Here)
}

// Changes calls a function with the changes of a step.
type Changes func(func(*Change) error) error

// Steps calls a function with the steps from a stamp on, which must read all changes. Its error is a FollowError if no step begins or ends
// with that stamp.
func (r *Reader) Steps(stamp string, step func(to string, changes Changes) error) error {
	for began, last := "", ""; ; {
		from, to, err := r.step()
		switch {
		case err != nil:
			return err
		case from == "" && last == stamp:
			return nil
		case from == "":
			return &FollowError{began, stamp}
		case last != "" && from != last:
			return ErrDamaged
		}
		began, last = cmp.Or(began, from), to
		if from == stamp {
			stamp, err = to, step(to, r.changes)
		} else {
			err = r.changes(func(*Change) error { return nil })
		}
		if err != nil {
			return err
		}
	}
}

// changes calls a function with the changes of the step.
func (r *Reader) changes(use func(*Change) error) error {
	for {
		c, ok, err := r.change()
		if err != nil || !ok {
			return err
		}
		if err := use(&c); err != nil {
			return err
		}
	}
}

// hasDay reports whether a stamp begins with a day.
func hasDay(stamp string) bool {
	_, err := time.Parse(time.DateOnly, stamp[:min(len(stamp), len(time.DateOnly))])
	return err == nil
}

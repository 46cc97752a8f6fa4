package recordfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
)

// claimSuffix ends the name of the file beside an unfinished export of rows. Rows do not say which call wrote them; this file does.
const claimSuffix = ".unfinished"

// A claim is a line of that file. The last one counts.
type claim struct {
	Call string `json:"call"`
	// Size is the number of bytes of complete trials, and Next that after the lines that are being written.
	Size int64 `json:"size"`
	Next int64 `json:"next"`
}

var (
	// errNotRows is the error for a file that is no unfinished export of rows.
	errNotRows = errors.New("is no unfinished export of this call, and was not changed; name another file")
	// errOtherCall is the error for the unfinished export of another call.
	errOtherCall = errors.New("is the unfinished export of another call, and was not changed; name another file")
)

func (f *File) claimPath() string { return f.file.Name() + claimSuffix }

// readClaim sets the size of the complete trials. Its error says that the file is not the unfinished export of the call.
func (f *File) readClaim() error {
	text, err := os.ReadFile(f.claimPath())
	if err != nil {
		return errNotRows
	}
	var last claim
	for line := range bytes.Lines(text) {
		var c claim
		if json.Unmarshal(line, &c) == nil { // else it was being written
			last = c
		}
	}
	switch {
	case last.Call != f.claim.Call:
		return errOtherCall
	case f.length < last.Size || f.length > last.Next:
		return errNotRows
	case f.length == last.Next:
		last.Size = last.Next
	}
	if f.size = last.Size; f.size > 0 {
		f.first = ""
	}
	return nil
}

// writeClaim notes the size of the file after the lines that are written next.
func (f *File) writeClaim(next int64) error {
	if f.claim == nil {
		return nil
	}
	f.claim.Size, f.claim.Next = f.size, next
	line, err := json.Marshal(f.claim)
	if err != nil {
		return err
	}
	how := os.O_APPEND
	if f.size == 0 {
		how = os.O_TRUNC
	}
	file, err := os.OpenFile(f.claimPath(), os.O_WRONLY|os.O_CREATE|how, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Close())
}

func (f *File) removeClaim() error {
	if err := os.Remove(f.claimPath()); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

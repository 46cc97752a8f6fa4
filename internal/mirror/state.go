package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
)

// A State has the metadata of a mirror.
type State struct {
	// Source is the base URL of the copied registry.
	Source string
	// Stamp is the time stamp of the registry's data for which the mirror is complete; "": the first load has not
	// finished.
	Stamp string
	// Synced is the time of the last finished sync.
	Synced time.Time
	// Walk is the day that an unfinished sync has reached; "": no sync is unfinished.
	Walk string
	// Expected is the number of trials of the registry when the last sync began.
	Expected int

	changes int64 // number of the transactions that have changed studies
}

// Complete reports whether the first load has finished.
func (s State) Complete() bool { return s.Stamp != "" }

// Day returns the day of the data, as records write it.
func (s State) Day() string { return s.Stamp[:min(len(s.Stamp), len("yyyy-mm-dd"))] }

// Revision identifies the data exactly, also during a sync.
func (s State) Revision() string { return s.Stamp + "/" + strconv.FormatInt(s.changes, 10) }

// contactsAge is the age after which a mirror without a sync hides contacts of people: the registry may have removed them.
const contactsAge = 30 * 24 * time.Hour

// WithoutContacts reports whether the mirror is too old to show contacts of people.
func (s State) WithoutContacts() bool { return s.Complete() && time.Since(s.Synced) > contactsAge }

// ErrUnfinished is the error of a mirror whose first load has not finished.
var ErrUnfinished = errors.New("the first load of the mirror has not finished")

// The keys of the table meta.
const (
	keySource     = "source"
	keyStamp      = "stamp"
	keySynced     = "synced"
	keyWalk       = "walk"
	keyExpected   = "expected"
	keyReread     = "reread"     // first day of the next re-reading
	keyRereadAt   = "reread_at"  // time of the last re-reading
	keySwept      = "swept"      // time of the last comparison of all ids
	keyOptimized  = "optimized"  // time of the last merge of the word index
	keyDictionary = "dictionary" // of the compression; nil: the file has no record yet
	keyChanges    = "changes"    // number of the transactions that have changed studies
	keyHistory    = "history"    // setting of the days of history that are kept
)

func readState(ctx context.Context, db querier) (State, error) {
	var text []byte
	const query = "SELECT json_group_object(key, value) FROM meta WHERE key <> '" + keyDictionary + "'"
	if err := db.QueryRowContext(ctx, query).Scan(&text); err != nil {
		return State{}, err
	}
	var meta struct { // its fields are the keys
		Source, Stamp, Walk string
		Synced              time.Time
		Expected            int
		Changes             int64
	}
	err := json.Unmarshal(text, &meta)
	return State{
		Source: meta.Source, Stamp: meta.Stamp, Synced: meta.Synced, Walk: meta.Walk, Expected: meta.Expected,
		changes: meta.Changes,
	}, err
}

// readMeta returns the value of a key, the zero value for a key that the file does not have.
func readMeta[T any](ctx context.Context, db querier, key string) (value T, err error) {
	_, err = history.One(db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", key), &value)
	return value, err
}

// A querier queries a file.
type querier = history.Querier

// Counts are numbers of trials of a sync.
type Counts struct {
	// Written trials are new or changed. Read trials were sent by the registry.
	Written, Read int
	// Removed trials are no longer in the registry; Merged trials are now a part of another trial.
	Removed, Merged int
}

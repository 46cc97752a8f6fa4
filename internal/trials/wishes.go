package trials

import (
	"cmp"
	"errors"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

// wishes are the filters of a call, each read once. The query, the notices and the advice of a search, a count and an export are made from
// them. Nothing changes them.
type wishes struct {
	caller string             // the called tool
	args   tools.TrialFilters // as the caller wrote them, for messages
	given  []string           // the names of the filters that the call has

	values registryValues
	ids    []string // of nct_ids
	badIDs []string // notices about them
	texts  []words  // in the order of searchWords
	sites  placesRead
	phases []phaseRead
	pieces []pieceRead
	near   *nearPlace // nil: anywhere
	asNear bool       // near is the text of location
	radius place.Radius

	query *ctgov.Query // without page, order and near
}

// readWishes reads the filters of a call. Its errors name the called tool; the parsers that it calls know no tool.
func readWishes(caller string, args tools.TrialFilters, today *ranges.Calendar) (*wishes, error) {
	w := &wishes{caller: caller, args: args, given: args.Given()}
	location, badWithin := w.readLocationAsNear()
	var badValue, badID, badText, badPlace, badPhase, badPiece error
	w.values, badValue = readValues(args)
	w.ids, w.badIDs, badID = chosenTrials(args.NCTIDs)
	w.texts, badText = readTexts(searchWords(&args), location)
	w.sites, badPlace = readPlaces(args, location, w.asNear)
	w.phases, badPhase = readPhases(args.Phase)
	w.pieces, badPiece = readPieces(args, w.values, today, caller == tools.CountTrials)
	badStatus := checkStatus(args, w.values.named["status"])
	err := cmp.Or(badWithin, badValue, badID, badText, badPlace, badPhase, badPiece, badStatus)
	if err == nil {
		w.query, err = w.makeQuery()
	}
	if err == nil {
		err = cmp.Or(w.checkCriteria(), w.readCircle())
	}
	if err != nil {
		return nil, forTool(caller, err)
	}
	return w, nil
}

// with returns the wishes with other words.
func (w *wishes) with(texts []words) (*wishes, error) {
	other := *w
	other.texts = texts
	var err error
	if other.query, err = other.makeQuery(); err != nil {
		return nil, forTool(w.caller, err)
	}
	return &other, nil
}

// theTool stands for the called tool in the hint of an error.
const theTool = "‹tool›"

// forTool returns an error with the called tool in its hint.
func forTool(caller string, err error) error {
	e, ok := errors.AsType[*entity.Error](err)
	if !ok {
		return err
	}
	named := *e
	named.Hint = strings.ReplaceAll(e.Hint, theTool, caller)
	return &named
}

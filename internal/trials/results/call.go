package results

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/many"
)

// The sections of posted results.
const (
	overview        = "overview"
	outcomes        = "outcomes"
	adverseEvents   = "adverse_events"
	participantFlow = "participant_flow"
	baseline        = "baseline"
	moreInfo        = "more_info"
)

// The sections of flat rows.
const (
	comparisons = "comparisons"
	arms        = "arms"
)

// A Call holds the state of one call of get_trial_results.
type Call struct {
	tools.GetTrialResultsArgs // the id as a CURIE, the section set
	at                        envelope.Cursor
	budget                    int // limit of the answer in bytes
	Notes                     *entity.Notes
	Names                     map[string]*entrez.MeshSummary // of texts that no event has
	pageBytes                 int                            // limit of a page in bytes
	unmatched                 bool                           // no outcome has the words of outcome
	block                     int                            // index of the first trial of a search whose rows are read
	nextBlock                 int                            // of the trial behind them; 0: the search has no more
	rowless                   string                         // why the trial has no rows, or not all; "" if it has
}

// NewCall reads the arguments of a call. nct is the id of the trial, maxAnswer the limit of the answer in bytes.
func NewCall(args tools.GetTrialResultsArgs, nct string, maxAnswer int, notes *entity.Notes) (*Call, error) {
	call := &Call{GetTrialResultsArgs: args, budget: maxAnswer, Notes: notes, Names: map[string]*entrez.MeshSummary{}}
	call.NCTID = id.NCT.CURIE(nct)
	if err := call.chooseSection(); err != nil {
		return nil, err
	}
	call.setPage()
	unpaged := call.GetTrialResultsArgs
	unpaged.PageSize, unpaged.Cursor = 0, ""
	var err error
	args.PageSize = call.PageSize
	call.at, err = envelope.PageAt(tools.GetTrialResults, unpaged, args, args.Cursor)
	return call, err
}

// setPage sets the limits of a page.
func (c *Call) setPage() {
	c.pageBytes = pageBytes
	switch {
	case c.PageSize > 0:
	case c.flat():
		c.PageSize, c.pageBytes = rowPage, plainPage
	default:
		c.PageSize = itemPage
	}
}

// chooseSection sets the section that the other arguments belong to, if no section is given. Arguments of two sections are INVALID_INPUT.
func (c *Call) chooseSection() error {
	if c.Outcome != "" && c.searched() {
		return refusedSection("outcome", c.Outcome,
			"outcome is for the outcomes, and event, serious and min_percent are for the adverse events: one call answers one of them",
			`{"section":null,"event":null,"serious":null,"min_percent":null} for the outcomes, and with {"section":null,"outcome":null} for the events`)
	}
	given, belongs := c.belongs()
	c.Section = cmp.Or(c.Section, belongs, overview)
	fits := belongs == "" || c.Section == belongs || c.Section == arms ||
		belongs == outcomes && (c.Section == comparisons || c.Section == baseline)
	if !fits {
		return refusedSection("section", c.Section, given+" belongs to the section "+belongs, tool.Object("section", belongs))
	}
	if c.Format == "csv" && (c.Section == overview || c.Section == moreInfo) {
		return refusedSection("format", c.Format, "the section "+c.Section+" cannot be a table", tool.Object("section", outcomes))
	}
	return nil
}

// belongs returns an argument that selects a part of a section, and this section; "" for no such argument.
func (c *Call) belongs() (given, section string) {
	switch {
	case c.Outcome != "":
		return "outcome", outcomes
	case len(c.Event) > 0:
		return "event", adverseEvents
	case c.Serious != nil:
		return "serious", adverseEvents
	case c.MinPercent > 0:
		return "min_percent", adverseEvents
	}
	return "", ""
}

// searched reports whether the call searches the adverse events.
func (c *Call) searched() bool {
	return len(c.Event) > 0 || c.Serious != nil || c.MinPercent > 0
}

// flat reports whether the section has rows.
func (c *Call) flat() bool { return c.Section == comparisons || c.Section == arms }

// refusedSection returns the error for an argument that does not belong to the section of a call.
func refusedSection(argument, value, why, correction string) error {
	return envelope.Refuse(argument, value, "%s", why).Again(tools.GetTrialResults, "with %s", correction)
}

// call returns another call of this tool for the same trial, for a message.
func (c *Call) call(args tools.GetTrialResultsArgs) string {
	args.NCTID = c.NCTID
	return tools.GetTrialResults + " with " + tool.Show(args)
}

// sectionCall returns the call of a section.
func (c *Call) sectionCall(section string) string {
	return c.call(tools.GetTrialResultsArgs{Section: section})
}

const (
	// pageBytes limits a page of results: models have difficulty with longer pages.
	pageBytes = 60_000
	// itemPage is the default number of items on a page.
	itemPage = 20
)

const (
	// rowPage is the default number of rows on a page.
	rowPage = 200
	// plainPage limits a page in bytes, if the call does not set its size.
	plainPage = many.PageBytes
)

// A pageOf is one page of the items of a section.
type pageOf[T any] struct {
	items      []T
	first      bool
	pagination *entity.Pagination
}

// page returns the items from the position of the cursor. It ends before an item that does not fit together with head.
func page[T any](c *Call, items []T, head any, size func(T) int) (pageOf[T], error) {
	list := envelope.Listing[T]{At: c.at, Rows: items, Key: func(item T) string { return itemKey(item) }}
	left := list.Page(c.PageSize, c.Notes)
	least := c.budget / 4
	if c.flat() {
		least = min(least, c.pageBytes)
	}
	budget := max(min(c.pageBytes, c.budget-entity.Size(head)), least) - envelope.ReservedBytes
	fits := 0
	for used := 0; fits < len(left); fits++ {
		if used += size(left[fits]) + 1; used > budget && fits > 0 {
			c.Notes.Add(envelope.CutNotice(fits, "items"))
			break
		}
	}
	p := pageOf[T]{items: left[:fits], first: list.Start == 0, pagination: &entity.Pagination{PageSize: c.PageSize}}
	next, more := list.Next(fits)
	if next.Skip = c.block; !more && c.nextBlock > 0 {
		next, more = envelope.Cursor{Query: c.at.Query, Skip: c.nextBlock}, true
	}
	if c.block > 0 || c.nextBlock > 0 { // the rows of the other trials are not counted
		next.Total = nil
	}
	return p, envelope.FinishPage(p.pagination, next, more)
}

// itemKey returns a key that identifies an item of a section, also if its values change.
func itemKey(item any) string {
	switch item := item.(type) {
	case entity.ResultMeasure:
		return envelope.Checksum(item.Type, item.Title, item.TimeFrame)
	case entity.AdverseEvent:
		return envelope.Checksum(strconv.FormatBool(item.Serious), item.OrganSystem, item.Term)
	case entity.FlowPeriod:
		return envelope.Checksum(item.Title)
	}
	return rowKey(item)
}

// rowKey returns a key that identifies a row, also if its values change.
func rowKey(item any) string {
	switch row := item.(type) {
	case entity.ComparisonRow:
		return envelope.Checksum(row.NCTID, strconv.Itoa(row.Outcome), strconv.Itoa(row.Analysis), row.EstimateType)
	case entity.ArmRow:
		return envelope.Checksum(row.NCTID, row.Kind, strconv.Itoa(row.Outcome), row.Title, row.Class, row.Category, row.Group,
			strings.Join([]string{row.OrganSystem, strconv.FormatBool(row.Serious != nil && *row.Serious)}, " "))
	}
	return ""
}

// jsonSize returns the size of an item in an answer, in bytes.
func jsonSize[T any](item T) int { return entity.Size(item) }

// noteUnused reports how many values are left out because their measure does not use their field.
func (c *Call) noteUnused(measures []entity.ResultMeasure) {
	n := 0
	for i := range measures {
		n += measures[i].UnusedValues
	}
	if n > 0 {
		c.Notes.Add(fmt.Sprintf("Values that are not shown (unused_values): %d. They are in spread or limit fields that the "+
			"dispersion of their measure does not use, left over from the form of the registry.", n))
	}
}

// withoutDescriptions returns groups without their descriptions, which are on the first page.
func withoutDescriptions(groups []entity.ResultGroup) []entity.ResultGroup {
	groups = slices.Clone(groups)
	for i := range groups {
		groups[i].Description = ""
	}
	return groups
}

package trials

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/id"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// trialQuery returns the upstream query for the filters of a call, and notices. It leaves out the page and near, which trialSearch adds.
func trialQuery(caller string, args tools.TrialFilters, today *ranges.Calendar) (params *ctgov.Query, notices []string, err error) {
	given := args
	args.LeadSponsor = slices.Clone(args.LeadSponsor) // readTexts changes it
	if notices, err = readWords(caller, &args); err != nil {
		return nil, nil, err
	}
	ids, badIDs, err := chosenTrials(caller, args.NCTIDs)
	if err != nil {
		return nil, nil, err
	}
	more, texts, err := readTexts(caller, &args)
	if err != nil {
		return nil, nil, err
	}
	ids, notices = append(ids, more...), slices.Concat(notices, badIDs, texts)
	at, err := placeFilter(caller, args)
	if err != nil {
		return nil, nil, err
	}
	args.Location = at.words
	notices = append(notices, at.notices...)
	phase, combined, err := phaseFilter(caller, args.Phase)
	if err != nil {
		return nil, nil, err
	}
	notices = append(notices, combined...)
	var types []string
	for _, t := range args.StudyType {
		types = append(types, essie.Area("StudyType", t))
	}
	filters, dates, err := recordFilters(caller, args, today)
	if err != nil {
		return nil, nil, err
	}
	notices = append(notices, dates...)
	sponsor := takeExactNames(&args, given)
	params = args.ListStudiesParams()
	if args.RecruitingSite {
		statusNotices, err := onlyRecruiting(caller, params)
		if err != nil {
			return nil, nil, err
		}
		notices = append(notices, statusNotices...)
	}
	if filter := essie.And(append([]string{at.filter, phase, essie.Or(types...), sponsor}, filters...)...); filter != "" {
		params.FilterAdvanced = &filter
	}
	if len(ids) > 1 && slices.Contains(ids, placeholderNCT) {
		notices = append(notices, "No trial has the id "+id.NCT.CURIE(placeholderNCT)+".")
	}
	if len(ids) > 0 {
		slices.Sort(ids)
		ids = slices.Compact(ids)
		params.FilterIds = &ids
	}
	fields := append(mapping.CandidateFields(), chosenFields(given.Given())...)
	params.Fields = &fields
	if size := ctgov.QuerySize(params); size > ctgov.MaxQuery {
		return nil, nil, tooLong(caller, given, size)
	}
	return params, notices, nil
}

// searchWords returns the arguments that take words, which AND, OR and NOT join: those that the upstream reads as words, and those that are
// looked for in one piece.
func searchWords(args *tools.TrialFilters) []tool.Text {
	return append(args.Texts(), tool.Text{Name: "primary_outcome", Value: &args.PrimaryOutcome},
		tool.Text{Name: "keyword", Value: &args.Keyword}, tool.Text{Name: "criteria", Value: &args.Criteria})
}

// readTexts replaces texts with expressions, and returns the NCT ids in them.
func readTexts(caller string, args *tools.TrialFilters) (ids, notices []string, err error) {
	for _, a := range searchWords(args) {
		if *a.Value == "" {
			continue
		}
		read, err := readTrialText(caller, a)
		if err != nil {
			return nil, nil, err
		}
		if a.Name == "location" { // placeFilter reads it
			continue
		}
		*a.Value = read.Expression
		if a.Name == "primary_outcome" {
			*a.Value = read.In("PrimaryOutcomeMeasure", "PrimaryOutcomeDescription")
		}
		ids, notices = append(ids, read.ids...), append(notices, read.Notices...)
	}
	return ids, notices, nil
}

// withoutCriterion returns the error for a search without any criterion.
func withoutCriterion(caller string, args tools.TrialFilters) *entity.Error {
	return &entity.Error{
		Code:    entity.InvalidInput,
		Message: caller + " was called without any criterion.",
		Hint: "For all trials call " + caller + " again with " +
			tool.Object("study_type", []string{"INTERVENTIONAL", "OBSERVATIONAL", "EXPANDED_ACCESS"}) +
			", or with at least one of " + alternatives(args.Names()) + ".",
	}
}

// cursorWithoutQuery returns the error for a cursor without the arguments of its query.
func cursorWithoutQuery(cursor string) *entity.Error {
	return &entity.Error{
		Code:    entity.InvalidInput,
		Message: "cursor: was given without the other arguments of the call that it came from.",
		Hint:    `Make that call again with cursor added. For the first page call search_trials with the other arguments alone.`,
		Input:   cursor,
	}
}

// readWords replaces words for a status, a kind of study, sponsor or intervention with the registry's values.
func readWords(caller string, args *tools.TrialFilters) (notices []string, err error) {
	for _, w := range []struct {
		words  wordValues
		values *[]string
	}{
		{statusWords, &args.Status}, {studyTypeWords, &args.StudyType}, {sponsorClassWords, &args.SponsorClass},
		{interventionTypeWords, &args.InterventionType},
	} {
		var more []string
		if *w.values, more, err = w.words.read(caller, *w.values); err != nil {
			return nil, err
		}
		notices = append(notices, more...)
	}
	return notices, nil
}

// trialText is a text argument after parsing: an expression for its parameter, or ids to look up.
type trialText struct {
	essie.Query
	ids []string
}

// readTrialText reads a text argument. Only query takes NCT ids.
func readTrialText(caller string, a tool.Text) (read trialText, err error) {
	read.Query = *essie.Parse(*a.Value)
	ids, bad := read.IDs()
	switch {
	case len(ids) == 0 && len(bad) > 0:
		return read, envelope.MalformedNCT(entity.InvalidInput, a.Name, *a.Value, bad)
	case len(ids) > 0 && a.Name != "query":
		return read, &entity.Error{
			Code:    entity.InvalidInput,
			Message: a.Name + ": does not take NCT ids.",
			Hint: "Call get_trial with " + tool.Object("nct_id", id.NCT.CURIE(ids[0])) + " to read a trial, or " + caller + " with " +
				tool.Object("query", *a.Value) + ".",
			Input: *a.Value,
		}
	case len(ids) > ctgov.MaxIDs:
		return read, &entity.Error{
			Code:    entity.InvalidInput,
			Message: fmt.Sprintf("query: holds %d NCT ids, at most %d can be looked up at once.", len(ids), ctgov.MaxIDs),
			Hint:    "Call " + caller + " once for each part of the list.",
			Input:   *a.Value,
		}
	case len(ids) > 0:
		read.ids, read.Expression = ids, ""
		if len(bad) > 0 {
			read.Notices = append(read.Notices, "Ids were left out: "+envelope.WrongDigits(bad)+".")
		}
		return read, nil
	case a.Name == "location":
		return read, nil
	case isPlaceholder(*a.Value) && *a.Value != "ALL": // ALL is also a leukemia
		return read, placeholderError(caller, a.Name, *a.Value)
	case isExactName(a):
		read.Expression, read.Notices = exactName(*a.Value), nil
		return read, nil
	default:
		read.Notices = append(read.Notices, syntaxNotice(caller, a)...)
	}
	if !read.Distinguishes() {
		return read, indistinct(caller, a.Name, *a.Value)
	}
	read.Notices = append(read.Notices, exclusionNotices(caller, a, &read.Query)...)
	read.Notices = append(read.Notices, envelope.MalformedNCTNotice(a.Name, *a.Value)...)
	return read, nil
}

// exclusionNotices says what NOT excludes if a text may mean something else.
func exclusionNotices(caller string, a tool.Text, read *essie.Query) (notices []string) {
	if read.OnlyExcludes() {
		notices = append(notices, a.Name+": "+envelope.Quoted(*a.Value)+" finds every trial without the words after NOT, "+
			"also those about anything "+
			"else, because NOT alone requires no word. Put the words that a trial must have before NOT.")
	}
	if phrase := excludedPhrase(*a.Value); phrase != *a.Value {
		notices = append(notices, a.Name+": NOT excludes each trial that has all of the words "+envelope.Quoted(read.ExcludedWords())+
			", also apart from each other. To exclude only the phrase, call "+caller+" again with "+tool.Object(a.Name, phrase)+".")
	}
	return notices
}

// excludedPhrase returns a text with the words after NOT as a phrase if they are several, and the text unchanged if not.
func excludedPhrase(text string) string {
	if words := essie.Parse(text).ExcludedWords(); words != "" {
		return strings.Replace(text, "NOT "+words, `NOT "`+words+`"`, 1)
	}
	return text
}

// alternatives writes a list of names for a sentence: a, b or c.
func alternatives(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

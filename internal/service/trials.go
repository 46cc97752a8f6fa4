package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// maxUpstreamPage is the largest page that upstream gives.
const maxUpstreamPage = 1000

// SearchTrials serves search_trials.
func (s *Service) SearchTrials(ctx context.Context, args tools.SearchTrialsArgs) (entity.Answer[entity.Page[entity.TrialSearchCandidate]], error) {
	var answer entity.Answer[entity.Page[entity.TrialSearchCandidate]]
	params, notices, err := trialQuery(args)
	if err != nil {
		return answer, err
	}
	query, err := fingerprint("search_trials", params)
	if err != nil {
		return answer, err
	}
	at, err := readCursor("search_trials", query, args.Cursor)
	if err != nil {
		return answer, err
	}
	answer.Value.Pagination.PageSize = args.PageSize
	if params.FilterIds != nil && !dropNowhere(params) {
		answer.Value.Pagination.TotalCount = new(int)
		answer.Notices = append(notices, "No trial has any of these ids.")
		return answer, nil
	}
	if args.Cursor == "" {
		params.CountTotal = new(true)
		answer.Notices = notices
	}
	page, err := s.searchPage(ctx, params, at, args, &answer.Provenance)
	if err != nil {
		return answer, err
	}
	if total := page.next.Total; total != nil && *total == 0 && args.Cursor == "" {
		answer.Notices = append(answer.Notices, noHits(args))
	}
	candidates, rows := mapCandidates(page.studies)
	if bad := len(page.studies) - len(candidates); bad > 0 {
		answer.Notices = append(answer.Notices, fmt.Sprintf("%d records without NCT id, title or status were left out.", bad))
	}
	if kept := fitting(candidates, s.maxAnswer); kept < len(candidates) {
		candidates = candidates[:kept]
		page.more, page.next.Token = true, page.at.Token
		page.next.Skip, page.next.Seen = page.at.Skip+rows[kept], page.at.Seen+rows[kept]
		answer.Notices = append(answer.Notices, cutNotice(kept, "candidates"))
	}
	answer.Value.Items = candidates
	return answer, finishPage(&answer.Value.Pagination, page.next, page.more)
}

// A studyPage is an upstream page, where it was read from and where the next
// one starts.
type studyPage struct {
	studies  []ctgov.Study
	at, next cursor
	more     bool // there is a next one
}

// searchPage reads the upstream page that a cursor points at. Upstream may give
// an empty page that is not the last: such are passed over.
func (s *Service) searchPage(ctx context.Context, params *ctgov.ListStudiesParams, at cursor, args tools.SearchTrialsArgs, p *entity.Provenance) (studyPage, error) {
	const maxEmpty = 3
	for empty := 0; ; empty++ {
		params.PageToken = tool.Value(at.Token)
		params.PageSize = new(int32(min(args.PageSize+at.Skip, maxUpstreamPage)))
		page, err := s.listStudies(ctx, params, p)
		if refused, ok := errors.AsType[*refused](err); ok {
			if e := refusal(refused.sentence, args); e != nil {
				e.Cause = err
				return studyPage{}, e
			}
		}
		if err != nil {
			return studyPage{}, err
		}
		next := cursor{Query: at.Query, Token: page.NextPageToken, Total: at.Total}
		if page.TotalCount != nil {
			next.Total = new(int(*page.TotalCount))
		}
		studies := page.Studies[min(at.Skip, len(page.Studies)):]
		next.Seen = at.Seen + len(studies)
		// Upstream hands out a token past the end, too.
		more := next.Token != "" && (next.Total == nil || next.Seen < *next.Total)
		if len(studies) > 0 || !more || empty == maxEmpty {
			return studyPage{studies: studies, at: at, next: next, more: more}, nil
		}
		at = next
	}
}

// GetTrial serves get_trial.
func (s *Service) GetTrial(ctx context.Context, args tools.GetTrialArgs) (entity.Answer[entity.Trial], error) {
	var answer entity.Answer[entity.Trial]
	study, notices, err := s.study(ctx, "get_trial", args.NCTID, &answer.Provenance)
	if err != nil {
		return answer, err
	}
	trial, err := mapping.Trial(study)
	if err != nil {
		return answer, nonsense(err)
	}
	cut := fitTrial(&trial, s.maxAnswer)
	answer.Value, answer.Notices = trial, append(notices, cut...)
	return answer, nil
}

// GetTrialLocations serves get_trial_locations.
func (s *Service) GetTrialLocations(ctx context.Context, args tools.GetTrialLocationsArgs) (entity.Answer[entity.Page[entity.TrialLocation]], error) {
	var answer entity.Answer[entity.Page[entity.TrialLocation]]
	id, err := readNCT("get_trial_locations", args.NCTID)
	if err != nil {
		return answer, err
	}
	query, err := fingerprint("get_trial_locations", id)
	if err != nil {
		return answer, err
	}
	at, err := readCursor("get_trial_locations", query, args.Cursor)
	if err != nil {
		return answer, err
	}
	study, notices, err := s.study(ctx, "get_trial_locations", id, &answer.Provenance)
	if err != nil {
		return answer, err
	}
	sites := mapping.TrialLocations(study)
	start := min(at.Seen, len(sites))
	page := sites[start:min(start+args.PageSize, len(sites))]
	answer.Notices = notices
	if kept := fitting(page, s.maxAnswer); kept < len(page) {
		page = page[:kept]
		answer.Notices = append(answer.Notices, cutNotice(kept, "sites"))
	}
	if central(study, page) {
		answer.Notices = append(answer.Notices, "No site here names a contact; the contacts for the whole study are central_contacts of get_trial with "+object("nct_id", curie(id))+".")
	}
	answer.Value.Items = page
	answer.Value.Pagination.PageSize = args.PageSize
	seen := start + len(page)
	next := cursor{Query: query, Seen: seen, Total: new(len(sites))}
	return answer, finishPage(&answer.Value.Pagination, next, seen < len(sites))
}

// central tells that none of the sites has a contact but the study has.
func central(study *ctgov.Study, sites []entity.TrialLocation) bool {
	return len(study.ProtocolSection.ContactsLocationsModule.CentralContacts) > 0 &&
		!slices.ContainsFunc(sites, func(l entity.TrialLocation) bool {
			return l.ContactName != "" || l.ContactPhone != "" || l.ContactEmail != ""
		})
}

// study reads one record for a strict tool.
func (s *Service) study(ctx context.Context, tool, text string, p *entity.Provenance) (*ctgov.Study, []string, error) {
	id, err := readNCT(tool, text)
	if err != nil {
		return nil, nil, err
	}
	if id == nowhere {
		return nil, nil, notFound(tool, id)
	}
	fields := mapping.TrialFields()
	page, err := s.listStudies(ctx, &ctgov.ListStudiesParams{FilterIds: &[]string{id}, PageSize: new(int32(1)), Fields: &fields}, p)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(page.Studies, func(s ctgov.Study) bool { return answersTo(&s, id) })
	if i < 0 {
		return nil, nil, notFound(tool, id)
	}
	study := &page.Studies[i]
	var notices []string
	if canonical := study.ProtocolSection.IdentificationModule.NctId; canonical != id {
		notices = append(notices, curie(id)+" is an obsolete id of this trial, which is "+curie(canonical)+".")
	}
	return study, notices, nil
}

// answersTo tells whether a record is the one of an id or of an alias.
func answersTo(study *ctgov.Study, id string) bool {
	m := &study.ProtocolSection.IdentificationModule
	return m.NctId == id || slices.Contains(m.NctIdAliases, id)
}

// A refused request is one that upstream could not read (400).
type refused struct{ sentence string }

func (r *refused) Error() string { return "upstream refused the request: " + r.sentence }

// listStudies makes the one request that all trial tools stand on, and adds it
// to the provenance.
func (s *Service) listStudies(ctx context.Context, params *ctgov.ListStudiesParams, p *entity.Provenance) (*ctgov.PagedStudies, error) {
	resp, err := s.trials.ListStudies(ctx, params)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, nonsense(err)
	}
	p.UpstreamRequests += upstream.Attempts(resp)
	p.RetrievedAt = upstream.Date(resp)
	if resp.StatusCode != http.StatusOK {
		e := nonsense(&refused{sentence: strings.TrimSpace(string(body))})
		e.Message = fmt.Sprintf("ClinicalTrials.gov refused the request (status %d).", resp.StatusCode)
		return nil, e
	}
	var page ctgov.PagedStudies
	if err := json.Unmarshal(body, &page); err != nil {
		return nil, nonsense(err)
	}
	if page.Studies == nil {
		return nil, nonsense(errors.New("an answer without a list of studies"))
	}
	if len(page.Studies) > 0 {
		p.DataVersion = mapping.DataVersion(&page.Studies[0])
	}
	return &page, nil
}

// nonsense is the error of an answer that cannot be read.
func nonsense(cause error) *entity.Error {
	return &entity.Error{
		Code:    entity.UpstreamError,
		Message: "ClinicalTrials.gov answered something that cannot be read.",
		Hint:    "This is not an empty result. Make the same call again in a minute; the arguments need no change.",
		Cause:   cause,
	}
}

// mapCandidates maps the studies that can be mapped; rows tells at which place
// of studies each candidate stands.
func mapCandidates(studies []ctgov.Study) (candidates []entity.TrialSearchCandidate, rows []int) {
	for i := range studies {
		c, err := mapping.TrialCandidate(&studies[i])
		if err != nil {
			continue
		}
		candidates, rows = append(candidates, c), append(rows, i)
	}
	return candidates, rows
}

// dropNowhere takes the id of no trial out of a lookup, and tells whether any
// id is left.
func dropNowhere(params *ctgov.ListStudiesParams) bool {
	ids := slices.DeleteFunc(slices.Clone(*params.FilterIds), func(id string) bool { return id == nowhere })
	params.FilterIds = &ids
	return len(ids) > 0
}

// noHits tells how to widen a search that found nothing.
func noHits(args tools.SearchTrialsArgs) string {
	var given []string
	for _, a := range textArguments(&args) {
		if *a.value != "" {
			given = append(given, a.name)
		}
	}
	for name, values := range map[string][]string{"status": args.Status, "phase": args.Phase, "study_type": args.StudyType} {
		if len(values) > 0 {
			given = append(given, name)
		}
	}
	if len(given) == 1 {
		return "No trial matches. Try other or fewer words."
	}
	slices.Sort(given)
	return "No trial matches all of " + strings.Join(given, ", ") + ": leave one out or widen it."
}

// finishPage puts the total and the cursor of the next page into an answer.
func finishPage(p *entity.Pagination, next cursor, more bool) (err error) {
	p.TotalCount = next.Total
	if more {
		p.Cursor, err = next.encode()
	}
	return err
}

func cutNotice(kept int, what string) string {
	return fmt.Sprintf("The answer was cut to %d %s to stay within its size; the next page goes on from there.", kept, what)
}

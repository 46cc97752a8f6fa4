package trials

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// wordValues has the values of an argument, and the words that people use for them.
type wordValues struct {
	argument string
	piece    string // piece of the registry that has the values
	// synonyms maps other words, folded, to a value.
	synonyms map[string]string
	// imprecise maps words to a value that means more or less than they do, with a notice about the difference.
	imprecise map[string]impreciseWord
	// unclear maps words to the values that they may mean.
	unclear map[string][]string
}

type impreciseWord struct{ value, notice string }

var statusWords = wordValues{
	argument: "status",
	piece:    "OverallStatus",
	synonyms: map[string]string{
		"upcoming": "NOT_YET_RECRUITING", "planned": "NOT_YET_RECRUITING", "pending": "NOT_YET_RECRUITING",
		"notstarted":    "NOT_YET_RECRUITING",
		"notyetstarted": "NOT_YET_RECRUITING", "notyetopen": "NOT_YET_RECRUITING", "notyetenrolling": "NOT_YET_RECRUITING",
		"byinvitation": "ENROLLING_BY_INVITATION", "byinvitationonly": "ENROLLING_BY_INVITATION",
		"invitationonly":     "ENROLLING_BY_INVITATION",
		"activenotenrolling": "ACTIVE_NOT_RECRUITING", "activebutnotrecruiting": "ACTIVE_NOT_RECRUITING",
		"stoppedearly": "TERMINATED", "terminatedearly": "TERMINATED", "paused": "SUSPENDED", "onhold": "SUSPENDED",
	},
	imprecise: map[string]impreciseWord{
		"enrolling":         {"RECRUITING", byInvitation},
		"open":              {"RECRUITING", notYet},
		"opentoenrollment":  {"RECRUITING", notYet},
		"openforenrollment": {"RECRUITING", notYet},
		"accruing":          {"RECRUITING", byInvitation},
		"accepting":         {"RECRUITING", byInvitation},
	},
	unclear: map[string][]string{
		"active": active, "ongoing": active, "current": active, "inprogress": active, "running": active, "underway": active,
		"closed": closed, "notrecruiting": notRecruiting, "nonrecruiting": notRecruiting, "notenrolling": notRecruiting,
		"notopen": notRecruiting, "nolongerrecruiting": closed, "closedtoenrollment": closed,
		"closedtorecruitment": closed, "closedtoaccrual": closed, "inactive": closed,
		"ended": {"COMPLETED", "TERMINATED"}, "finished": {"COMPLETED", "TERMINATED"}, "done": {"COMPLETED", "TERMINATED"},
		"over":    {"COMPLETED", "TERMINATED"},
		"stopped": stopped, "halted": stopped, "discontinued": stopped, "cancelled": stopped, "canceled": stopped, "aborted": stopped,
	},
}

const (
	byInvitation = "trials that take participants by invitation only are ENROLLING_BY_INVITATION"
	notYet       = "trials that are to open are NOT_YET_RECRUITING"
)

var (
	active = []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}
	closed = []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}
	// notRecruiting also has trials that have not begun.
	notRecruiting = append([]string{"NOT_YET_RECRUITING", "UNKNOWN"}, closed...)
	stopped       = []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}
)

var studyTypeWords = wordValues{
	argument: "study_type",
	piece:    "StudyType",
	synonyms: map[string]string{
		"intervention": "INTERVENTIONAL", "clinical": "INTERVENTIONAL", "interventionalclinical": "INTERVENTIONAL",
		"observation": "OBSERVATIONAL", "noninterventional": "OBSERVATIONAL",
		"compassionateuse": "EXPANDED_ACCESS", "expandedaccessprogram": "EXPANDED_ACCESS", "expanded": "EXPANDED_ACCESS",
		"eap": "EXPANDED_ACCESS",
	},
	imprecise: map[string]impreciseWord{
		"rct": randomized, "randomized": randomized, "randomised": randomized, "randomizedcontrolled": randomized,
		"randomisedcontrolled": randomized,
		"cohort":               observed, "casecontrol": observed, "registry": observed, "patientregistry": observed,
		"observationalpatientregistry": observed, "naturalhistory": observed, "crosssectional": observed,
	},
}

var (
	randomized = impreciseWord{"INTERVENTIONAL", "that holds trials without randomization too"}
	observed   = impreciseWord{"OBSERVATIONAL", "that holds studies of other designs too"}
)

var sponsorClassWords = wordValues{
	argument: "sponsor_class",
	piece:    "LeadSponsorClass",
	synonyms: map[string]string{
		"pharma": "INDUSTRY", "pharmaceutical": "INDUSTRY", "company": "INDUSTRY", "companies": "INDUSTRY", "biotech": "INDUSTRY",
		"commercial": "INDUSTRY", "federal": "FED", "othergovernment": "OTHER_GOV", "individual": "INDIV",
	},
	imprecise: map[string]impreciseWord{
		"academic": universities, "academia": universities, "university": universities, "universities": universities,
		"hospital": universities, "foundation": universities, "nonprofit": universities,
	},
	unclear: map[string][]string{"government": governments, "governmental": governments, "public": governments},
}

var interventionTypeWords = wordValues{
	argument: "intervention_type",
	piece:    "InterventionType",
	synonyms: map[string]string{
		"biologic": "BIOLOGICAL", "medication": "DRUG", "medicine": "DRUG", "drugs": "DRUG", "surgery": "PROCEDURE",
		"surgical": "PROCEDURE", "radiotherapy": "RADIATION", "supplement": "DIETARY_SUPPLEMENT", "psychotherapy": "BEHAVIORAL",
		"diagnostic": "DIAGNOSTIC_TEST",
	},
	imprecise: map[string]impreciseWord{
		"vaccine": biologicals, "vaccines": biologicals, "antibody": biologicals, "celltherapy": biologicals,
	},
	unclear: map[string][]string{"app": software, "apps": software, "mobileapp": software, "software": software, "digital": software},
}

var (
	universities = impreciseWord{"OTHER", "that holds all universities, hospitals, foundations and charities together"}
	governments  = []string{"NIH", "FED", "OTHER_GOV"}
	biologicals  = impreciseWord{"BIOLOGICAL", "that holds vaccines, antibodies and cells; the argument intervention takes the word itself"}
	software     = []string{"DEVICE", "BEHAVIORAL", "OTHER"}
)

// fillerWords are words that add nothing to a value.
var fillerWords = lazyregexp.New(`(?i)\b(?:stud(?:y|ies)|trials?|status|only|currently|actively|now|patients|participants|subjects)\b`)

// read returns the values that texts name, and notices. Each text may list several values.
func (w wordValues) read(texts []string) (values, notices []string, err error) {
	var unknown []string
	for _, text := range texts {
		parts := listSep.Split(text, -1)
		for len(parts) > 0 {
			if strings.TrimSpace(parts[0]) == "" {
				parts = parts[1:]
				continue
			}
			// A value may contain a comma (Active, not recruiting). The longest run of parts that is one value counts.
			run := min(len(parts), 4)
			for ; run > 1 && w.value(strings.Join(parts[:run], " ")) == ""; run-- {
			}
			word := strings.TrimSpace(strings.Join(parts[:run], ", "))
			parts = parts[run:]
			if err := w.refusal(word); err != nil {
				return nil, nil, err
			}
			value := w.value(word)
			if value == "" {
				unknown = append(unknown, word)
				continue
			}
			if also, ok := w.imprecise[withoutFillers(word)]; ok {
				notices = append(notices, fmt.Sprintf("%s: %s was read as %s; %s.", w.argument, envelope.Quoted(word), value, also.notice))
			}
			values = append(values, value)
		}
	}
	if len(unknown) > 0 {
		return nil, nil, w.unknownError(values, unknown)
	}
	slices.Sort(values) // the order of the list does not change the query
	return slices.Compact(values), notices, nil
}

// refusal returns the error for a word that may mean several values, that excludes a value, or that means any value; nil for other words.
func (w wordValues) refusal(word string) error {
	if isPlaceholder(word) {
		return placeholderError(w.argument, word)
	}
	rest, excluded := excludes(word)
	several := w.unclear[withoutFillers(word)]
	switch {
	case startsWithSign(word):
	case several != nil:
		return w.ambiguousError(word, several)
	case w.value(word) != "": // not yet recruiting
		return nil
	}
	if !excluded {
		return nil
	}
	out := w.unclear[withoutFillers(rest)]
	if value := w.value(rest); value != "" {
		out = []string{value}
	}
	others := slices.DeleteFunc(slices.Clone(w.known()), func(k string) bool { return slices.Contains(out, k) })
	return exclusionError(w.argument, word, others)
}

// value returns the value that a text names, or "". It is "" for a text with a sign before the value, because the sign may exclude it.
func (w wordValues) value(text string) string {
	if startsWithSign(text) {
		return ""
	}
	for _, word := range []string{entity.Fold(text), withoutFillers(text)} {
		known := w.known()
		if i := slices.IndexFunc(known, func(k string) bool { return entity.Fold(k) == word }); i >= 0 {
			return known[i]
		}
		if value := w.synonyms[word]; value != "" {
			return value
		}
		if value := w.imprecise[word].value; value != "" {
			return value
		}
	}
	return ""
}

// known returns the values, in the order of the registry.
func (w wordValues) known() []string { return essie.Values(w.piece) }

// withoutFillers returns a text, folded, without words that add nothing to a value.
func withoutFillers(text string) string { return entity.Fold(fillerWords.ReplaceAllString(text, " ")) }

// ambiguousError returns the error for a word that may mean several values.
func (w wordValues) ambiguousError(word string, several []string) error {
	return misread{argument: w.argument, text: word, reason: theText + " may mean " + alternatives(several),
		again: "with those that are meant: " + tool.Object(w.argument, several) + " are all of them"}
}

// unknownError returns the error for words that name no value. good has the values of the other words.
func (w wordValues) unknownError(good, words []string) error {
	with := ""
	meant := slices.Clone(good)
	for _, word := range words {
		meant = append(meant, tool.Nearest(word, w.known()))
	}
	if !slices.Contains(meant, "") {
		var call any = meant
		if len(meant) == 1 {
			call = meant[0]
		}
		with = tool.Object(w.argument, call) + ", or with "
	}
	return misread{argument: w.argument, text: strings.Join(words, ", "), reason: tool.NotKnown(words),
		again: "with " + with + w.argument + " as one or several of " + strings.Join(w.known(), ", ") + ", in words too"}
}

// registryValues are the values of the arguments that take values of the registry.
type registryValues struct {
	named   map[string][]string // by argument
	notices []string
}

// readValues reads the words for a status, a kind of study, sponsor or intervention.
func readValues(args tools.TrialFilters) (all registryValues, err error) {
	all.named = map[string][]string{}
	for _, w := range []struct {
		words wordValues
		texts []string
	}{
		{statusWords, args.Status}, {studyTypeWords, args.StudyType}, {sponsorClassWords, args.SponsorClass},
		{interventionTypeWords, args.InterventionType},
	} {
		values, notices, err := w.words.read(w.texts)
		if err != nil {
			return all, err
		}
		all.named[w.words.argument], all.notices = values, append(all.notices, notices...)
	}
	return all, nil
}

package trials

import (
	"slices"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

const (
	// reportingMethod names the method of Reporting.
	reportingMethod = "FDAAA TrialsTracker, results under review count as submitted"
	// finalRule is the day from which 42 CFR 11 applies.
	finalRule = "2017-01-18"
	// graceDays is the number of days after the due day in which results are due, and not yet overdue.
	graceDays = 30
)

// Reporting returns whether and when the results of a trial are due by 42 CFR 11, as of a day of the registry's data (2026-01-05; "": the
// status is known of submitted results alone). nil: the record describes no applicable trial. A month counts to its last day.
func Reporting(t *entity.Trial, day string) *entity.Reporting {
	completed := lastDay(t.PrimaryCompletionDate)
	if completed == "" {
		completed = lastDay(t.CompletionDate)
	}
	r := &entity.Reporting{Act: applicable(t, completed), CertificateDate: t.DelayFirstSubmittedDate, Method: reportingMethod}
	if r.Act == "" {
		return nil
	}
	years := 1
	if r.CertificateDate != "" {
		years = 3
	}
	r.DueDate = yearsLater(completed, years)
	done := "reported"
	submitted := t.ResultsFirstSubmittedDate != "" || t.ResultsFirstPostedDate != ""
	if r.SubmittedDate = t.ResultsFirstSubmittedDate; !submitted {
		done = "submitted"
		r.SubmittedDate, submitted = underReview(t)
	}
	switch {
	case submitted && r.DueDate != "" && r.SubmittedDate > r.DueDate:
		r.Status = done + "_late"
	case submitted:
		r.Status = done
	case day == "" || r.DueDate == "":
	case day <= r.DueDate:
		r.Status = "ongoing"
	case daysBetween(r.DueDate, day) <= graceDays:
		r.Status = "due"
	default:
		r.Status = "overdue"
	}
	return r
}

// applicable returns the kind of applicable trial; "": it is no applicable trial. completed is its last day.
func applicable(t *entity.Trial, completed string) string {
	base := t.Protocol != nil && t.Protocol.StudyType == "INTERVENTIONAL" && t.Protocol.PrimaryPurpose != "DEVICE_FEASIBILITY" &&
		t.Status != "WITHDRAWN" &&
		slices.Contains([]string{"PHASE1+PHASE2", "PHASE2", "PHASE2+PHASE3", "PHASE3", "PHASE4", "NA"}, joinedPhases(t))
	start := lastDay(t.StartDate)
	if !base || start == "" {
		return ""
	}
	regulated, known := regulatedProduct(t.Oversight)
	switch {
	case start >= finalRule && regulated:
		return "act"
	case start >= finalRule || completed < finalRule:
		return ""
	case regulated:
		return "pact"
	case !known && tests(t) && inUnitedStates(t):
		return "probable_pact"
	}
	return ""
}

// joinedPhases returns the phases of a trial, joined by +.
func joinedPhases(t *entity.Trial) string {
	if len(t.Phases) > 0 {
		return strings.Join(nonEmptyTexts(t.Phases), "+")
	}
	return string(t.Phase)
}

// regulatedProduct reports whether a trial studies a drug or device that the FDA regulates, and whether the record says anything about it.
func regulatedProduct(o *entity.Oversight) (regulated, known bool) {
	if o == nil {
		return false, false
	}
	drug, device := o.FDARegulatedDrug, o.FDARegulatedDevice
	return drug != nil && *drug || device != nil && *device, drug != nil || device != nil
}

// tests reports whether a trial tests a product of a kind that the FDA regulates.
func tests(t *entity.Trial) bool {
	return slices.ContainsFunc(t.InterventionDetails, func(i entity.Intervention) bool {
		return slices.Contains([]entity.InterventionType{"BIOLOGICAL", "DRUG", "DEVICE", "GENETIC", "RADIATION", "COMBINATION_PRODUCT",
			"DIAGNOSTIC_TEST"}, i.Type)
	})
}

// inUnitedStates reports whether a trial has a site in the United States or in its territories.
func inUnitedStates(t *entity.Trial) bool {
	return t.LocationsSummary != nil && slices.ContainsFunc(t.LocationsSummary.Countries, func(c entity.CountrySites) bool {
		return slices.Contains([]string{"United States", "American Samoa", "Guam", "Northern Mariana Islands", "Puerto Rico",
			"U.S. Virgin Islands", "Virgin Islands (U.S.)"}, c.Country)
	})
}

// underReview reports whether results are under review, and returns the day of their first submission after the last withdrawal; "" for an
// unknown day. Results that were returned for changes are under review, too.
func underReview(t *entity.Trial) (day string, submitted bool) {
	submit := func(released string) {
		if !submitted {
			day, submitted = released, true
		}
	}
	if s := t.ResultsSubmission; s != nil && len(s.Cycles) > 0 {
		for _, c := range s.Cycles {
			submit(c.Released)
			if c.Unreleased != "" || c.UnreleasedUnknown != nil && *c.UnreleasedUnknown {
				day, submitted = "", false
			}
		}
		return day, submitted
	}
	if t.UnpostedResults != nil {
		for _, e := range t.UnpostedResults.Events {
			switch e.Type {
			case "RELEASE":
				submit(e.Date)
			case "UNRELEASE":
				day, submitted = "", false
			}
		}
	}
	return day, submitted
}

// lastDay returns the last day of a date, which may be a month or a year; "" for no date.
func lastDay(date string) string {
	for _, form := range []struct {
		layout        string
		years, months int
	}{{time.DateOnly, 0, 0}, {"2006-01", 0, 1}, {"2006", 1, 0}} {
		if first, err := time.Parse(form.layout, date); err == nil {
			if form.years+form.months > 0 {
				first = first.AddDate(form.years, form.months, -1)
			}
			return first.Format(time.DateOnly)
		}
	}
	return ""
}

// yearsLater returns a day some years later, 28 February for 29 February; "" for no day.
func yearsLater(day string, years int) string {
	from, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	later := from.AddDate(years, 0, 0)
	if later.Month() != from.Month() {
		later = later.AddDate(0, 0, -1)
	}
	return later.Format(time.DateOnly)
}

// daysBetween returns the number of days from one day to another; 0 if one is no day.
func daysBetween(from, to string) int {
	first, err := time.Parse(time.DateOnly, from)
	if err != nil {
		return 0
	}
	last, err := time.Parse(time.DateOnly, to)
	if err != nil {
		return 0
	}
	return int(last.Sub(first).Hours() / 24)
}

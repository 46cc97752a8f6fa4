package aact

import (
	"slices"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// calculated are the columns of calculated_values, as AACT computes them.
var calculated = map[string]func(*maker) any{
	"number_of_facilities":                    func(m *maker) any { return int64(len(m.list(locations))) },
	"number_of_nsae_subjects":                 func(m *maker) any { return m.affected("otherEvents") },
	"number_of_sae_subjects":                  func(m *maker) any { return m.affected("seriousEvents") },
	"registered_in_calendar_year":             (*maker).registered,
	"actual_duration":                         (*maker).duration,
	"were_results_reported":                   func(m *maker) any { return len(m.list(outcomes)) > 0 },
	"months_to_report_results":                (*maker).monthsToReport,
	"has_us_facility":                         (*maker).american,
	"has_single_facility":                     (*maker).single,
	"minimum_age_num":                         func(m *maker) any { return m.ageNumber("minimumAge") },
	"maximum_age_num":                         func(m *maker) any { return m.ageNumber("maximumAge") },
	"minimum_age_unit":                        func(m *maker) any { return m.ageUnit("minimumAge") },
	"maximum_age_unit":                        func(m *maker) any { return m.ageUnit("maximumAge") },
	"number_of_primary_outcomes_to_measure":   func(m *maker) any { return m.planned("primaryOutcomes") },
	"number_of_secondary_outcomes_to_measure": func(m *maker) any { return m.planned("secondaryOutcomes") },
	"number_of_other_outcomes_to_measure":     func(m *maker) any { return m.planned("otherOutcomes") },
}

const (
	locations = "protocolSection.contactsLocationsModule.locations"
	outcomes  = "resultsSection.outcomeMeasuresModule.outcomeMeasures"
	status    = "protocolSection.statusModule."
)

// list returns the array at a path of the record.
func (m *maker) list(path string) []any {
	list, _ := m.at(path).([]any)
	return list
}

// text returns the text at a path of the record.
func (m *maker) text(path string) string {
	text, _ := m.at(path).(string)
	return text
}

// affected returns the sum of the persons with an event, over the rows of the events. It is nil without such rows.
func (m *maker) affected(kind string) any {
	sum, some := int64(0), false
	for _, event := range m.list("resultsSection.adverseEventsModule." + kind) {
		stats, _ := lookup(event, "stats").([]any)
		for _, group := range stats {
			if n, ok := Int.read(lookup(group, "numAffected")).(int64); ok {
				sum, some = sum+n, true
			}
		}
	}
	if !some {
		return nil
	}
	return sum
}

// date returns the last day of the partial date at a path of the record.
func (m *maker) date(path string) (time.Time, bool) {
	text, _ := day(m.text(path), 1).(string)
	t, err := time.Parse(time.DateOnly, text)
	return t, err == nil
}

func (m *maker) registered() any {
	if t, ok := m.date(status + "studyFirstSubmitDate"); ok {
		return int64(t.Year())
	}
	return nil
}

// months returns the number of whole 30 days between two dates, nil without one of them.
func (m *maker) months(from, to string) any {
	start, known := m.date(from)
	end, also := m.date(to)
	if !known || !also {
		return nil
	}
	return int64(end.Sub(start).Hours()) / 24 / 30
}

// duration returns the months from the start to the primary completion, nil if one of them is an estimate.
func (m *maker) duration() any {
	const estimated = "ESTIMATED"
	if m.text(status+"startDateStruct.type") == estimated || m.text(status+"primaryCompletionDateStruct.type") == estimated {
		return nil
	}
	return m.months(status+"startDateStruct.date", status+"primaryCompletionDateStruct.date")
}

func (m *maker) monthsToReport() any {
	return m.months(status+"primaryCompletionDateStruct.date", status+"resultsFirstSubmitDate")
}

// unitedStates are the names of the United States and of its territories.
var unitedStates = []string{
	"American Samoa", "Baker Island", "Guam", "Howland Island", "Jarvis Island", "Johnston Atoll", "Kingman Reef", "Midway Atoll",
	"Midway Islands", "Navassa Island", "Northern Mariana Islands", "Palmyra Atoll", "Puerto Rico", "U.S. Virgin Islands", "United States",
	"United States Minor Outlying Islands", "Virgin Islands (U.S.)", "Wake Island",
}

func (m *maker) american() any {
	sites := m.list(locations)
	if len(sites) == 0 {
		return nil
	}
	return slices.ContainsFunc(sites, func(site any) bool {
		country, _ := lookup(site, "country").(string)
		return slices.Contains(unitedStates, country)
	})
}

func (m *maker) single() any {
	sites := m.list(locations)
	if len(sites) == 0 {
		return nil
	}
	return len(sites) == 1
}

var leadingDigits = lazyregexp.New(`^[0-9]+`)

func (m *maker) age(key string) string { return m.text("protocolSection.eligibilityModule." + key) }

func (m *maker) ageNumber(key string) any { return leadingDigits.FindString(m.age(key)) }

func (m *maker) ageUnit(key string) any {
	words := strings.Fields(m.age(key))
	if len(words) == 0 {
		return nil
	}
	return strings.TrimSuffix(strings.ToLower(words[len(words)-1]), "s")
}

// planned returns the number of planned outcomes, nil for none.
func (m *maker) planned(kind string) any {
	if n := len(m.list("protocolSection.outcomesModule." + kind)); n > 0 {
		return int64(n)
	}
	return nil
}

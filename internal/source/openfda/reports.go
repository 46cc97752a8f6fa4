package openfda

import (
	"context"
	"maps"
	"slices"
	"strings"

	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/mapping/drugs"
)

// A ReportSearch selects reports of side effects. Empty fields select all.
type ReportSearch struct {
	// ID finds the drug by its harmonised id, Names in addition by its names as reports have them.
	ID    ID
	Names []string
	// Reaction is a MedDRA term.
	Reaction string
	// Only selects by the code of a field: sex, age_group, serious, outcome or reporter.
	Only map[string]string
	// Since and Until are days, YYYY-MM-DD.
	Since, Until string
}

// reportFields are the fields of reports that have a harmonised id.
var reportFields = map[Kind]api.ReportField{
	UNII: api.ReportFieldPatientDrugOpenfdaUniiExact, Application: api.ReportFieldPatientDrugOpenfdaApplicationNumberExact,
	SetID: api.ReportFieldPatientDrugOpenfdaSplSetIdExact, RxCUI: api.ReportFieldPatientDrugOpenfdaRxcuiExact,
	NDC: api.ReportFieldPatientDrugOpenfdaProductNdcExact,
}

// MatchedBy says by which field and names reports are found.
func (s *ReportSearch) MatchedBy() string {
	if s.ID.Kind == "" {
		return "any drug"
	}
	by := strings.TrimSuffix(strings.TrimPrefix(string(reportFields[s.ID.Kind]), "patient.drug."), ".exact") + " " + s.ID.Value
	if len(s.Names) > 0 {
		by += ", or medicinalproduct or activesubstancename " + strings.Join(s.Names, ", ")
	}
	return by
}

// ByWords reports whether openFDA accepts only the words of the reaction in a query, which longer terms may have too: CROHN^S DISEASE.
func (s *ReportSearch) ByWords() bool { return strings.Contains(s.Reaction, "^") }

func (s *ReportSearch) expression() Expression {
	all := []Expression{""}
	if s.ID.Kind != "" {
		all[0] = Any(Has(reportFields[s.ID.Kind], s.ID.values()...), Has(api.ReportFieldPatientDrugMedicinalproduct, s.Names...),
			Has(api.ReportFieldPatientDrugActivesubstanceActivesubstancename, s.Names...))
	}
	if s.ByWords() {
		all = append(all, Has(api.ReportFieldPatientReactionReactionmeddrapt, s.Reaction))
	} else {
		all = append(all, Has(api.ReportFieldPatientReactionReactionmeddraptExact, strings.ToUpper(s.Reaction)))
	}
	for _, by := range slices.Sorted(maps.Keys(s.Only)) {
		all = append(all, Has(reportGroups[by], s.Only[by]))
	}
	return All(append(all, Between(api.ReportFieldReceivedate, s.Since, s.Until))...)
}

// Reports returns the number of reports.
func (r *Reading) Reports(ctx context.Context, s ReportSearch) (int, error) {
	page, err := r.ask(ctx, Query{Endpoint: Reports, Search: s.expression()})
	if err != nil {
		return 0, err
	}
	return page.Total, nil
}

// reportGroups are the fields by which reports are counted.
var reportGroups = map[string]api.ReportField{
	"reaction": api.ReportFieldPatientReactionReactionmeddraptExact, "year": api.ReportFieldReceivedate,
	"sex": api.ReportFieldPatientPatientsex, "age_group": api.ReportFieldPatientPatientagegroup, "serious": api.ReportFieldSerious,
	"outcome": api.ReportFieldPatientReactionReactionoutcome, "country": api.ReportFieldOccurcountryExact,
	"reporter": api.ReportFieldPrimarysourceQualification,
}

// ReportGroups counts reports by a field: reaction, year (its days), sex, age_group, serious, outcome, country or reporter.
func (r *Reading) ReportGroups(ctx context.Context, s ReportSearch, by string) ([]drugs.Group, error) {
	groups, _, err := records(ctx, r, Query{Endpoint: Reports, Search: s.expression(), Count: string(reportGroups[by]),
		Limit: drugs.MaxGroups}, drugs.ReadGroup)
	return groups, err
}

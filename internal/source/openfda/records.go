package openfda

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/drugs"
	"github.com/biofact-mcp/biofact/internal/source"
)

// The largest numbers of records of one request. A label has up to 265 kB, an application up to 52 kB and mostly 2.5 kB, a product 2 kB.
const (
	MaxApplications = 100
	MaxProducts     = 200
	MaxLabels       = 5
	maxSubstances   = 5
	maxNotices      = 20 // shortages, recalls
)

// A Kind is a kind of ids by which a drug is found.
type Kind string

// The kinds.
const (
	UNII        Kind = "UNII"
	Application Kind = "application number"
	SetID       Kind = "SPL set id"
	RxCUI       Kind = "RXCUI"
	NDC         Kind = "NDC"
)

// An ID is an id of a kind, without its prefix. An application may lack its kind, and the code of a product may be one of a package, in
// any form.
type ID struct {
	Kind  Kind
	Value string
}

// values returns the forms of an id in records.
func (id ID) values() []string {
	switch {
	case id.Kind == NDC:
		products, _ := drugs.Codes(id.Value)
		return products
	case id.Kind == Application && id.Value[0] <= '9':
		return []string{"NDA" + id.Value, "ANDA" + id.Value, "BLA" + id.Value}
	}
	return []string{id.Value}
}

// A Reading asks on behalf of one call.
type Reading struct {
	// Days are the days of the data, by endpoint.
	Days map[string]string
	// Requests is the number of questions.
	Requests int

	openFDA *OpenFDA
	notes   *entity.Notes
}

// Read returns a Reading, which adds to the notes of a call.
func (o *OpenFDA) Read(notes *entity.Notes) *Reading {
	return &Reading{Days: map[string]string{}, openFDA: o, notes: notes}
}

func (r *Reading) ask(ctx context.Context, q Query) (*Page, error) {
	r.Requests++
	page, err := r.openFDA.Ask(ctx, q, r.notes)
	if err == nil && page.Updated != "" {
		r.Days[string(q.Endpoint)] = page.Updated
	}
	return page, err
}

// records returns the records of a page and the number of all.
func records[T any](ctx context.Context, r *Reading, q Query, decode func([]byte) (T, error)) (all []T, total int, err error) {
	if q.Search == "" && q.Endpoint != Reports {
		return nil, 0, nil
	}
	page, err := r.ask(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	for _, text := range page.Results {
		record, err := decode(text)
		if err != nil {
			return nil, 0, source.Unreadable(r.openFDA.access.Source.Title, err)
		}
		all = append(all, record)
	}
	return all, page.Total, nil
}

func decoded[T any](text []byte) (record T, err error) {
	err = json.Unmarshal(text, &record)
	return record, err
}

// Applications returns the applications with one of some brands or substances, those approved first, and the number of all.
func (r *Reading) Applications(ctx context.Context, names []string) ([]api.Application, int, error) {
	return records(ctx, r, Query{Endpoint: Applications, Limit: MaxApplications,
		Sort: Ascending(api.ApplicationFieldSubmissionsSubmissionStatusDate), Search: Any(
			Has(api.ApplicationFieldProductsBrandName, names...), Has(api.ApplicationFieldProductsActiveIngredientsName, names...),
			Has(api.ApplicationFieldOpenfdaBrandName, names...), Has(api.ApplicationFieldOpenfdaGenericName, names...))},
		decoded[api.Application])
}

// ApplicationsOf returns the applications with an id.
func (r *Reading) ApplicationsOf(ctx context.Context, id ID) ([]api.Application, error) {
	field := map[Kind]api.ApplicationField{UNII: api.ApplicationFieldOpenfdaUniiExact, Application: api.ApplicationFieldApplicationNumber,
		SetID: api.ApplicationFieldOpenfdaSplSetIdExact, RxCUI: api.ApplicationFieldOpenfdaRxcuiExact,
		NDC: api.ApplicationFieldOpenfdaProductNdcExact}[id.Kind]
	all, _, err := records(ctx, r, Query{Endpoint: Applications, Limit: MaxApplications, Search: Has(field, id.values()...)},
		decoded[api.Application])
	return all, err
}

// LabelOf returns the newest label with an id, or none.
func (r *Reading) LabelOf(ctx context.Context, id ID) ([]drugs.Label, error) {
	field := map[Kind]api.LabelField{UNII: api.LabelFieldOpenfdaUniiExact, Application: api.LabelFieldOpenfdaApplicationNumberExact,
		SetID: api.LabelFieldSetId, RxCUI: api.LabelFieldOpenfdaRxcuiExact, NDC: api.LabelFieldOpenfdaProductNdcExact}[id.Kind]
	all, _, err := records(ctx, r, Query{Endpoint: Labels, Limit: 1, Search: Has(field, id.values()...),
		Sort: Descending(api.LabelFieldEffectiveTime)}, drugs.ReadLabel)
	return all, err
}

// Products returns the listed products with one of some brands or substances, and the number of all.
func (r *Reading) Products(ctx context.Context, names []string) ([]api.Product, int, error) {
	return records(ctx, r, Query{Endpoint: Products, Limit: MaxProducts, Search: Any(
		Has(api.ProductFieldBrandName, names...), Has(api.ProductFieldGenericName, names...),
		Has(api.ProductFieldActiveIngredientsName, names...))}, decoded[api.Product])
}

// ProductsOf returns the listed products with an id, and the number of all.
func (r *Reading) ProductsOf(ctx context.Context, id ID) ([]api.Product, int, error) {
	field := map[Kind]api.ProductField{UNII: api.ProductFieldOpenfdaUniiExact, Application: api.ProductFieldApplicationNumber,
		SetID: api.ProductFieldOpenfdaSplSetIdExact, RxCUI: api.ProductFieldOpenfdaRxcuiExact, NDC: api.ProductFieldProductNdc}[id.Kind]
	search := Has(field, id.values()...)
	if id.Kind == NDC {
		_, packages := drugs.Codes(id.Value)
		search = Any(search, Has(api.ProductFieldPackagingPackageNdc, packages...))
	}
	return records(ctx, r, Query{Endpoint: Products, Limit: MaxProducts, Search: search}, decoded[api.Product])
}

// Substances returns the substances with one of some names or codes, which are written in capitals, or with an id.
func (r *Reading) Substances(ctx context.Context, names []string, id ID) ([]api.Substance, error) {
	search := Has(api.SubstanceFieldNamesName, names...)
	switch id.Kind {
	case UNII:
		search = Has(api.SubstanceFieldUnii, id.Value)
	case RxCUI:
		search = All(Has(api.SubstanceFieldCodesCode, id.Value), Has(api.SubstanceFieldCodesCodeSystem, string(RxCUI)))
	}
	all, _, err := records(ctx, r, Query{Endpoint: Substances, Limit: maxSubstances, Search: search}, decoded[api.Substance])
	if id.Kind == RxCUI { // its code and the system of the code may be those of two codes
		all = slices.DeleteFunc(all, func(s api.Substance) bool { return !drugs.HasCode(&s, string(RxCUI), id.Value) })
	}
	return all, err
}

// LabelsOf returns the newest label with the set id, of an application, or of a product with one of some names.
func (r *Reading) LabelsOf(ctx context.Context, setID string, numbers, names []string) ([]drugs.Label, error) {
	search := Has(api.LabelFieldSetId, setID)
	if setID == "" {
		search = Any(Has(api.LabelFieldOpenfdaApplicationNumberExact, numbers...), Has(api.LabelFieldSplProductDataElements, names...))
	}
	labels, _, err := records(ctx, r, Query{Endpoint: Labels, Limit: 1, Search: search, Sort: Descending(api.LabelFieldEffectiveTime)},
		drugs.ReadLabel)
	return labels, err
}

// LabelsNamed returns labels with one of some names among the words of their products. A harmonised name is not needed.
func (r *Reading) LabelsNamed(ctx context.Context, names []string) ([]drugs.Label, int, error) {
	return records(ctx, r, Query{Endpoint: Labels, Limit: MaxLabels, Search: Any(Has(api.LabelFieldOpenfdaBrandName, names...),
		Has(api.LabelFieldOpenfdaGenericName, names...), Has(api.LabelFieldSplProductDataElements, names...))}, drugs.ReadLabel)
}

// LabelsCiting returns the labels that cite a trial, from a position, and the number of all.
func (r *Reading) LabelsCiting(ctx context.Context, nct string, from, limit int) ([]drugs.Label, int, error) {
	return records(ctx, r, Query{Endpoint: Labels, Limit: min(limit, MaxLabels), Skip: from, Sort: Descending(api.LabelFieldEffectiveTime),
		Search: Anywhere(nct, strings.Replace(nct, "NCT", "NCT ", 1))}, drugs.ReadLabel)
}

// Shortages returns the shortages of a substance or a generic name, and the number of all.
func (r *Reading) Shortages(ctx context.Context, uniis, names []string) ([]entity.DrugShortage, int, error) {
	return records(ctx, r, Query{Endpoint: Shortages, Limit: maxNotices,
		Search: Any(Has(ShortageUNII, uniis...), Has(ShortageGeneric, names...))}, mapped(drugs.Shortage))
}

// Recalls returns the recalls of a substance or a name, the newest first, and the number of all.
func (r *Reading) Recalls(ctx context.Context, uniis, names []string) ([]entity.DrugRecall, int, error) {
	return records(ctx, r, Query{Endpoint: Recalls, Limit: maxNotices, Sort: Descending(api.RecallFieldRecallInitiationDate),
		Search: Any(Has(api.RecallFieldOpenfdaUniiExact, uniis...), Has(api.RecallFieldProductDescription, names...))},
		mapped(drugs.Recall))
}

// mapped returns a decoder that maps a record.
func mapped[From, To any](mapper func(*From) To) func([]byte) (To, error) {
	return func(text []byte) (to To, err error) {
		record, err := decoded[From](text)
		return mapper(&record), err
	}
}

// maxGeneDrugs limits the drugs whose labels name a gene.
const maxGeneDrugs = 50

// DrugsOfGene returns the drugs whose labels have one of some names of a gene in their indications or in their section on
// pharmacogenomics, and the number of the drugs that it leaves out. It sends at most three requests.
func (r *Reading) DrugsOfGene(ctx context.Context, names []string) (out entity.GeneDrugs, left int, err error) {
	indications, pharmacogenomics := Has(api.LabelFieldIndicationsAndUsage, names...), Has(api.LabelFieldPharmacogenomics, names...)
	var groups [2][]drugs.Group
	for i, search := range []Expression{indications, pharmacogenomics} {
		groups[i], _, err = records(ctx, r, Query{Endpoint: Labels, Search: search, Limit: drugs.MaxGroups,
			Count: string(api.LabelFieldOpenfdaGenericNameExact)}, drugs.ReadGroup)
		if err != nil {
			return out, 0, err
		}
	}
	named := drugs.GeneDrugs(groups[0], groups[1])
	labels, _, err := records(ctx, r, Query{Endpoint: Labels, Limit: MaxLabels, Sort: Descending(api.LabelFieldEffectiveTime),
		Search: All(Any(indications, pharmacogenomics), Has(api.LabelFieldOpenfdaGenericNameExact, drugs.ToRead(named, MaxLabels)...))},
		drugs.ReadLabel)
	if err != nil {
		return out, 0, err
	}
	out, left = drugs.NamingGene(named, labels, names, maxGeneDrugs)
	out.DataDate = r.Days[string(Labels)]
	return out, left, nil
}

package drugs

import (
	"cmp"
	"slices"
	"strings"

	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// Entity returns the record of a drug with a label; nil: without one.
func (d *Drug) Entity(label *Label) entity.Drug {
	out := entity.Drug{
		ID: d.ID(), Name: d.name(), Ingredients: d.ingredients(), Combination: len(d.Names) > 1, Brands: d.Brands(), KindComputed: d.Kind,
		FirstApproved: d.firstApproved(), Applications: text.MapNonZero(d.Applications, application),
		CrossReferences: entity.DrugCrossReferences{
			UNII: curies(uniiPrefix, unii, d.UNIIs()), Applications: d.numbers("NDA", "BLA", "ANDA"),
		},
	}
	var classes, codes, products []string
	for i := range d.Products {
		p := &d.Products[i]
		out.ProductType = cmp.Or(out.ProductType, text.Clean(p.ProductType))
		out.Routes, out.DosageForms = append(out.Routes, p.Route...), append(out.DosageForms, p.DosageForm)
		classes, codes = append(classes, p.PharmClass...), append(codes, p.Openfda.Rxcui...)
	}
	for i := range d.Applications {
		for _, p := range d.Applications[i].Products {
			out.Routes, out.DosageForms = append(out.Routes, p.Route), append(out.DosageForms, p.DosageForm)
		}
	}
	if label != nil {
		h := &label.Openfda
		classes = slices.Concat(classes, h.PharmClassEpc, h.PharmClassMoa, h.PharmClassCs, h.PharmClassPe)
		codes, products = append(codes, h.Rxcui...), h.ProductNdc
		out.ProductType = cmp.Or(out.ProductType, text.FirstNonEmpty(h.ProductType...))
		out.NCTIDs = label.Citations()
		out.Label = &entity.DrugLabel{SetID: label.SetID, Version: label.Version, EffectiveDate: label.Effective,
			Manufacturer: text.FirstNonEmpty(append(h.ManufacturerName, d.labelerOf(label.SetID))...)}
		for _, key := range label.Sections() {
			out.Label.Sections = append(out.Label.Sections, entity.DrugSection{ID: key, Bytes: len(label.Section(key))})
		}
		out.CrossReferences.SPLSetID = label.SetID
		out.CrossReferences.DailyMed = "https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid=" + label.SetID
	}
	out.Routes, out.DosageForms = text.Distinct(out.Routes), text.Distinct(out.DosageForms)
	out.PharmClasses = text.NonZero(entity.DrugClasses{EPC: classesOf(classes, "[EPC]"), MoA: classesOf(classes, "[MoA]"),
		CS: classesOf(classes, "[CS]"), PE: classesOf(classes, "[PE]")})
	out.CrossReferences.RxCUI = curies(rxcuiPrefix, number, codes)
	out.CrossReferences.NDC = curies(ndcPrefix, ndc, products)
	return out
}

var (
	number = lazyregexp.New(`^[0-9]+$`)
	ndc    = lazyregexp.New(`^[0-9]+(?:-[0-9]+){1,2}$`)
)

// curies returns the CURIEs of the ids that match a pattern.
func curies(prefix string, pattern *lazyregexp.Regexp, ids []string) (all []string) {
	for _, id := range text.Distinct(ids) {
		if pattern.MatchString(id) {
			all = append(all, prefix+id)
		}
	}
	return all
}

// classesOf returns the classes of one kind, which their names end with.
func classesOf(classes []string, kind string) (all []string) {
	for _, class := range classes {
		if name, ok := strings.CutSuffix(text.Clean(class), kind); ok {
			all = append(all, strings.TrimSpace(name))
		}
	}
	return entity.Once(all)
}

func (d *Drug) labelerOf(setID string) string {
	for _, p := range d.Products {
		if slices.Contains(p.Openfda.SplSetId, setID) {
			return p.LabelerName
		}
	}
	return ""
}

// ChooseLabel returns the set id of the label that stands for a drug: that of a product of an NDA or BLA, of the original packager, the
// newest. "": its products name no label.
func (d *Drug) ChooseLabel() string {
	var best *api.Product
	rank := func(p *api.Product) (n int) {
		if strings.HasPrefix(p.ApplicationNumber, "NDA") || strings.HasPrefix(p.ApplicationNumber, "BLA") {
			n += 2
		}
		if p.MarketingEndDate == "" {
			n += 4
		}
		if len(p.Openfda.IsOriginalPackager) > 0 {
			n++
		}
		return n
	}
	for i := range d.Products {
		p := &d.Products[i]
		if len(p.Openfda.SplSetId) > 0 && (best == nil ||
			cmp.Or(cmp.Compare(rank(p), rank(best)), cmp.Compare(p.MarketingStartDate, best.MarketingStartDate)) > 0) {
			best = p
		}
	}
	if best != nil {
		return best.Openfda.SplSetId[0]
	}
	return text.FirstNonEmpty(d.SetIDs()...)
}

func application(a *api.Application) entity.DrugApplication {
	out := entity.DrugApplication{ID: text.Clean(a.ApplicationNumber), Sponsor: text.Clean(a.SponsorName), FirstApproved: Approved(a)}
	for _, s := range a.Submissions {
		out.Tentative = out.Tentative || out.FirstApproved == "" && s.SubmissionStatus == "TA"
	}
	out.Products = text.MapNonZero(a.Products, func(p *api.ApplicationProducts) entity.DrugProduct {
		strengths := text.MapNonZero(p.ActiveIngredients, func(i *api.ApplicationProductsActiveIngredients) string {
			return text.Clean(i.Strength)
		})
		return entity.DrugProduct{
			Number: text.Clean(p.ProductNumber), Brand: text.Clean(p.BrandName), Strength: strings.Join(strengths, "; "),
			DosageForm: text.Clean(p.DosageForm), Route: text.Clean(p.Route), MarketingStatus: text.Clean(p.MarketingStatus),
			TECode: text.Clean(p.TeCode), Reference: p.ReferenceDrug == "Yes" || p.ReferenceStandard == "Yes",
		}
	})
	out.Submissions = text.MapNonZero(a.Submissions, submission)
	slices.SortStableFunc(out.Submissions, func(a, b entity.DrugSubmission) int { return cmp.Compare(a.Date, b.Date) })
	return out
}

func submission(s *api.ApplicationSubmissions) entity.DrugSubmission {
	return entity.DrugSubmission{
		Type: text.Clean(s.SubmissionType), Number: text.Clean(s.SubmissionNumber), Status: text.Clean(s.SubmissionStatus),
		Date: date(s.SubmissionStatusDate), Class: text.Clean(s.SubmissionClassCode), Priority: text.Clean(s.ReviewPriority),
		Notes: text.Clean(s.SubmissionPublicNotes),
		Properties: text.MapNonZero(s.SubmissionPropertyType, func(p *api.ApplicationSubmissionsSubmissionPropertyType) string {
			return text.Clean(p.Code)
		}),
		Documents: text.MapNonZero(s.ApplicationDocs, func(d *api.ApplicationSubmissionsApplicationDocs) entity.DrugDocument {
			if d.Url == "" {
				return entity.DrugDocument{}
			}
			return entity.DrugDocument{Type: text.FirstNonEmpty(d.Title, d.Type), Date: date(d.Date), URL: text.Clean(d.Url)}
		}),
	}
}

// Listings returns the listed products of a drug.
func (d *Drug) Listings() []entity.DrugListing {
	return text.MapNonZero(d.Products, func(p *api.Product) entity.DrugListing {
		if !ndc.MatchString(p.ProductNdc) {
			return entity.DrugListing{}
		}
		return entity.DrugListing{
			SetID: text.FirstNonEmpty(p.Openfda.SplSetId...), NDC: ndcPrefix + p.ProductNdc, Brand: text.Clean(p.BrandName),
			Labeler: text.Clean(p.LabelerName), Category: text.Clean(p.MarketingCategory), Application: text.Clean(p.ApplicationNumber),
			DosageForm: text.Clean(p.DosageForm), OriginalPackager: len(p.Openfda.IsOriginalPackager) > 0,
			MarketedFrom: date(p.MarketingStartDate), MarketedUntil: date(p.MarketingEndDate), Schedule: text.Clean(p.DeaSchedule),
		}
	})
}

// Shortage maps a record of a shortage.
func Shortage(s *api.Shortage) entity.DrugShortage {
	packages := curies(ndcPrefix, ndc, []string{s.PackageNdc})
	return entity.DrugShortage{
		Presentation: text.FirstNonEmpty(s.Presentation, s.GenericName, s.ProprietaryName), Company: text.Clean(s.CompanyName),
		Status: text.Clean(s.Status), Availability: text.Clean(s.Availability), Reason: text.Clean(s.ShortageReason),
		Notes: text.Distinct([]string{s.RelatedInfo, s.ResolvedNote}), Posted: date(s.InitialPostingDate), Updated: date(s.UpdateDate),
		Discontinued: date(s.DiscontinuedDate), NDC: text.FirstNonEmpty(packages...),
	}
}

// Recall maps a record of a recall.
func Recall(r *api.Recall) entity.DrugRecall {
	return entity.DrugRecall{
		Number: text.Clean(r.RecallNumber), Classification: text.Clean(r.Classification), Status: text.Clean(r.Status),
		Firm: text.Clean(r.RecallingFirm), Product: text.Clean(r.ProductDescription), Reason: text.Clean(r.ReasonForRecall),
		Distribution: text.Clean(r.DistributionPattern), Lots: text.Clean(r.CodeInfo), Initiated: date(r.RecallInitiationDate),
		Terminated: date(r.TerminationDate),
	}
}

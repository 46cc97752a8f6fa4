package trials

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
	"github.com/biofact-mcp/biofact/internal/register"
)

// setReferences sets the publications, links and documents of a study.
func setReferences(t *entity.Trial, s *ctgov.Study) {
	m, docs := &s.ProtocolSection.ReferencesModule, &s.DocumentSection.LargeDocumentModule
	t.References = text.MapNonZero(m.References, reference)
	t.Links = text.MapNonZero(m.SeeAlsoLinks, func(l *ctgov.SeeAlsoLink) entity.Link {
		return entity.Link{Label: text.CleanMarkup(l.Label), URL: text.Clean(l.Url)}
	})
	t.AvailableIPD = text.MapNonZero(m.AvailIpds, func(a *ctgov.AvailIpd) entity.AvailableIPD {
		return entity.AvailableIPD{ID: text.Clean(a.Id), Type: text.Clean(a.Type), URL: text.Clean(a.Url),
			Comment: text.CleanMarkup(a.Comment)}
	})
	nct := text.Clean(s.ProtocolSection.IdentificationModule.NctId)
	t.Documents = text.MapNonZero(docs.LargeDocs, func(d *ctgov.LargeDoc) entity.TrialDocument { return document(d, nct) })
	t.NoSAP = docs.NoSap
	ipd := &s.ProtocolSection.IpdSharingStatementModule
	t.IPDSharing = text.NonZero(entity.IPDSharingPlan{
		Sharing:        text.Enum[entity.IPDSharing](ipd.IpdSharing),
		Description:    text.CleanMarkup(ipd.Description),
		InfoTypes:      text.Enums[entity.IPDSharingInfoType](ipd.InfoTypes),
		TimeFrame:      text.CleanMarkup(ipd.TimeFrame),
		AccessCriteria: text.CleanMarkup(ipd.AccessCriteria),
		URL:            text.Clean(ipd.Url),
	})
}

func reference(r *ctgov.Reference) entity.Reference {
	return entity.Reference{
		PMID:     text.CURIE(id.PMID, r.Pmid),
		Type:     text.Enum[entity.ReferenceType](r.Type),
		Citation: text.Clean(r.Citation),
		Retractions: text.MapNonZero(r.Retractions, func(r *ctgov.Retraction) entity.Retraction {
			return entity.Retraction{PMID: text.CURIE(id.PMID, r.Pmid), Source: text.Clean(r.Source)}
		}),
	}
}

// documentFolder is the address of the documents that the registry's pages link to.
const documentFolder = "https://cdn.clinicaltrials.gov/large-docs/"

// document maps a document of the study nct.
func document(d *ctgov.LargeDoc, nct string) entity.TrialDocument {
	doc := entity.TrialDocument{
		Label:    text.Clean(d.Label),
		Date:     text.Date(d.Date),
		Uploaded: text.Date(d.UploadDate),
		Size:     d.Size,
		Filename: text.Clean(d.Filename),
	}
	for _, part := range []struct {
		kind, abbreviation string
		has                *bool
	}{{"protocol", "Prot", d.HasProtocol}, {"sap", "SAP", d.HasSap}, {"icf", "ICF", d.HasIcf}} {
		if part.has != nil && *part.has || slices.Contains(strings.Split(d.TypeAbbrev, "_"), part.abbreviation) {
			doc.Kinds = append(doc.Kinds, part.kind)
		}
	}
	if name := doc.Filename; name != "" && !strings.Contains(name, "/") && id.NCT.Is(nct) {
		doc.URL = documentFolder + nct[len(nct)-2:] + "/" + nct + "/" + url.PathEscape(name)
	}
	return doc
}

func trialCrossReferences(s *ctgov.Study) entity.TrialCrossReferences {
	p := &s.ProtocolSection
	refs := entity.TrialCrossReferences{
		ClinicalTrialsGov: id.NCT.URL(text.Clean(p.IdentificationModule.NctId)),
		MeSHConditions:    meshIDs(s.DerivedSection.ConditionBrowseModule.Meshes),
		MeSHInterventions: meshIDs(s.DerivedSection.InterventionBrowseModule.Meshes),
	}
	refs.PubMed, refs.PubMedBackground = publications(p.ReferencesModule.References)
	for i := range p.IdentificationModule.SecondaryIdInfos {
		registryID(&refs, &p.IdentificationModule.SecondaryIdInfos[i])
	}
	for _, ids := range []*[]string{&refs.CTIS, &refs.EudraCT, &refs.ISRCTN, &refs.WHOUTN} {
		*ids = entity.Once(*ids)
	}
	return refs
}

// publications returns the PMIDs of the articles about a study, and those of the articles that it cites as background.
func publications(references []ctgov.Reference) (reports, background []string) {
	for i := range references {
		pmid := text.CURIE(id.PMID, references[i].Pmid)
		if references[i].Type == ctgov.BACKGROUND {
			background = append(background, pmid)
		} else {
			reports = append(reports, pmid)
		}
	}
	reports = entity.Once(reports)
	return reports, entity.Once(slices.Concat(reports, background))[len(reports):]
}

// registryID adds the number of another register that a secondary id is or contains. A CTIS number that is declared as one of EudraCT is
// still one of CTIS.
func registryID(refs *entity.TrialCrossReferences, info *ctgov.SecondaryIdInfo) {
	for _, n := range register.Find(text.Clean(info.Id)) {
		ids := map[string]*[]string{"CTIS": &refs.CTIS, "EudraCT": &refs.EudraCT, "ISRCTN": &refs.ISRCTN, "UTN": &refs.WHOUTN}[n.Register]
		if ids != nil {
			*ids = append(*ids, n.ID)
		}
	}
}

var meshID = lazyregexp.New(`^([CD])([0-9]{1,9})$`)

// The last MeSH numbers with six digits. Larger numbers have nine digits.
const (
	lastShortDescriptor    = 66330
	lastShortSupplementary = 584933
)

// trialMeSH returns the terms with their ids as MeSH writes them.
func trialMeSH(d *ctgov.DerivedSection) *entity.TrialMeSH {
	return text.NonZero(entity.TrialMeSH{
		Conditions: trialMeSHTerms(d.ConditionBrowseModule.Meshes), Interventions: trialMeSHTerms(d.InterventionBrowseModule.Meshes),
	})
}

func trialMeSHTerms(meshes []ctgov.Mesh) []entity.TrialMeSHTerm {
	return entity.Once(text.MapNonZero(meshes, func(m *ctgov.Mesh) entity.TrialMeSHTerm {
		return entity.TrialMeSHTerm{ID: canonicalMeSH(text.Clean(m.Id)), Term: text.Clean(m.Term)}
	}))
}

// meshIDs returns the ids as MeSH writes them: the registry pads some of them to nine digits, and one id may occur in both forms.
func meshIDs(meshes []ctgov.Mesh) []string {
	return entity.Once(text.MapNonZero(meshes, func(m *ctgov.Mesh) string { return canonicalMeSH(text.Clean(m.Id)) }))
}

// canonicalMeSH returns an id as MeSH writes it, or "" if the text is not a MeSH id.
func canonicalMeSH(id string) string {
	m := meshID.FindStringSubmatch(id)
	if m == nil {
		return ""
	}
	number, err := strconv.Atoi(m[2])
	if err != nil {
		return ""
	}
	last := lastShortDescriptor
	if m[1] == "C" {
		last = lastShortSupplementary
	}
	width := 9
	if number <= last {
		width = 6
	}
	return fmt.Sprintf("%s%0*d", m[1], width, number)
}

package mapping

import (
	"cmp"
	"slices"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
)

func protocol(p *ctgov.ProtocolSection) *entity.TrialProtocol {
	d, info, masking := &p.DesignModule, &p.DesignModule.DesignInfo, &p.DesignModule.DesignInfo.MaskingInfo
	return filled(entity.TrialProtocol{
		StudyType:                    value[entity.StudyType](d.StudyType),
		Allocation:                   value[entity.DesignAllocation](info.Allocation),
		InterventionModel:            value[entity.InterventionalAssignment](info.InterventionModel),
		ObservationalModel:           value[entity.ObservationalModel](info.ObservationalModel),
		Masking:                      value[entity.DesignMasking](masking.Masking),
		PrimaryPurpose:               value[entity.PrimaryPurpose](info.PrimaryPurpose),
		InterventionModelDescription: markup(info.InterventionModelDescription),
		MaskingDescription:           markup(masking.MaskingDescription),
		WhoMasked:                    values[entity.WhoMasked](masking.WhoMasked),
		TimePerspective:              value[entity.DesignTimePerspective](info.TimePerspective),
		PatientRegistry:              d.PatientRegistry,
		TargetDuration:               plain(d.TargetDuration),
		BiospecimenRetention:         value[entity.BioSpecRetention](d.BioSpec.Retention),
		BiospecimenDescription:       markup(d.BioSpec.Description),
		ArmsCounted:                  len(p.ArmsInterventionsModule.ArmGroups),
	})
}

func expandedAccess(info *ctgov.ExpandedAccessInfo, d *ctgov.DesignModule) *entity.ExpandedAccess {
	return filled(entity.ExpandedAccess{
		Available:       info.HasExpandedAccess,
		ID:              curie(id.NCT, info.NctId),
		Status:          value[entity.ExpandedAccessStatus](info.StatusForNctId),
		Individual:      d.ExpandedAccessTypes.Individual,
		Intermediate:    d.ExpandedAccessTypes.Intermediate,
		Treatment:       d.ExpandedAccessTypes.Treatment,
		ReferringTrials: whole(d.NPtrsToThisExpAccNctId),
	})
}

// whole returns a number that some versions of the official document do not call an
// integer.
func whole[T int | float32](v *T) *int {
	if v == nil {
		return nil
	}
	return new(int(*v))
}

// locationsSummary counts sites by country, most sites first.
func locationsSummary(sites []ctgov.Location) *entity.LocationsSummary {
	if len(sites) == 0 {
		return nil
	}
	summary := &entity.LocationsSummary{Sites: len(sites)}
	known := slices.ContainsFunc(sites, func(l ctgov.Location) bool { return l.Status != "" })
	at := map[string]int{} // of each country in the list
	for i := range sites {
		name := plain(sites[i].Country)
		if name == "" {
			continue
		}
		k, seen := at[name]
		if !seen {
			k = len(summary.Countries)
			at[name] = k
			summary.Countries = append(summary.Countries, entity.CountrySites{Country: name})
			if known {
				summary.Countries[k].Recruiting = new(int)
			}
		}
		summary.Countries[k].Sites++
		if sites[i].Status == ctgov.RecruitmentStatusRECRUITING {
			*summary.Countries[k].Recruiting++
		}
	}
	slices.SortStableFunc(summary.Countries, func(a, b entity.CountrySites) int { return cmp.Compare(b.Sites, a.Sites) })
	return summary
}

// setEligibility sets who may take part.
func setEligibility(t *entity.Trial, e *ctgov.EligibilityModule) {
	t.EligibilityCriteria = eligibility(e)
	t.GenderBased = e.GenderBased
	t.GenderDescription = markup(e.GenderDescription)
	t.AgeGroups = values[entity.StandardAge](e.StdAges)
	t.StudyPopulation = markup(e.StudyPopulation)
	t.SamplingMethod = value[entity.SamplingMethod](e.SamplingMethod)
}

func arm(a *ctgov.ArmGroup) entity.Arm {
	return entity.Arm{
		Label: plain(a.Label), Type: value[entity.ArmGroupType](a.Type), Description: markup(a.Description),
		Interventions: plains(a.InterventionNames),
	}
}

func intervention(i *ctgov.Intervention) entity.Intervention {
	return entity.Intervention{
		Name: plain(i.Name), Type: value[entity.InterventionType](i.Type), Description: markup(i.Description),
		OtherNames: plains(i.OtherNames), Arms: plains(i.ArmGroupLabels),
	}
}

func official(o *ctgov.Official) entity.Official {
	return entity.Official{Name: plain(o.Name), Role: value[entity.OfficialRole](o.Role), Affiliation: plain(o.Affiliation)}
}

func responsibleParty(r *ctgov.ResponsibleParty) *entity.ResponsibleParty {
	return filled(entity.ResponsibleParty{
		Type:            value[entity.ResponsiblePartyType](r.Type),
		Name:            plain(r.InvestigatorFullName),
		Title:           plain(r.InvestigatorTitle),
		Affiliation:     plain(r.InvestigatorAffiliation),
		OldNameTitle:    plain(r.OldNameTitle),
		OldOrganization: plain(r.OldOrganization),
	})
}

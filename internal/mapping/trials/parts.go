package trials

import (
	"cmp"
	"slices"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

func protocol(p *ctgov.ProtocolSection) *entity.TrialProtocol {
	d, info, masking := &p.DesignModule, &p.DesignModule.DesignInfo, &p.DesignModule.DesignInfo.MaskingInfo
	return text.NonZero(entity.TrialProtocol{
		StudyType:                    text.Enum[entity.StudyType](d.StudyType),
		Allocation:                   text.Enum[entity.DesignAllocation](info.Allocation),
		InterventionModel:            text.Enum[entity.InterventionalAssignment](info.InterventionModel),
		ObservationalModel:           text.Enum[entity.ObservationalModel](info.ObservationalModel),
		Masking:                      text.Enum[entity.DesignMasking](masking.Masking),
		PrimaryPurpose:               text.Enum[entity.PrimaryPurpose](info.PrimaryPurpose),
		InterventionModelDescription: text.CleanMarkup(info.InterventionModelDescription),
		MaskingDescription:           text.CleanMarkup(masking.MaskingDescription),
		WhoMasked:                    text.Enums[entity.WhoMasked](masking.WhoMasked),
		TimePerspective:              text.Enum[entity.DesignTimePerspective](info.TimePerspective),
		PatientRegistry:              d.PatientRegistry,
		TargetDuration:               text.Clean(d.TargetDuration),
		BiospecimenRetention:         text.Enum[entity.BioSpecRetention](d.BioSpec.Retention),
		BiospecimenDescription:       text.CleanMarkup(d.BioSpec.Description),
		ArmsCounted:                  len(p.ArmsInterventionsModule.ArmGroups),
	})
}

func expandedAccess(info *ctgov.ExpandedAccessInfo, d *ctgov.DesignModule) *entity.ExpandedAccess {
	return text.NonZero(entity.ExpandedAccess{
		Available:       info.HasExpandedAccess,
		ID:              text.CURIE(id.NCT, info.NctId),
		Status:          text.Enum[entity.ExpandedAccessStatus](info.StatusForNctId),
		Individual:      d.ExpandedAccessTypes.Individual,
		Intermediate:    d.ExpandedAccessTypes.Intermediate,
		Treatment:       d.ExpandedAccessTypes.Treatment,
		ReferringTrials: toInt(d.NPtrsToThisExpAccNctId),
	})
}

// toInt returns a number as an int. Some versions of the official document do not declare it as an integer.
func toInt[T int | float32](v *T) *int {
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
	at := map[string]int{} // index of each country in the list
	for i := range sites {
		name := text.Clean(sites[i].Country)
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

// setEligibility sets the criteria for participants.
func setEligibility(t *entity.Trial, e *ctgov.EligibilityModule) {
	t.EligibilityCriteria = eligibility(e)
	t.GenderBased = e.GenderBased
	t.GenderDescription = text.CleanMarkup(e.GenderDescription)
	t.AgeGroups = text.Enums[entity.StandardAge](e.StdAges)
	t.StudyPopulation = text.CleanMarkup(e.StudyPopulation)
	t.SamplingMethod = text.Enum[entity.SamplingMethod](e.SamplingMethod)
}

func arm(a *ctgov.ArmGroup) entity.Arm {
	return entity.Arm{
		Label: text.Clean(a.Label), Type: text.Enum[entity.ArmGroupType](a.Type), Description: text.CleanMarkup(a.Description),
		Interventions: text.CleanAll(a.InterventionNames),
	}
}

func intervention(i *ctgov.Intervention) entity.Intervention {
	return entity.Intervention{
		Name: text.Clean(i.Name), Type: text.Enum[entity.InterventionType](i.Type), Description: text.CleanMarkup(i.Description),
		OtherNames: text.CleanAll(i.OtherNames), Arms: text.CleanAll(i.ArmGroupLabels),
	}
}

func official(o *ctgov.Official) entity.Official {
	return entity.Official{Name: text.Clean(o.Name), Role: text.Enum[entity.OfficialRole](o.Role), Affiliation: text.Clean(o.Affiliation)}
}

func responsibleParty(r *ctgov.ResponsibleParty) *entity.ResponsibleParty {
	return text.NonZero(entity.ResponsibleParty{
		Type:            text.Enum[entity.ResponsiblePartyType](r.Type),
		Name:            text.Clean(r.InvestigatorFullName),
		Title:           text.Clean(r.InvestigatorTitle),
		Affiliation:     text.Clean(r.InvestigatorAffiliation),
		OldNameTitle:    text.Clean(r.OldNameTitle),
		OldOrganization: text.Clean(r.OldOrganization),
	})
}

func eligibility(e *ctgov.EligibilityModule) *entity.EligibilityCriteria {
	all := text.CleanMarkup(e.EligibilityCriteria)
	limits, _ := criteriaLimits(all)
	return text.NonZero(entity.EligibilityCriteria{
		CriteriaText:             all,
		Limits:                   limits,
		MinimumAge:               text.Clean(e.MinimumAge),
		MaximumAge:               text.Clean(e.MaximumAge),
		Sex:                      text.Enum[entity.Sex](e.Sex),
		AcceptsHealthyVolunteers: e.HealthyVolunteers,
	})
}

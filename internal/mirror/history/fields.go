package history

import (
	"bytes"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// Fields is a set of the fields in which two versions of a record differ, one bit for each name of fieldPaths. The set of a version whose
// dates of update alone differ is empty.
type Fields uint64

// fieldPaths are the names of the fields of a record with their paths; of several that fit, the longest counts. P is the protocol section.
// A file stores the index of a name, so new names follow at the end.
var fieldPaths = []struct{ name, paths string }{
	{"status", "P.statusModule.overallStatus P.statusModule.lastKnownStatus"},
	{"why_stopped", "P.statusModule.whyStopped"},
	{"expanded_access", "P.statusModule.expandedAccessInfo"},
	{"start_date", "P.statusModule.startDateStruct"},
	{"primary_completion_date", "P.statusModule.primaryCompletionDateStruct"},
	{"completion_date", "P.statusModule.completionDateStruct"},
	{"first_posted", "P.statusModule.studyFirstSubmitDate P.statusModule.studyFirstSubmitQcDate P.statusModule.studyFirstPostDateStruct"},
	{"results_posted", "hasResults P.statusModule.resultsFirstSubmitDate P.statusModule.resultsFirstSubmitQcDate " +
		"P.statusModule.resultsFirstPostDateStruct P.statusModule.resultsWaived"},
	{"certificate", "P.statusModule.dispFirstSubmitDate P.statusModule.dispFirstSubmitQcDate P.statusModule.dispFirstPostDateStruct " +
		"P.statusModule.delayedResults"},
	{"enrollment", "P.designModule.enrollmentInfo"},
	{"phase", "P.designModule.phases"},
	{"design", "P.designModule"},
	{"title", "P.identificationModule.briefTitle P.identificationModule.officialTitle P.identificationModule.acronym"},
	{"ids", "P.identificationModule"},
	{"sponsor", "P.identificationModule.organization P.sponsorCollaboratorsModule"},
	{"primary_outcome", "P.outcomesModule.primaryOutcomes"},
	{"secondary_outcome", "P.outcomesModule.secondaryOutcomes"},
	{"other_outcome", "P.outcomesModule.otherOutcomes"},
	{"criteria", "P.eligibilityModule.eligibilityCriteria"},
	{"eligibility", "P.eligibilityModule"},
	{"sites", "P.contactsLocationsModule.locations"},
	{"contacts", "P.contactsLocationsModule"},
	{"arms", "P.armsInterventionsModule.armGroups"},
	{"intervention", "P.armsInterventionsModule.interventions"},
	{"condition", "P.conditionsModule"},
	{"description", "P.descriptionModule"},
	{"oversight", "P.oversightModule"},
	{"references", "P.referencesModule"},
	{"ipd_sharing", "P.ipdSharingStatementModule"},
	{"results", stored.ResultsKey},
	{"results_submission", "annotationSection derivedSection.miscInfoModule.submissionTracking"},
	{"documents", "documentSection"},
	{"mesh", "derivedSection.conditionBrowseModule derivedSection.interventionBrowseModule"},
	{"removed_countries", "derivedSection.miscInfoModule.removedCountries"},
	{other, ""},
}

const other = "other"

// quietPaths change with every update or publication.
const quietPaths = "P.statusModule.lastUpdateSubmitDate P.statusModule.lastUpdatePostDateStruct P.statusModule.statusVerifiedDate " +
	"derivedSection.miscInfoModule.versionHolder"

// Names returns the names of all fields.
func Names() (names []string) {
	for _, f := range fieldPaths {
		names = append(names, f.name)
	}
	return names
}

// FieldsOf returns the set of some names; false: one of them is no name of a field.
func FieldsOf(names ...string) (set Fields, known bool) {
	for _, name := range names {
		i := slices.Index(Names(), name)
		if i < 0 {
			return 0, false
		}
		set |= 1 << i
	}
	return set, true
}

// Names returns the names of a set.
func (f Fields) Names() (names []string) {
	for ; f != 0; f &= f - 1 {
		if i := bits.TrailingZeros64(uint64(f)); i < len(fieldPaths) {
			names = append(names, fieldPaths[i].name)
		}
	}
	return names
}

// A node is a part of a record: the field to which it belongs, and its parts that belong to other fields.
type node struct {
	field Fields
	below map[string]*node
}

// root returns the node of a record.
var root = sync.OnceValue(func() *node {
	all, _ := FieldsOf(other)
	r := &node{field: all}
	for i, f := range fieldPaths {
		for path := range strings.FieldsSeq(f.paths) {
			r.at(path).field = 1 << i
		}
	}
	for path := range strings.FieldsSeq(quietPaths) {
		r.at(path).field = 0
	}
	r.inherit()
	return r
})

// unset is the field of a node that has that of its parent.
const unset = Fields(1) << 63

// at returns the node of a path, which it adds.
func (n *node) at(path string) *node {
	path = strings.Replace(path, "P.", "protocolSection.", 1)
	for key := range strings.SplitSeq(path, ".") {
		next := n.below[key]
		if next == nil {
			next = &node{field: unset}
			if n.below == nil {
				n.below = map[string]*node{}
			}
			n.below[key] = next
		}
		n = next
	}
	return n
}

func (n *node) inherit() {
	for _, below := range n.below {
		if below.field == unset {
			below.field = n.field
		}
		below.inherit()
	}
}

// Differing returns the fields in which two versions differ.
func Differing(before, after Record) (set Fields) {
	for _, part := range Parts(before, after) {
		field, _ := FieldsOf(part.Field)
		set |= field
	}
	return set
}

// differ calls a function with the parts in which two texts of a part of a record differ. The text of a missing part is empty. It decodes
// only what differs: most of a record stays as it is.
func (n *node) differ(path string, before, after []byte, found func(Part)) {
	switch {
	case bytes.Equal(before, after):
	case n.below == nil || !isObject(before) || !isObject(after):
		n.leaf(path, value(before), value(after), found)
	default:
		stored.EachDifference(before, after, func(name string, before, after []byte) {
			below := n.below[name]
			if below == nil {
				below = &node{field: n.field}
			}
			below.differ(path+"."+name, before, after, found)
		})
	}
}

// isObject reports whether a part is an object or missing.
func isObject(text []byte) bool { return len(text) == 0 || text[0] == '{' }

// leaf calls a function with two values whose parts belong to one field, if they differ.
func (n *node) leaf(path string, before, after any, found func(Part)) {
	if n.field == 0 || reflect.DeepEqual(before, after) {
		return
	}
	field := n.field
	if n == root().below["protocolSection"].below["contactsLocationsModule"].below["locations"] {
		for _, sites := range []any{before, after} {
			list, _ := sites.([]any)
			for _, site := range list {
				if site, ok := site.(map[string]any); ok {
					delete(site, "contacts")
				}
			}
		}
		if reflect.DeepEqual(before, after) {
			field, _ = FieldsOf("contacts")
		}
	}
	found(Part{field.Names()[0], path, before, after})
}

// value returns the value of a part, nil for a missing one and for one that is no JSON: a sync has checked records.
func value(text []byte) any {
	if len(text) == 0 {
		return nil
	}
	v, err := stored.DecodeAny(text, nil)
	if err != nil {
		return nil
	}
	return v
}

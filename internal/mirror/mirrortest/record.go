package mirrortest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"time"
)

// parts are the modules of a record, which are recombined.
type parts struct {
	modules map[string]json.RawMessage // of the protocol section
	derived []byte
	others  map[string]json.RawMessage
}

func split(raw []byte) (p parts, err error) {
	if err = json.Unmarshal(raw, &p.others); err == nil {
		err = json.Unmarshal(p.others["protocolSection"], &p.modules)
	}
	p.derived = p.others["derivedSection"]
	delete(p.others, "protocolSection")
	delete(p.others, "derivedSection")
	return p, err
}

// groups of modules stay together: an arm belongs to its interventions.
var groups = [][]string{
	{"identificationModule"}, {"statusModule"}, {"sponsorCollaboratorsModule", "oversightModule"},
	{"descriptionModule", "conditionsModule"},
	{"designModule", "armsInterventionsModule"}, {"outcomesModule"}, {"eligibilityModule"}, {"contactsLocationsModule"},
	{"referencesModule", "ipdSharingStatementModule"},
}

var (
	nctPattern     = regexp.MustCompile(`"nctId" ?: ?"[^"]*"`)
	aliasPattern   = regexp.MustCompile(`"nctIdAliases" ?: ?\[[^\]]*\],?`)
	versionPattern = regexp.MustCompile(`"versionHolder" ?: ?"[^"]*"`)
	updatePattern  = regexp.MustCompile(`"lastUpdatePostDateStruct" ?: ?\{[^}]*\}`)
)

// record makes the record of a study, which depends on its id and revision alone.
func (r *Registry) record(e *entry) []byte {
	random := rand.New(rand.NewPCG(uint64(e.id), uint64(e.revision)+1))
	protocol := []byte(`{"protocolSection":{`)
	for i, group := range groups {
		from := r.pool[random.IntN(len(r.pool))]
		for _, name := range group {
			module := []byte(from.modules[name])
			switch i {
			case 0:
				module = aliasPattern.ReplaceAll(module, nil)
				names := fmt.Sprintf(`"nctId":"%s"`, nct(e.id))
				if len(e.aliases) > 0 {
					var list []string
					for _, a := range e.aliases {
						list = append(list, nct(a))
					}
					text, _ := json.Marshal(list)
					names += `,"nctIdAliases":` + string(text)
				}
				module = nctPattern.ReplaceAllLiteral(module, []byte(names))
			case 1:
				module = updatePattern.ReplaceAllLiteral(module,
					fmt.Appendf(nil, `"lastUpdatePostDateStruct":{"date":"%s","type":"ACTUAL"}`, e.day))
			}
			if len(module) > 0 {
				if protocol[len(protocol)-1] != '{' {
					protocol = append(protocol, ',')
				}
				protocol = fmt.Appendf(protocol, "%q:%s", name, module)
			}
		}
	}
	from := r.pool[random.IntN(len(r.pool))]
	others := from.others
	derived := versionPattern.ReplaceAll(from.derived, fmt.Appendf(nil, `"versionHolder":"%s"`, r.version.Format(time.DateOnly)))
	out := fmt.Appendf(protocol, `},"derivedSection":%s`, derived)
	for _, key := range []string{"resultsSection", "documentSection", "hasResults"} {
		// Of the real records one in eight has results.
		if value := others[key]; len(value) > 0 && (key != "resultsSection" || random.IntN(3) == 0) {
			out = fmt.Appendf(out, ",%q:%s", key, value)
		}
	}
	out = append(out, '}')
	return out
}

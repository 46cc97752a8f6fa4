package essie

// Label returns what the registry's messages call a parameter that takes an
// expression, or "" where that is not known.
func Label(parameter string) string {
	switch parameter {
	case "query.term":
		return "Other terms"
	case "query.cond":
		return "Conditions or disease"
	case "query.intr":
		return "Intervention / treatment"
	case "query.spons":
		return "Sponsor / collaborator"
	case "query.titles":
		return "Title / acronym"
	case "query.outc":
		return "Outcome measure"
	case "query.locn":
		return "Location terms"
	case "filter.advanced":
		return "advanced filter"
	}
	return ""
}

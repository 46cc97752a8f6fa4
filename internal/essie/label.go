package essie

var labels = map[string]string{
	"query.term": "Other terms", "query.cond": "Conditions or disease", "query.intr": "Intervention / treatment",
	"query.spons": "Sponsor / collaborator", "query.titles": "Title / acronym", "query.outc": "Outcome measure",
	"query.locn": "Location terms", "filter.advanced": "advanced filter",
}

// Label returns the name that the registry's messages use for a parameter with an expression, or "" if the name is not known.
func Label(parameter string) string { return labels[parameter] }

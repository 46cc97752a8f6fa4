package history

import "github.com/biofact-mcp/biofact/internal/mirror/stored"

// A Part is a part in which two versions of a record differ, all of it in one field. The contacts of sites are left out of sites.
type Part struct {
	Field         string
	Path          string // names with a dot before each: .protocolSection.statusModule.overallStatus
	Before, After any    // decoded; nil: the version does not have the part
}

// Parts returns the parts in which two versions differ, without those that only dates of the update have changed.
func Parts(before, after Record) (parts []Part) {
	add := func(p Part) { parts = append(parts, p) }
	root().differ("", before.Main, after.Main, add)
	root().below[stored.ResultsKey].differ("."+stored.ResultsKey, before.Results, after.Results, add)
	return parts
}

package tool

// An Origin says that answers come from a sandbox and not from the sources. Every answer, page and description of the server repeats it.
type Origin struct {
	// Notice is the sentence that says so to people and models. It is the last notice of every answer.
	Notice string
	// Source is the value of biofact/source in the metadata of every answer.
	Source string
	// Flag is the flag that a command line needs for the same answer.
	Flag string
	// Undated reports that the version of the data is not one of a source, so that no answer has it.
	Undated bool
}

// originKey is the key in the metadata of every result for an answer that is not from the sources.
const originKey = "biofact/sandbox"

// addTo adds the origin to the metadata of a result.
func (o *Origin) addTo(meta map[string]any) map[string]any {
	if o == nil {
		return meta
	}
	meta[originKey], meta["biofact/source"] = true, o.Source
	if o.Undated {
		delete(meta, "biofact/data_version")
	}
	return meta
}

// notices returns the notices that are the last ones of every answer.
func (o *Origin) notices() []string {
	if o == nil {
		return nil
	}
	return []string{o.Notice}
}

// Package drugs serves the tools for drugs: searches, records with label and approvals, numbers of reports. It uses openFDA through its
// package alone, and knows neither trials nor genes.
package drugs

import (
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	trial "github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/drugs"
	"github.com/biofact-mcp/biofact/internal/source/openfda"
	"github.com/biofact-mcp/biofact/internal/sources"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// Drugs serves the tools for drugs. It is safe for concurrent use.
type Drugs struct {
	sources   sources.Sources
	maxAnswer int
}

// New returns the tools for drugs. maxAnswer limits an answer in bytes.
func New(from sources.Sources, maxAnswer int) *Drugs { return &Drugs{from, maxAnswer} }

// ids are the forms of the ids of drugs. An application number has the shape of a UNII, and is tested first.
var ids = []struct {
	kind    openfda.Kind
	pattern *lazyregexp.Regexp
}{
	{openfda.Application, lazyregexp.New(`^(NDA|ANDA|BLA)[:#\s-]*([0-9]{5,6})$`)},
	{openfda.Application, lazyregexp.New(`^([0-9]{6})$`)},
	{openfda.RxCUI, lazyregexp.New(`^(?:RXCUI|RXNORM)[:#\s]*([0-9]{1,8})$`)},
	{openfda.NDC, lazyregexp.New(`^(?:NDC[:#\s]*)?([0-9]{4,5}[- ][0-9]{3,4}(?:[- ][0-9]{1,2})?|[0-9]{10,11})$`)},
	{openfda.NDC, lazyregexp.New(`^(?:NDC[:#\s]*)?([0-9]+(?:[- ][0-9]+){1,3})$`)},
	{openfda.SetID, lazyregexp.New(`^([0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12})$`)},
	{openfda.UNII, lazyregexp.New(`^UNII[:#\s]*([A-Z0-9]{10})$|^([A-Z0-9]{10})$`)},
}

// digits and letters match what a UNII has: a letter, and a digit where no prefix says what it is.
var digits, letters = lazyregexp.New(`[0-9]`), lazyregexp.New(`[A-Z]`)

// readID returns the id of a drug, and its form in answers. Any other text is UNRESOLVED_ENTITY, with the search that resolves it.
func readID(toolName, given string) (id openfda.ID, curie string, err error) {
	text := strings.ToUpper(strings.Join(strings.Fields(entity.Narrow(entity.Clean(given))), " "))
	for _, form := range ids {
		m := form.pattern.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		value := strings.Join(m[1:], "")
		switch form.kind {
		case openfda.Application:
			if len(m) > 2 {
				value = m[1] + strings.Repeat("0", 6-len(m[2])) + m[2]
			}
			return openfda.ID{Kind: form.kind, Value: value}, value, nil
		case openfda.SetID:
			return openfda.ID{Kind: form.kind, Value: strings.ToLower(text)}, strings.ToLower(text), nil
		case openfda.NDC:
			if products, _ := mapping.Codes(value); products == nil {
				continue
			}
		case openfda.UNII:
			if !letters.MatchString(value) || m[1] == "" && !digits.MatchString(value) {
				continue
			}
		}
		return openfda.ID{Kind: form.kind, Value: value}, string(form.kind) + ":" + value, nil
	}
	if nct, _ := trial.NCT.Find(text); nct != nil {
		return id, "", envelope.Refuse("", given, "%s takes the id of a drug, not of a trial", toolName).As(entity.UnresolvedEntity).
			Hint("For the drugs whose labels cite the trial call search_drugs with %s, then %s with the id of a result.",
				tool.Object("nct_id", trial.NCT.CURIE(nct[0])), toolName)
	}
	hint := "Call search_drugs with a name of the drug, then " + toolName + " with the id of a result."
	if openfda.Clean(text) != "" && envelope.MayFind(text) {
		hint = "Call search_drugs with " + tool.Object("query", strings.TrimSpace(entity.Clean(given))) + ", then " + toolName +
			" with the id of a result."
	}
	return id, "", envelope.Refuse("", given, "%s takes a resolved id of a drug, such as UNII:DPT0O3T46P, BLA125514, an SPL set id, RXCUI "+
		"or NDC, not words or another kind of id", toolName).As(entity.UnresolvedEntity).Hint("%s", hint)
}

// notFound returns the error for an id without records.
func notFound(toolName, curie string) error {
	return envelope.Refuse("", curie, "openFDA has no drug with the id %s", curie).As(entity.EntityNotFound).
		Hint("Check the id at its source. To find the drug call search_drugs with its name, then %s with the id of a result.", toolName)
}

// notePart says if a part of the records was read.
func notePart(notes *entity.Notes, what string, read, all int) {
	if read < all {
		notes.Add(fmt.Sprintf("openFDA has %d %s with this name; %d were read, so that numbers of a drug may be too low and drugs may be "+
			"missing. Search for a longer name.", all, what, read))
	}
}

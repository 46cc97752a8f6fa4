package articles_test

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/articles"
)

// TestTrialNumbers: a number of any register has each place in which it stands, once; a short word is no number.
func TestTrialNumbers(t *testing.T) {
	t.Parallel()
	var found articles.TrialNumbers
	found.Add("title", "A trial (NCT01844505) of the virus NL63")
	found.Add("abstract", "Registered as ISRCTN 19572887. NCT 01844505, NCT01844505.")
	got := found.All
	want := []entity.TrialNumber{
		{Register: got[0].Register, Number: "NCT01844505", FoundIn: []string{"title", "abstract"}},
		{Register: got[1].Register, Number: "ISRCTN19572887", FoundIn: []string{"abstract"}},
	}
	expect.Equal(t, "numbers", want, got)
}

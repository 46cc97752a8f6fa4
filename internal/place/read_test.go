package place_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/place"
)

// written returns an expression with the texts of its places: (Boston | !Houston) & Germany.
func written(e place.Expression) string {
	if e.Place != nil {
		return e.Place.Text
	}
	var parts []string
	for _, part := range e.Of {
		parts = append(parts, written(part))
	}
	switch e.Join {
	case place.None:
		return "!" + parts[0]
	case place.All:
		return "(" + strings.Join(parts, " & ") + ")"
	}
	return "(" + strings.Join(parts, " | ") + ")"
}

// TestOperators: AND, OR and NOT in capitals, parentheses and a small "or" combine places; OR stays Oregon where a state fits.
func TestOperators(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Boston OR Houston": "(Boston | Houston)", "Boston or Houston": "(Boston | Houston)", "Boston; Houston|Rome": "(Boston | Houston | Rome)",
		"Boston OR Germany": "(Boston | Germany)", "France NOT Paris": "(France & !Paris)", "France AND NOT Paris": "(France & !Paris)",
		"NOT France": "!France", "Boston AND Houston": "(Boston & Houston)", "Boston, MA, OR Houston, TX": "(Boston, MA | Houston, TX)",
		"(Boston OR Houston) AND Germany": "((Boston | Houston) & Germany)", "Boston OR Houston AND Rome": "(Boston | (Houston & Rome))",
		"NOT (Boston OR (Houston))": "!(Boston | Houston)", "Italy NOT Rome NOT Milan": "(Italy & !Rome & !Milan)",
		"Chicago OR Seattle OR Boston, MA": "(Chicago | Seattle | Boston, MA)", "(Boston)": "Boston", "02115 OR 02116": "(02115 | 02116)",
		// a small word is part of a name
		"Brigham and Women's Hospital": "Brigham and Women's Hospital", "France not Paris": "France not Paris",
		"BOSNIA AND HERZEGOVINA": "BOSNIA AND HERZEGOVINA", "Bosnia and Herzegovina OR Serbia": "(Bosnia and Herzegovina | Serbia)",
		"Oslo or Trinidad and Tobago": "(Oslo | Trinidad and Tobago)",
		// Oregon
		"Portland, OR": "Portland, OR", "Portland OR": "Portland OR", "portland or": "portland or", "OR": "OR",
		"Portland OR 97239": "Portland OR 97239", "Portland, OR 97239": "Portland, OR 97239", "Portland OR USA": "Portland, OR, USA",
		"Portland, OR United States": "Portland, OR, USA", "Boston MA United States": "Boston, MA, USA", "Boston OR United States": "(Boston | United States)",
		"Portland, OR OR Seattle, WA": "(Portland, OR | Seattle, WA)", "Portland OR OR Seattle WA": "(Portland OR | Seattle WA)",
		"Portland, OR or Seattle, WA": "(Portland, OR | Seattle, WA)", "(Portland, OR) OR Boise": "(Portland, OR | Boise)",
		"WA OR OR": "(WA | OR)", "OR OR WA": "(OR | WA)", "Texas OR Oregon": "(Texas | Oregon)", "Canada OR USA": "(Canada | USA)",
		"Portland OR AND Boston": "(Portland OR & Boston)", "Portland, OR metro area": "Portland, OR", "Portland (OR)": "Portland, OR",
		// parentheses and signs of a name, and operators without places
		"Boston (MA) OR Houston": "(Boston, MA | Houston)", "Turkey (Türkiye)": "Turkey (Türkiye)", "(42.36; -71.06)": "(42.36; -71.06)",
		"Boston;": "Boston;", "Boston OR (": "Boston", "Boston AND": "Boston", "Boston NOT": "Boston",
		"OR Boston": "Boston", "(Boston OR Houston": "(Boston | Houston)", "Boston OR Houston)": "(Boston | Houston)", "Boston OR": "Boston OR",
		"Boston OR Houston OR": "(Boston | Houston OR)", "Boston Or Houston": "(Boston | Houston)", "Rome AND/OR Bari": "(Rome | Bari)",
		"Seoul, Korea, Republic of": "Seoul, Korea, Republic of", "Izmir, Turkey (Türkiye)": "Izmir, Turkey (Türkiye)",
		"Boston AND AND Houston": "(Boston & Houston)", "": "",
	} {
		read, err := place.Read(text)
		expect.That(t, err == nil && written(read) == want, "%q\n got %s %v\nwant %s", text, written(read), err, want)
	}
}

// TestProblems: a text that is no place is refused. The text that is named instead is a place.
func TestProblems(t *testing.T) {
	t.Parallel()
	for text, instead := range map[string]string{
		"near me": "Boston, MA", "nearby": "Boston, MA", "my area": "Boston, MA", "within 20 miles of me": "Boston, MA",
		"close to home": "Boston, MA", "Europe": "Albania or", "in Europe": "Albania or", "Asia": "Afghanistan or",
		"US East Coast": "Connecticut or", "east coast of the US": "Connecticut or", "MENA": "Algeria or",
		"the Middle East": "Bahrain or", "France OR Europe": "Albania or", "worldwide": "", "null": "", "AND": "", "NOT": "",
		"-France": "NOT France", "!France": "NOT France", "\u2212France": "NOT France", "not in France": "NOT France",
		"outside Boston": "NOT Boston", "France, Germany": "France or Germany", "US, Canada": "US or Canada",
		"Boston, MA, Houston, TX": "Boston, MA or Houston, TX", "France and Germany": "France AND Germany",
		"Boston, MA and Houston, TX": "Boston, MA AND Houston, TX", "Bay Area": "San Francisco", "San Francisco Bay Area": "San Francisco",
		"West Coast": "California", "New England": "Connecticut", "the Midwest": "Illinois", "anywhere": "", "all": "", "91.5,0": "",
	} {
		_, err := place.Read(text)
		wrong, ok := errors.AsType[*place.Problem](err)
		expect.Must(t, ok && strings.HasPrefix(wrong.Instead, instead) && (instead == "") == (wrong.Instead == "") && wrong.Error() != "",
			"%q: %+v", text, err)
		_, err = place.Read(wrong.Instead)
		expect.That(t, err == nil, "%q: %q: %v", text, wrong.Instead, err)
	}
}

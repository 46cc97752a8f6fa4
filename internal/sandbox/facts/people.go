package facts

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// Invented people: common given names and plain compound family names, so that a
// contact looks real without being anybody. Phones are of the 555-01xx kind, which
// is kept free for fiction, and example.org belongs to nobody.
var (
	givenNames = []string{"Alex", "Robin", "Sam", "Kim", "Dana", "Jo", "Lee", "Chris", "Pat", "Terry", "Jamie", "Morgan",
		"Casey", "Drew", "Ash", "Quinn", "Remy", "Noor", "Sasha", "Toni"}
	familyNames = []string{"Ashbrook", "Birchwell", "Cloverley", "Dunmarsh", "Elmstead", "Fernlow", "Glenbarrow",
		"Hazelmere", "Ivyholt", "Juniperson", "Kelpwick", "Larkhill", "Mossdale", "Netherby", "Oakenshaw", "Pinefield",
		"Quillbrook", "Reedham", "Sagebourne", "Thistlewood"}
	degrees   = []string{"", "", ", MD", ", RN", ", PhD"}
	areaCodes = []string{"202", "212", "303", "404", "503", "617", "713", "858"}
	// callingCodes are for the countries that the facts file names most.
	callingCodes = map[string]string{"France": "+33", "Germany": "+49", "Spain": "+34", "Italy": "+39", "Japan": "+81",
		"China": "+86", "Australia": "+61", "United Kingdom": "+44", "Brazil": "+55", "Netherlands": "+31"}
)

// pick chooses a number below n from what is said about a study. It only has to
// be the same on every run and on every machine.
func pick(n int, seed ...any) int {
	h := fnv.New32a()
	fmt.Fprint(h, seed...)
	return int(h.Sum32() % uint32(n))
}

// newContact invents what a contact of this kind has.
func newContact(kind, country string, seed ...any) contact {
	seed = append(seed, kind)
	given := givenNames[pick(len(givenNames), append(seed, "given")...)]
	family := familyNames[pick(len(familyNames), append(seed, "family")...)]
	c := contact{Role: "CONTACT"}
	switch kind {
	case "role":
		return c
	case "investigator":
		c.Name, c.Role = given+" "+family+", MD", "PRINCIPAL_INVESTIGATOR"
		return c
	case "phone":
		c.Phone = newPhone(country, seed)
		return c
	case "extension":
		c.PhoneExt = fmt.Sprint(100 + pick(900, append(seed, "extension")...))
	}
	c.Name = given + " " + family + degrees[pick(len(degrees), append(seed, "degree")...)]
	c.Phone = newPhone(country, seed)
	c.Email = strings.ToLower(given + "." + family + "@example.org")
	return c
}

func newPhone(country string, seed []any) string {
	line := fmt.Sprintf("555-01%02d", pick(100, append(seed, "line")...))
	switch code := callingCodes[country]; {
	case country == "United States" || country == "Canada":
		return areaCodes[pick(len(areaCodes), append(seed, "area")...)] + "-" + line
	case code != "":
		return code + " " + line
	}
	return line
}

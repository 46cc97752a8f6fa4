package place

import (
	_ "embed" // the table of countries
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/boolean"
)

// A country has the names that the registry uses. The registry changed some of them in 2025, and a record may have the old or the new one.
type country struct {
	names []string
	// code reports that the given name was the code of the country, such as FR.
	code bool
}

// CountryNames returns the names that the registry uses and has used for a country. exact reports for each whether it is part of the name
// of another country. Both are empty for an unknown country.
func CountryNames(country string) (names []string, exact []bool) {
	c, _ := countryOf(country)
	for _, n := range c.names {
		exact = append(exact, countries().partOfOther[n])
	}
	return c.names, exact
}

// countryTable has a line for each country: the names of the registry, a colon, and other names, the ISO code first.
//
//go:embed countries.txt
var countryTable string

type countryNames struct {
	byKey       map[string]country
	partOfOther map[string]bool // names that are part of the name of another country
}

var countries = sync.OnceValue(func() countryNames {
	t := countryNames{byKey: map[string]country{}, partOfOther: map[string]bool{}}
	var all []country
	for line := range strings.Lines(strings.TrimSpace(countryTable)) {
		registered, others, _ := strings.Cut(strings.TrimSpace(line), ": ")
		c := country{names: strings.Split(registered, "|")}
		for i, name := range append(strings.Split(others, ", "), c.names...) {
			c.code = i == 0
			t.byKey[nameKey(name)] = c
		}
		for _, known := range all {
			t.markContained(known, c)
			t.markContained(c, known)
		}
		all = append(all, c)
	}
	return t
})

// markContained marks the names of one country that are part of a name of the other.
func (t countryNames) markContained(one, other country) {
	for _, name := range one.names {
		if slices.ContainsFunc(other.names, func(o string) bool { return contains(o, name) }) {
			t.partOfOther[name] = true
		}
	}
}

// contains reports whether inner occurs in a name as one or several whole words.
func contains(name, inner string) bool {
	return strings.Contains(" "+strings.NewReplacer("-", " ", ",", " ").Replace(name)+" ", " "+inner+" ")
}

// countryOf returns the country that a name or code means.
func countryOf(name string) (country, bool) {
	c, ok := countries().byKey[nameKey(name)]
	return c, ok
}

// nameKey returns the letters and digits of a name in lower case, without the article: Republic of Korea, U.K., the Netherlands.
func nameKey(name string) string {
	name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "the ")
	return strings.Map(func(r rune) rune {
		if boolean.LetterOrDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// partsOfUK are countries that the registry does not have.
var partsOfUK = map[string]bool{"england": true, "scotland": true, "wales": true, "northernireland": true}

// territories are countries of the registry that people often write with the state to which they belong.
var territories = map[string]bool{
	"hongkong": true, "macau": true, "macao": true, "taiwan": true, "puertorico": true, "guam": true, "guadeloupe": true,
	"martinique": true,
	"réunion":    true, "reunion": true, "frenchguiana": true, "mayotte": true, "newcaledonia": true, "frenchpolynesia": true,
}

// alsoCountries are abbreviations of states that are also common as codes of countries.
var alsoCountries = map[string]bool{"CA": true, "DE": true, "IN": true, "IL": true, "CO": true, "AR": true, "PR": true}

// partsOfTheWorld maps parts of the world, which the registry does not have, to some of their countries or places.
var partsOfTheWorld = map[string]string{
	"europe": "Germany or France or Italy or Spain or United Kingdom", "eu": "Germany or France or Italy or Spain or Poland",
	"europeanunion": "Germany or France or Italy or Spain or Poland", "westerneurope": "Germany or France or Netherlands or Belgium",
	"easterneurope": "Poland or Czechia or Hungary or Romania", "centraleurope": "Germany or Austria or Poland or Czechia",
	"scandinavia": "Denmark or Norway or Sweden", "nordiccountries": "Denmark or Finland or Iceland or Norway or Sweden",
	"asia": "China or Japan or India or South Korea", "eastasia": "China or Japan or South Korea or Taiwan",
	"southeastasia": "Thailand or Vietnam or Malaysia or Indonesia or Philippines",
	"asiapacific":   "China or Japan or South Korea or Australia",
	"apac":          "China or Japan or South Korea or Australia", "middleeast": "Israel or Saudi Arabia or United Arab Emirates or Turkey",
	"africa": "South Africa or Egypt or Kenya or Nigeria", "subsaharanafrica": "South Africa or Kenya or Uganda or Nigeria",
	"northamerica": "United States or Canada or Mexico", "southamerica": "Brazil or Argentina or Chile or Colombia",
	"latinamerica": "Brazil or Mexico or Argentina or Colombia", "centralamerica": "Guatemala or Costa Rica or Panama or Honduras",
	"oceania": "Australia or New Zealand", "emea": "Germany or France or Israel or South Africa",
	"benelux":             "Belgium or Netherlands or Luxembourg",
	"bayarea":             "San Francisco, CA or Oakland, CA or Palo Alto, CA",
	"sanfranciscobayarea": "San Francisco, CA or Oakland, CA or Palo Alto, CA",
	"siliconvalley":       "Palo Alto, CA or San Jose, CA or Stanford, CA", "westcoast": "California or Oregon or Washington State",
	"eastcoast":  "New York State or Massachusetts or Pennsylvania or Florida",
	"newengland": "Massachusetts or Connecticut or New Hampshire or Rhode Island",
	"midwest":    "Illinois or Ohio or Michigan or Minnesota", "pacificnorthwest": "Washington State or Oregon",
	"deepsouth": "Alabama or Louisiana or Mississippi",
}

// unspecificPlaces are words that mean no particular place.
var unspecificPlaces = map[string]bool{
	"anywhere": true, "everywhere": true, "worldwide": true, "global": true, "globally": true, "international": true, "world": true,
	"all": true,
	"any": true, "allcountries": true, "anycountry": true, "nationwide": true, "multinational": true, "remote": true, "virtual": true,
	"online": true,
	"none":   true, "null": true, "nil": true, "undefined": true, "anything": true, "everything": true,
}

// callerPlaces are words that mean the place of the caller.
var callerPlaces = map[string]bool{
	"me": true, "here": true, "home": true, "mylocation": true, "myarea": true, "mycity": true, "mystate": true, "mycountry": true,
	"myhome": true, "myhouse": true, "myplace": true, "myzip": true, "myzipcode": true, "local": true, "locally": true, "nearby": true,
	"currentlocation":   true,
	"mycurrentlocation": true, "nearest": true, "closest": true,
}

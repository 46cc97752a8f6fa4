package query

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/boolean"
	"github.com/biofact-mcp/biofact/internal/place"
)

// RecruitingSite returns the node for a site that recruits.
func RecruitingSite() Node { return Has("LocationStatus", "RECRUITING") }

// At returns the condition for trials with a site that has the names of one of the readings. A single word or phrase is for the location
// query. All else is a filter, because that query would find several words at different sites of one trial. The site must also have the
// condition also, unless that is nil.
func At(readings []place.Reading, also Node) (words, filter Node) {
	if also != nil {
		return nil, OneSite{AllOf(atSameSite(readings), also)}
	}
	if len(readings) == 1 && readings[0] == (place.Reading{Words: readings[0].Words}) && !severalWords(readings[0].Words) {
		return spelled(readings[0].Words, plainWords), nil
	}
	return nil, AtSite(readings)
}

// Near returns the filter for trials with a site in the circle, by its coordinates or, where these are wrong, by the names of the place.
func Near(c place.Circle) Node {
	inside := in("LocationGeoPoint", "DISTANCE"+strings.NewReplacer("distance(", "[", ")", "]").Replace(c.Filter()))
	return AnyOf(Source(inside), AtSite(c.Misplaced))
}

// AtSite returns the filter for trials with a site that has the names of one of the readings.
func AtSite(readings []place.Reading) Node {
	if slices.ContainsFunc(readings, func(r place.Reading) bool { return namesOf(r).count() > 1 || severalWords(r.Words) }) {
		return OneSite{atSameSite(readings)}
	}
	return atSameSite(readings)
}

// atSameSite returns the expression for a site that has all names of one of the readings. A name that they share comes once.
func atSameSite(readings []place.Reading) Node {
	var all []names
	for _, r := range readings {
		all = append(all, namesOf(r))
	}
	common := shared(all)
	parts, either := []Node(nil), make([]Node, len(all))
	for at, n := range all {
		for i, name := range n {
			if name != common[i] {
				either[at] = AllOf(either[at], namePieces[i](name))
			}
		}
	}
	for i, name := range common {
		if i == firstRegion {
			parts = append(parts, AnyOf(either...))
		}
		if name != "" {
			parts = append(parts, namePieces[i](name))
		}
	}
	return AllOf(parts...)
}

// names are the names of a reading, in the order in which expressions have them.
type names [len(namePieces)]string

// namesOf returns the names of a reading.
func namesOf(r place.Reading) names {
	return names{r.City, r.Words, r.Postal, r.State, r.Country}
}

// namePieces return the expressions for the names of a reading.
var namePieces = [...]func(name string) Node{
	func(n string) Node { return inPieces(n, "LocationCity") },
	inAnyPiece,
	func(n string) Node { return Source(in("LocationZip", quote(n))) },
	func(n string) Node { return Named("LocationState", n) },
	inCountry,
}

// firstRegion is the index of the state, the first name that contains the others.
const firstRegion = 3

func (n names) count() (count int) {
	for _, name := range n {
		count += min(len(name), 1)
	}
	return count
}

// shared returns the names that all have.
func shared(all []names) names {
	common := all[0]
	for _, n := range all[1:] {
		for i := range common {
			if n[i] != common[i] {
				common[i] = ""
			}
		}
	}
	return common
}

// inCountry returns the expression for a site in a country, by each name that the registry has used.
func inCountry(country string) Node {
	all, partOfOther := place.CountryNames(country)
	if len(all) == 0 {
		return Named("LocationCountry", country)
	}
	var areas []Node
	for i, name := range all {
		if partOfOther[i] {
			areas = append(areas, ExactName("LocationCountry", name))
		} else {
			areas = append(areas, Source(in("LocationCountry", quote(name))))
		}
	}
	return AnyOf(areas...)
}

// severalWords reports whether a name has several words and is no quoted phrase.
func severalWords(name string) bool {
	words := strings.FieldsFunc(name, func(r rune) bool { return !boolean.LetterOrDigit(r) })
	quoted := strings.Count(name, `"`) == 2 && strings.HasPrefix(name, `"`) && strings.HasSuffix(name, `"`)
	return len(words) > 1 && !quoted
}

// inAnyPiece returns the expression for a site with a name in any piece; nil for a name without a letter or digit.
func inAnyPiece(name string) Node {
	if plainWords(name) == nil {
		return nil
	}
	pieces := []string{"LocationCity", "LocationState", "LocationCountry", "LocationFacility"}
	if strings.ContainsAny(name, "0123456789") {
		pieces = append(pieces, "LocationZip")
	}
	return inPieces(name, pieces...)
}

// inPieces returns the expression for a name in one of several pieces of a site.
func inPieces(name string, pieces ...string) Node {
	var areas []Node
	for _, piece := range pieces {
		areas = append(areas, spelled(name, func(n string) Node { return Named(piece, n) }))
	}
	return AnyOf(areas...)
}

// spelled returns the expression for each spelling of the name of a city.
func spelled(name string, node func(name string) Node) Node {
	var all []Node
	for _, n := range place.Spellings(name) {
		all = append(all, node(n))
	}
	return AnyOf(all...)
}

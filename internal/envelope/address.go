package envelope

import (
	_ "embed" // the table of parameters
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

//go:embed addresses.tsv
var addressTable string

// A parameter is a parameter of the address of a search, by its source, its name and its value.
type parameter struct{ source, name, value string }

// meaning is the argument that a parameter means, and its value.
type meaning struct{ argument, value string }

var parameters = sync.OnceValue(func() map[parameter]meaning {
	all := map[parameter]meaning{}
	for line := range strings.Lines(addressTable) {
		if columns := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "", "", ""); !strings.HasPrefix(line, "#") {
			all[parameter{columns[0], columns[1], columns[2]}] = meaning{columns[3], columns[4]}
		}
	}
	return all
})

// searchPages has the pages with addresses of searches.
var searchPages = []struct {
	address            *lazyregexp.Regexp
	source, name, tool string
}{
	{lazyregexp.New(`^(?:https?://)?(?:www\.)?clinicaltrials\.gov/(?:search|ct2/results|api/v2/studies)/?\?(\S+)$`), "trials",
		"ClinicalTrials.gov", tools.SearchTrials},
	{lazyregexp.New(`^(?:https?://)?(?:pubmed\.ncbi\.nlm\.nih\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed)/?\?(\S+)$`), "articles",
		"PubMed", tools.SearchPubMedArticles},
	{lazyregexp.New(`^(?:https?://)?(?:www\.)?ncbi\.nlm\.nih\.gov/gene/?\?(\S+)$`), "genes", "NCBI Gene", tools.SearchGenes},
}

// PastedSearch returns the error for an argument of words that is the address of a search, with the call that searches the same; nil for
// any other text. caller is the called tool, and same reports whether it has the arguments of search_trials.
func PastedSearch(caller, argument, text string, same bool) *entity.Error {
	for _, page := range searchPages {
		m := page.address.FindStringSubmatch(strings.TrimSpace(text))
		if m == nil {
			continue
		}
		given, err := url.ParseQuery(m[1])
		if err != nil {
			return Refuse(argument, entity.Cut(text, 200), "This is the address of a search at %s that cannot be read", page.name).
				Hint("Give the words of the search.")
		}
		arguments, left := addressArguments(page.source, given)
		e := Refuse(argument, entity.Cut(text, 200), "This is the address of a search at %s", page.name).Hint("")
		if left != nil {
			e.Hint = "No argument has the meaning of " + strings.Join(left, ", ") + "."
		}
		switch {
		case len(arguments) == 0:
			return Refuse(argument, entity.Cut(text, 200), "This is the address of a search at %s without words", page.name).
				Hint("Give the words of the search.")
		case caller == page.tool || same && page.tool == tools.SearchTrials:
			if arguments[argument] == nil {
				arguments[argument] = nil
			}
			e.Next = entity.Again(caller, arguments)
		default:
			e.Next = entity.Call(page.tool, arguments)
		}
		return e
	}
	return nil
}

// addressArguments returns the arguments that the parameters of an address mean, and those parameters that mean none.
func addressArguments(source string, given url.Values) (arguments map[string]any, left []string) {
	arguments = map[string]any{}
	for _, p := range addressParameters(given) {
		p.source = source
		meant, known := parameters()[p]
		if !known {
			meant, known = parameters()[parameter{source, p.name, ""}]
		}
		switch list, _ := arguments[meant.argument].([]string); {
		case !known:
			left = append(left, p.name+"="+p.value)
		case meant.argument == "":
		case meant.argument == "dateRange":
			from, to, _ := strings.Cut(p.value, "-")
			arguments[meant.argument] = map[string]any{"minDate": from, "maxDate": to}
		case meant.value != "":
			arguments[meant.argument] = append(list, meant.value)
		default:
			arguments[meant.argument] = p.value
		}
	}
	switch {
	case arguments["near"] != nil: // the address has the names of the place, too
		delete(arguments, "location")
		delete(arguments, "country")
	case arguments["location"] != nil:
		delete(arguments, "country")
	}
	if arguments["near"] == nil {
		delete(arguments, "within")
	}
	return arguments, left
}

// distanceOf matches the circle of the registry's interface.
var distanceOf = lazyregexp.New(`^distance\(([-0-9.]+,[-0-9.]+),([0-9.]+ ?(?:mi|km))\)$`)

// addressParameters returns the parameters of an address with a value, sorted: those that one parameter groups apart, periods as
// ranges, and a circle as a point and a distance.
func addressParameters(given url.Values) (all []parameter) {
	for name, values := range given {
		for _, value := range values {
			all = append(all, addressParameter(name, strings.TrimSpace(value), given)...)
		}
	}
	all = slices.DeleteFunc(all, func(p parameter) bool { return p.value == "" })
	slices.SortFunc(all, func(a, b parameter) int { return strings.Compare(a.name+"="+a.value, b.name+"="+b.value) })
	return all
}

// groups matches the value of aggFilters: status:rec not,phase:3.
var groups = lazyregexp.New(`([a-zA-Z]+):([^,]*)`)

func addressParameter(name, value string, given url.Values) (all []parameter) {
	circle := distanceOf.FindStringSubmatch(value)
	key, one, dotted := strings.Cut(value, ".")
	switch {
	case name == "aggFilters":
		for _, m := range groups.FindAllStringSubmatchIndex(value, -1) {
			for one := range strings.FieldsSeq(value[m[4]:m[5]]) {
				all = append(all, parameter{"", value[m[2]:m[3]], one})
			}
		}
		return all
	case name == "filter" && dotted: // years.2020-2021
		return []parameter{{"", key, one}}
	case circle != nil:
		return []parameter{{"", "near", circle[1]}, {"", "distance", circle[2]}}
	case name == "lat":
		return []parameter{{"", "near", value + "," + given.Get("lng")}}
	case name == "lng":
		return nil
	case name == "distance" && strings.Trim(value, "0123456789.") == "":
		value += " mi"
	case strings.HasPrefix(name, "filter."):
		value = strings.ReplaceAll(value, "|", ",")
	case strings.Trim(value, "0123456789-_") == "": // 2020-01-01_2022-12-31
		value = strings.Replace(value, "_", "..", 1)
	}
	return []parameter{{"", name, value}}
}

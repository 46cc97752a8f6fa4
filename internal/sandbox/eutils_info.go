package sandbox

import (
	"errors"
	"strconv"
	"strings"
)

// databaseInfo is a database as EInfo describes it.
type databaseInfo struct {
	name, menuName, description string
	build, updated              string
	count                       int
	readable                    int  // of the hits of a search; 0: all
	noStack                     bool // its searches do not tell their translation stack
	fields                      []fieldInfo
	links                       []linkInfo
}

type (
	fieldInfo struct {
		name, fullName, description                string
		date, numerical, token, hierarchy, unshown bool
	}
	linkInfo struct{ name, menu, description, to string }
)

// entrezDatabases are those that Entrez has: ELink may link to them whether or
// not the sandbox has their records.
var entrezDatabases = []string{
	"pubmed", "protein", "nuccore", "ipg", "nucleotide", "structure", "genome", "annotinfo", "assembly", "bioproject",
	"biosample", "blastdbinfo", "books", "cdd", "clinvar", "gap", "gapplus", "grasp", "dbvar", "gene", "gds", "geoprofiles",
	"medgen", "mesh", "nlmcatalog", "omim", "orgtrack", "pmc", "proteinclusters", "pcassay", "protfam", "pccompound",
	"pcsubstance", "seqannot", "snp", "sra", "taxonomy", "biocollections", "gtr",
}

// inform is EInfo: of one database, or the list of them.
func (e *eutils) inform(r request) (answer, error) {
	name := strings.ToLower(r.get("db"))
	if name == "" {
		return jsonAnswer(object{r.header(), {"einforesult", object{{"dblist", e.names()}}}})
	}
	db, err := e.open(name)
	if inside, ok := errors.AsType[errorInside](err); ok {
		return r.infoError(string(inside))
	}
	if err != nil {
		return answer{}, err
	}
	return jsonAnswer(object{r.header(), {"einforesult", object{{"dbinfo", []object{db.info().object()}}}}})
}

func (r request) infoError(sentence string) (answer, error) {
	return jsonAnswer(object{r.header(), {"einforesult", object{{"ERROR", sentence}}}})
}

func (d databaseInfo) object() object {
	var fields, links []object
	for _, f := range d.fields {
		fields = append(fields, object{
			{"name", f.name}, {"fullname", f.fullName}, {"description", f.description}, {"termcount", ""},
			{"isdate", yesNo(f.date)}, {"isnumerical", yesNo(f.numerical)}, {"singletoken", yesNo(f.token)},
			{"hierarchy", yesNo(f.hierarchy)}, {"ishidden", yesNo(f.unshown)},
		})
	}
	for _, l := range d.links {
		links = append(links, object{{"name", l.name}, {"menu", l.menu}, {"description", l.description}, {"dbto", l.to}})
	}
	return object{
		{"dbname", d.name}, {"menuname", d.menuName}, {"description", d.description}, {"dbbuild", d.build},
		{"count", strconv.Itoa(d.count)}, {"lastupdate", d.updated}, {"fieldlist", fields}, {"linklist", links},
	}
}

func yesNo(yes bool) string {
	if yes {
		return "Y"
	}
	return "N"
}

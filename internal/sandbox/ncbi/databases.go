package ncbi

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/sandbox/pmc"
)

// Utilities implements the E-utilities for some databases, by name. A database is read at its first use. It is safe for concurrent use.
type Utilities struct {
	databases map[string]func() (database, error)
}

// Count reads all databases and returns the number of their records.
func (u *Utilities) Count() (int, error) {
	count := 0
	for _, read := range u.databases {
		db, err := read()
		if err != nil {
			return 0, err
		}
		count += len(db.all())
	}
	return count, nil
}

// open returns a database by its name. PubMed is the default of most utilities.
func (u *Utilities) open(name string) (database, error) {
	name = strings.ToLower(cmp.Or(name, "pubmed"))
	read, ok := u.databases[name]
	if !ok {
		return nil, reportedError("Invalid db name specified: " + name)
	}
	return read()
}

// database is one Entrez database. Its records have uids as keys.
type database interface {
	// info describes the database, for EInfo.
	info() databaseInfo
	// field returns the search field of a tag, in lower case; "" is no tag.
	field(tag string) (searchField, bool)
	// all returns all records.
	all() hits
	// order returns the hits of a search in the order of the sort parameter.
	order(hits hits, sort string) []uint64
	// summary returns the document summary of a record, which begins with its uid.
	summary(uid uint64) (object, bool)
	// fetch writes the existing records of uids.
	fetch(uids []uint64, f form) (reply.Reply, error)
	// links returns the links of a record by link name, or notServed.
	links(uid uint64, name string) ([]link, error)
}

// link is a link to a record. Similar articles have scores.
type link struct {
	uid   uint64
	score int
}

type linkInfo struct{ name, menu, description, to string }

// databaseInfo is a database as EInfo describes it.
type databaseInfo struct {
	name, menuName, description string
	build, updated              string
	count                       int
	readable                    int // maximum number of hits that can be listed; 0: all
	fields                      []field
	links                       []linkInfo
}

func webPage(status int, title string) reply.Reply {
	return reply.Reply{
		Status: status, Type: "text/html",
		Body: fmt.Appendf(nil, "<html>\r\n<head><title>%s</title></head>\r\n<body><h1>%[1]s</h1></body>\r\n</html>\r\n", title),
	}
}

// fullTexts is the database pmc. The sandbox does not search it.
type fullTexts pmc.Articles

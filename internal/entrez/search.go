package entrez

import (
	"errors"
	"strconv"
)

// Search is an ESearch response.
type Search struct {
	Count int      // number of all hits, not only those of IDs
	IDs   []string // in the requested order

	QueryTranslation string // NCBI's translation of the term

	// The words that NCBI did not find or ignored. Unknown words do not make a search fail: the other words may have hits.
	PhrasesNotFound, FieldsNotFound       []string
	PhrasesIgnored, QuotedPhrasesNotFound []string
	OutputMessages                        []string // other warnings, in NCBI's words

	// The history, if it was requested; it expires after hours.
	WebEnv   string
	QueryKey int
}

// ReadSearch reads a JSON ESearch. A response without a count is an error, never zero hits.
func ReadSearch(body []byte) (Search, error) {
	var answer struct {
		Result *struct {
			Search
			Count                  string
			IDList                 []string
			ErrorList, WarningList Search
		} `json:"esearchresult"`
	}
	if err := readAnswer("ESearch", body, &answer); err != nil {
		return Search{}, err
	}
	r := answer.Result
	if r == nil {
		return Search{}, errors.New("an ESearch without a result")
	}
	count, err := strconv.Atoi(r.Count)
	if err != nil || count < 0 {
		return Search{}, errors.New("an ESearch without a count")
	}
	s := r.Search
	s.Count, s.IDs = count, r.IDList
	s.PhrasesNotFound, s.FieldsNotFound = r.ErrorList.PhrasesNotFound, r.ErrorList.FieldsNotFound
	s.PhrasesIgnored, s.QuotedPhrasesNotFound = r.WarningList.PhrasesIgnored, r.WarningList.QuotedPhrasesNotFound
	for _, message := range r.WarningList.OutputMessages {
		if message != "No items found." {
			s.OutputMessages = append(s.OutputMessages, message)
		}
	}
	return s, nil
}

// Info describes a database; it is an EInfo response.
type Info struct {
	MenuName, Description string
	Count                 int    // number of records
	LastUpdate            string // in NCBI's format: 2025/11/27 06:33
	Fields                []InfoField
	Links                 []InfoLink
}

// InfoField is a search field of a database.
type InfoField struct {
	Name, FullName, Description string
	TermCount                   int // 0 if unknown
	IsDate, IsNumerical         bool
}

// InfoLink is a linkname of a database.
type InfoLink struct{ Name, Menu, Description, DBTo string }

// ReadInfo reads a JSON EInfo of one database.
func ReadInfo(body []byte) (Info, error) {
	var answer struct {
		Result struct {
			DBInfo []struct { // in old responses one object
				Info
				DBName    string
				FieldList []InfoField
				LinkList  []InfoLink
			}
		} `json:"einforesult"`
	}
	if err := readAnswer("EInfo", body, &answer); err != nil {
		return Info{}, err
	}
	if len(answer.Result.DBInfo) != 1 || answer.Result.DBInfo[0].DBName == "" {
		return Info{}, errors.New("an EInfo without a database")
	}
	d := answer.Result.DBInfo[0]
	d.Fields, d.Links = d.FieldList, d.LinkList
	return d.Info, nil
}

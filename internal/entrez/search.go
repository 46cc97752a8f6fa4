package entrez

import (
	"encoding/json"
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

	// The history, if it was requested; it expires after hours.
	WebEnv   string
	QueryKey int
}

// ReadSearch reads a JSON ESearch. A response without a count is an error, never zero hits.
func ReadSearch(body []byte) (Search, error) {
	var answer struct {
		Result *struct {
			Count, QueryTranslation, WebEnv, QueryKey scalar
			IDList                                    scalars
			ErrorList                                 struct{ PhrasesNotFound, FieldsNotFound scalars }
			WarningList                               struct{ PhrasesIgnored, QuotedPhrasesNotFound scalars }
		} `json:"esearchresult"`
	}
	if err := readAnswer("ESearch", body, &answer); err != nil {
		return Search{}, err
	}
	r := answer.Result
	if r == nil {
		return Search{}, errors.New("an ESearch without a result")
	}
	count, err := strconv.Atoi(r.Count.text())
	if err != nil || count < 0 {
		return Search{}, errors.New("an ESearch without a count")
	}
	return Search{
		Count: count, IDs: r.IDList,
		QueryTranslation:      r.QueryTranslation.text(),
		PhrasesNotFound:       r.ErrorList.PhrasesNotFound,
		FieldsNotFound:        r.ErrorList.FieldsNotFound,
		PhrasesIgnored:        r.WarningList.PhrasesIgnored,
		QuotedPhrasesNotFound: r.WarningList.QuotedPhrasesNotFound,
		WebEnv:                r.WebEnv.text(),
		QueryKey:              r.QueryKey.number(),
	}, nil
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
		Result struct{ DBInfo dbInfos } `json:"einforesult"`
	}
	if err := readAnswer("EInfo", body, &answer); err != nil {
		return Info{}, err
	}
	if len(answer.Result.DBInfo) != 1 || answer.Result.DBInfo[0].DBName == "" {
		return Info{}, errors.New("an EInfo without a database")
	}
	d := answer.Result.DBInfo[0]
	info := Info{
		MenuName: d.MenuName.text(), Description: d.Description.text(), Count: d.Count.number(), LastUpdate: d.LastUpdate.text(),
	}
	for _, f := range d.FieldList {
		info.Fields = append(info.Fields, InfoField{
			Name: f.Name.text(), FullName: f.FullName.text(), Description: f.Description.text(),
			TermCount: f.TermCount.number(), IsDate: f.IsDate.yes(), IsNumerical: f.IsNumerical.yes(),
		})
	}
	for _, l := range d.LinkList {
		info.Links = append(info.Links, InfoLink{
			Name: l.Name.text(), Menu: l.Menu.text(), Description: l.Description.text(), DBTo: l.DBTo.text(),
		})
	}
	return info, nil
}

type dbInfo struct {
	DBName, MenuName, Description, Count, LastUpdate scalar

	FieldList []struct{ Name, FullName, Description, TermCount, IsDate, IsNumerical scalar }
	LinkList  []struct{ Name, Menu, Description, DBTo scalar }
}

// dbInfos is one database, as a single object (in old responses) or in a list.
type dbInfos []dbInfo

func (d *dbInfos) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '[' {
		return json.Unmarshal(text, (*[]dbInfo)(d))
	}
	*d = make(dbInfos, 1)
	return json.Unmarshal(text, &(*d)[0])
}

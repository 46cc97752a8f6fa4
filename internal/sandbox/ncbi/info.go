package ncbi

import (
	"maps"
	"slices"
	"strconv"
)

// describe is EInfo: of one database, or the list of databases.
func (u *Utilities) describe(r request) (object, error) {
	if r.get("db") == "" {
		return object{{"einforesult", object{{"dblist", slices.Sorted(maps.Keys(u.databases))}}}}, nil
	}
	db, err := u.open(r.get("db"))
	if err != nil {
		return nil, err
	}
	return object{{"einforesult", object{{"dbinfo", []object{db.info().object()}}}}}, nil
}

func (d databaseInfo) object() object {
	fields := mapSlice(d.fields, func(f field) object {
		o := object{{"name", f.name}, {"fullname", f.fullName}, {"description", f.description}, {"termcount", ""}}
		for _, flag := range [][2]string{
			{"isdate", isDate}, {"isnumerical", isNumerical}, {"singletoken", isToken}, {"hierarchy", isHierarchy}, {"ishidden", isHidden},
		} {
			o = append(o, member{flag[0], yesNo(f.is(flag[1]))})
		}
		return o
	})
	links := mapSlice(d.links, func(l linkInfo) object {
		return object{{"name", l.name}, {"menu", l.menu}, {"description", l.description}, {"dbto", l.to}}
	})
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

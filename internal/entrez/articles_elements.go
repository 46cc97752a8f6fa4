package entrez

func (x *articleReader) date() (d Date) {
	x.fields(func(name string) *string {
		switch name {
		case "Year":
			return &d.Year
		case "Month":
			return &d.Month
		case "Day":
			return &d.Day
		case "Season":
			return &d.Season
		case "MedlineDate":
			return &d.MedlineDate
		}
		return nil
	})
	return d
}

func (x *articleReader) pagination() (p Pagination) {
	x.fields(func(name string) *string {
		switch name {
		case "MedlinePgn":
			return &p.MedlinePgn
		case "StartPage":
			return &p.StartPage
		case "EndPage":
			return &p.EndPage
		}
		return nil
	})
	return p
}

func (x *articleReader) meshHeading() (h MeshHeading) {
	for at := x.depth; x.child(at); {
		switch x.start.Name.Local {
		case "DescriptorName":
			h.Descriptor = x.meshName()
		case "QualifierName":
			h.Qualifiers = append(h.Qualifiers, x.meshName())
		}
	}
	return h
}

func (x *articleReader) meshName() MeshName {
	n := MeshName{UI: x.attr("UI"), Major: x.attr("MajorTopicYN") == "Y"}
	n.Name = x.text()
	return n
}

func (x *articleReader) chemical() (c Chemical) {
	for at := x.depth; x.child(at); {
		switch x.start.Name.Local {
		case "RegistryNumber":
			c.RegistryNumber = x.text()
		case "NameOfSubstance":
			c.UI = x.attr("UI")
			c.Name = x.text()
		}
	}
	return c
}

func (x *articleReader) grant() (g Grant) {
	x.fields(func(name string) *string {
		switch name {
		case "GrantID":
			return &g.ID
		case "Acronym":
			return &g.Acronym
		case "Agency":
			return &g.Agency
		case "Country":
			return &g.Country
		}
		return nil
	})
	return g
}

func (x *articleReader) dataBank() (b DataBank) {
	for at := x.depth; x.child(at); {
		switch x.start.Name.Local {
		case "DataBankName":
			b.Name = x.text()
		case "AccessionNumberList":
			b.AccessionNumbers = x.texts("AccessionNumber")
		}
	}
	return b
}

func (x *articleReader) correction() Correction {
	c := Correction{RefType: x.attr("RefType")}
	x.fields(func(name string) *string {
		switch name {
		case "RefSource":
			return &c.RefSource
		case "PMID":
			return &c.PMID
		case "Note":
			return &c.Note
		}
		return nil
	})
	return c
}

func (x *articleReader) articleID() ArticleID {
	id := ArticleID{Type: x.attr("IdType")}
	id.Value = x.text()
	return id
}

package mappingtest

import "github.com/biofact-mcp/biofact/internal/entity"

// Append adds the sections, tables, figures, supplements and references of a page to those of the pages before it, as a reader would: a
// section or table that both have is one.
func Append(to, page *entity.ArticleFullText) {
	for _, s := range page.Sections {
		if last := len(to.Sections) - 1; last >= 0 && to.Sections[last].ID == s.ID {
			to.Sections[last].Text += "\n\n" + s.Text
		} else {
			to.Sections = append(to.Sections, s)
		}
	}
	for _, table := range page.Tables {
		if last := len(to.Tables) - 1; last >= 0 && to.Tables[last].ID == table.ID {
			to.Tables[last].Rows = append(to.Tables[last].Rows, table.Rows...)
			to.Tables[last].Notes = append(to.Tables[last].Notes, table.Notes...)
		} else {
			to.Tables = append(to.Tables, table)
		}
	}
	to.Figures = append(to.Figures, page.Figures...)
	to.Supplements = append(to.Supplements, page.Supplements...)
	to.References = append(to.References, page.References...)
}

package entity

// ArticleFullText is the full text of one article, as far as it was asked for and
// fits. Outline, license and ids are always complete.
type ArticleFullText struct {
	// PubMed id. Source: article-id.
	PMID string `json:"pmid,omitempty" jsonschema:"pattern=^[1-9][0-9]*$"`
	// PubMed Central id. Source: article-id.
	PMCID string `json:"pmcid,omitempty" jsonschema:"pattern=^PMC[1-9][0-9]*$"`
	// DOI. Source: article-id.
	DOI string `json:"doi,omitempty" jsonschema:"minLength=1"`
	// Title. Source: article-title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// full_text; abstract_only where PMC has the article and its publisher does not allow the text to be read in this way; not_in_pmc.
	Availability string `json:"availability" jsonschema:"enum=full_text,enum=abstract_only,enum=not_in_pmc"`
	// Sources that were asked, in this order.
	Tried []FullTextSource `json:"tried"`
	// Version of the article that the text is: published, author_manuscript or preprint.
	Copy string `json:"copy,omitempty" jsonschema:"minLength=1"`
	// Terms under which the text may be used; absent: the source states none.
	License *License `json:"license,omitempty"`
	// All sections of the text, those that are not in this answer too. Their ids, titles and kinds go to the argument sections.
	Outline []OutlineEntry `json:"outline,omitempty" jsonschema:"minItems=1"`
	// Text, paragraphs separated by empty lines. [12] cites the reference of that number.
	Sections []TextSection `json:"sections,omitempty" jsonschema:"minItems=1"`
	// Tables as rectangular grids.
	Tables []TextTable `json:"tables,omitempty" jsonschema:"minItems=1"`
	// Captions of figures.
	Figures []TextFigure `json:"figures,omitempty" jsonschema:"minItems=1"`
	// Supplements and media, which are files of the journal.
	Supplements []TextSupplement `json:"supplements,omitempty" jsonschema:"minItems=1"`
	// References, in the order of the article.
	References []TextReference `json:"references,omitempty" jsonschema:"minItems=1"`
	// Parts that were asked for and follow with pagination.cursor.
	Omitted []OmittedText `json:"omitted,omitempty" jsonschema:"minItems=1"`
	// How the rest is read; absent: nothing is left.
	Pagination *TextPagination `json:"pagination,omitempty"`
}

// FullTextSource is a source that was asked for a full text.
type FullTextSource struct {
	// Name of the source.
	Source string `json:"source" jsonschema:"minLength=1"`
	// full_text; withheld: the publisher does not allow the text to be read in this way; not_found; failed; off: whoever runs Biofact
	// switched the source off.
	Outcome string `json:"outcome" jsonschema:"minLength=1"`
}

// License is the license of a text.
type License struct {
	// Short name of a known license, such as CC BY 4.0.
	Code string `json:"code,omitempty" jsonschema:"minLength=1"`
	// Page of the license. Source: license.
	URL string `json:"url,omitempty" jsonschema:"minLength=1"`
	// Words of the license. Source: license-p.
	Statement string `json:"statement,omitempty" jsonschema:"minLength=1"`
}

// OutlineEntry is one section in the outline of a text.
type OutlineEntry struct {
	// Such as s2 or s2.1.
	ID string `json:"id" jsonschema:"minLength=1"`
	// Title; absent: the section has none.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// Such as methods or results; several where one section is both.
	Kinds []string `json:"kinds,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Bytes of its text, without its subsections.
	Bytes int `json:"bytes" jsonschema:"minimum=0"`
	// Ids of its tables.
	Tables []string `json:"tables,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Ids of its figures.
	Figures []string `json:"figures,omitempty" jsonschema:"minItems=1,minLength=1"`
}

// TextSection is the text of one section, or a part of it.
type TextSection struct {
	// As in the outline.
	ID string `json:"id" jsonschema:"minLength=1"`
	// Title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// As in the outline.
	Kinds []string `json:"kinds,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Text, without that of its subsections, tables and figures.
	Text string `json:"text,omitempty" jsonschema:"minLength=1"`
}

// TextTable is a table, or some rows of it. All rows have the same number of
// cells. The text of merged cells stands in the first of them and the others are
// empty; in header rows it is repeated to the right.
type TextTable struct {
	// Such as t1.
	ID string `json:"id" jsonschema:"minLength=1"`
	// Such as Table 1.
	Label string `json:"label,omitempty" jsonschema:"minLength=1"`
	// Title and description.
	Caption string `json:"caption,omitempty" jsonschema:"minLength=1"`
	// Id of the section that it belongs to.
	Section string `json:"section,omitempty" jsonschema:"minLength=1"`
	// Rows of the head.
	HeaderRows [][]string `json:"headerRows,omitempty" jsonschema:"minItems=1"`
	// Rows of the body.
	Rows [][]string `json:"rows,omitempty" jsonschema:"minItems=1"`
	// Number of the first of rows, where an answer before had rows of this table.
	FirstRow int `json:"firstRow,omitempty" jsonschema:"minimum=2"`
	// Notes below it.
	Notes []string `json:"notes,omitempty" jsonschema:"minItems=1,minLength=1"`
	// File of the picture that the source has instead of rows.
	Image string `json:"image,omitempty" jsonschema:"minLength=1"`
}

// TextFigure is the caption of a figure.
type TextFigure struct {
	// Such as f1.
	ID string `json:"id" jsonschema:"minLength=1"`
	// Such as Figure 1.
	Label string `json:"label,omitempty" jsonschema:"minLength=1"`
	// Title and description.
	Caption string `json:"caption,omitempty" jsonschema:"minLength=1"`
	// Id of the section that it belongs to.
	Section string `json:"section,omitempty" jsonschema:"minLength=1"`
}

// TextSupplement is a file beside the text.
type TextSupplement struct {
	// Such as x1.
	ID string `json:"id" jsonschema:"minLength=1"`
	// Such as Text S1.
	Label string `json:"label,omitempty" jsonschema:"minLength=1"`
	// Title and description.
	Caption string `json:"caption,omitempty" jsonschema:"minLength=1"`
	// Id of the section that it belongs to.
	Section string `json:"section,omitempty" jsonschema:"minLength=1"`
	// File name or address, as the source has it.
	Href string `json:"href,omitempty" jsonschema:"minLength=1"`
}

// TextReference is a work that an article cites.
type TextReference struct {
	// Place in the list, from 1.
	Number int `json:"number" jsonschema:"minimum=1"`
	// What the article calls it, where that is not its number.
	Label string `json:"label,omitempty" jsonschema:"minLength=1"`
	// The citation.
	Text string `json:"text,omitempty" jsonschema:"minLength=1"`
	// PubMed id, as the source has it.
	PMID string `json:"pmid,omitempty" jsonschema:"pattern=^[1-9][0-9]*$"`
	// PubMed Central id, as the source has it.
	PMCID string `json:"pmcid,omitempty" jsonschema:"pattern=^PMC[1-9][0-9]*$"`
	// DOI, as the source has it.
	DOI string `json:"doi,omitempty" jsonschema:"minLength=1"`
}

// OmittedText is a part of a text that did not fit into an answer. It has an id or
// a part.
type OmittedText struct {
	// Of a section and its subsections.
	ID string `json:"id,omitempty" jsonschema:"minLength=1"`
	// tables, figures, supplements or references.
	Part string `json:"part,omitempty" jsonschema:"enum=tables,enum=figures,enum=supplements,enum=references"`
	// Bytes that are left.
	Bytes int `json:"bytes" jsonschema:"minimum=1"`
}

// TextPagination leads to the rest of a text.
type TextPagination struct {
	// For the argument cursor of the next call, the other arguments unchanged.
	Cursor string `json:"cursor" jsonschema:"minLength=1"`
}

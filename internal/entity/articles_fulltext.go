package entity

// ArticleFullText holds the requested parts of the full text of one article, as
// far as they fit. Outline, license and ids are always complete.
type ArticleFullText struct {
	// PubMed id. Source: article-id.
	PMID string `json:"pmid,omitempty" jsonschema:"pattern=^[1-9][0-9]*$"`
	// PubMed Central id. Source: article-id.
	PMCID string `json:"pmcid,omitempty" jsonschema:"pattern=^PMC[1-9][0-9]*$"`
	// DOI. Source: article-id.
	DOI string `json:"doi,omitempty" jsonschema:"minLength=1"`
	// Title. Source: article-title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// full_text; abstract_only: in PMC, but the publisher does not allow automatic reading of the text; not_in_pmc.
	Availability string `json:"availability" jsonschema:"enum=full_text,enum=abstract_only,enum=not_in_pmc"`
	// Sources tried, in this order.
	Tried []FullTextSource `json:"tried"`
	// Numbers of trials in the whole text, with the sections that have them.
	TrialNumbers []TrialNumber `json:"trialNumbers,omitempty" jsonschema:"minItems=1"`
	// Version of the text: published, author_manuscript or preprint.
	Copy string `json:"copy,omitempty" jsonschema:"minLength=1"`
	// Terms of use of the text. Absent where the source states no license.
	License *License `json:"license,omitempty"`
	// All sections of the text, also those not in this answer. Pass their ids, titles or kinds as sections.
	Outline []OutlineEntry `json:"outline,omitempty" jsonschema:"minItems=1"`
	// Text; an empty line separates paragraphs, [12] cites reference number 12.
	Sections []TextSection `json:"sections,omitempty" jsonschema:"minItems=1"`
	// Tables as rectangular grids.
	Tables []TextTable `json:"tables,omitempty" jsonschema:"minItems=1"`
	// Captions of figures.
	Figures []TextFigure `json:"figures,omitempty" jsonschema:"minItems=1"`
	// Supplements and media, which are files of the journal.
	Supplements []TextSupplement `json:"supplements,omitempty" jsonschema:"minItems=1"`
	// References, in the order of the article.
	References []TextReference `json:"references,omitempty" jsonschema:"minItems=1"`
	// Requested parts that follow with pagination.cursor.
	Omitted []OmittedText `json:"omitted,omitempty" jsonschema:"minItems=1"`
	// How to get the rest. Absent where the answer is complete.
	Pagination *TextPagination `json:"pagination,omitempty"`
}

// FullTextSource is the outcome of one source that was tried for a full text.
type FullTextSource struct {
	// Name of the source.
	Source string `json:"source" jsonschema:"minLength=1"`
	// full_text; withheld: the publisher does not allow automatic reading; not_found; too_large to be read here; failed; off: switched
	// off by the operator.
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
	// Title. Absent where the section has no title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// Such as methods or results; a section can have several kinds.
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
// cells. Of merged cells the first has the text and the others are empty; in
// header rows the text is repeated to the right.
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
	// The rows of head and body, where the call asked for CSV, in place of headerRows
	// and rows.
	CSV string `json:"csv,omitempty" jsonschema:"minLength=1"`
	// Number of the first row, where a previous answer had rows of this table.
	FirstRow int `json:"firstRow,omitempty" jsonschema:"minimum=2"`
	// Notes below the table.
	Notes []string `json:"notes,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Picture file, where the source has a picture instead of rows.
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

// TextSupplement is a supplementary file of an article.
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
	// Label in the article, where it is not the number.
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

// OmittedText is a part of a text that did not fit into an answer. Either ID or
// Part is set.
type OmittedText struct {
	// Id of a section; its subsections are included.
	ID string `json:"id,omitempty" jsonschema:"minLength=1"`
	// tables, figures, supplements or references.
	Part string `json:"part,omitempty" jsonschema:"enum=tables,enum=figures,enum=supplements,enum=references"`
	// Remaining bytes.
	Bytes int `json:"bytes" jsonschema:"minimum=1"`
}

// TextPagination says how to get the rest of a text.
type TextPagination struct {
	// Pass it as cursor, with the same arguments, to get the rest.
	Cursor string `json:"cursor" jsonschema:"minLength=1"`
}

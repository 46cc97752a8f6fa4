package entity

// RegistryRows are the rows of a query over the tables of the registry.
type RegistryRows struct {
	// Name and version of the engine, whose SQL the query is in.
	Engine string `json:"engine" jsonschema:"minLength=1"`
	// Names of the columns, which may repeat.
	Columns []string `json:"columns"`
	// Types of the columns, as the engine names them.
	Types []string `json:"types"`
	// Each row is a list of values in the order of the columns: texts, numbers, booleans, days as texts, null.
	Rows []RegistryRow `json:"rows"`
	// Number of rows shown.
	RowCount int `json:"row_count" jsonschema:"minimum=0"`
	// Whether more rows exist.
	Truncated bool `json:"truncated"`
	// Day of the data.
	DataVersion string `json:"data_version" jsonschema:"minLength=1"`
}

// RegistryRow is a row as a list in JSON: its types are those of the query.
type RegistryRow []byte

// MarshalJSON returns the list.
func (r RegistryRow) MarshalJSON() ([]byte, error) { return r, nil }

// RegistryTables describe the tables of the registry.
type RegistryTables struct {
	// Name and version of the engine that runs query_registry; absent: this server has no engine.
	Engine string `json:"engine,omitempty" jsonschema:"minLength=1"`
	// Queries that run in this engine: a join, a date, a pattern.
	Examples []string `json:"examples,omitempty"`
	// The tables, with columns where the call names them.
	Tables []RegistryTable `json:"tables"`
	// Day of the data.
	DataVersion string `json:"data_version" jsonschema:"minLength=1"`
}

// RegistryTable describes a table.
type RegistryTable struct {
	// Name of the table.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Number of rows.
	Rows int64 `json:"rows" jsonschema:"minimum=0"`
	// Why it has no rows.
	Empty string `json:"empty,omitempty" jsonschema:"minLength=1"`
	// Advice about its rows.
	Note string `json:"note,omitempty" jsonschema:"minLength=1"`
	// Place in the record whose elements are its rows.
	From string `json:"from,omitempty" jsonschema:"minLength=1"`
	// Its columns, in AACT's order.
	Columns []RegistryColumn `json:"columns,omitempty"`
}

// RegistryColumn describes a column.
type RegistryColumn struct {
	// Name of the column.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Type in PostgreSQL.
	Type string `json:"type" jsonschema:"minLength=1"`
	// Places in the record that fill it, with their rule; absent: it is never filled.
	From []string `json:"from,omitempty"`
	// Its values with their shares, where at most 60 different ones exist; the most frequent first.
	Values []RegistryValue `json:"values,omitempty"`
	// Percentage of the rows that have a value.
	Share *float64 `json:"filled_percent,omitempty" jsonschema:"minimum=0,maximum=100"`
}

// RegistryValue is a value of a column.
type RegistryValue struct {
	// The value as a text.
	Value string `json:"value"`
	// Percentage of the rows with a value that have this one.
	Share float64 `json:"percent" jsonschema:"minimum=0,maximum=100"`
}

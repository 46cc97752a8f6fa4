package entity

// ServerInfo tells what serves PubMed, how it keeps NCBI's rules, and how NCBI
// answered last.
type ServerInfo struct {
	// Name of the server.
	ServerName string `json:"serverName"`
	// Version of the server.
	ServerVersion string `json:"serverVersion"`
	// What it is.
	Description string `json:"description"`
	// Address of whoever runs it. Absent where none is set.
	ContactEmail string `json:"contactEmail,omitempty"`
	// Newest version of the Model Context Protocol that it speaks.
	MCPSpecVersion string `json:"mcpSpecVersion"`
	// How NCBI's rules are kept.
	NCBICompliance NCBICompliance `json:"ncbiCompliance"`
	// E-utilities that are called.
	SupportedEUtilities []string `json:"supportedEutilities"`
	// How NCBI answered last.
	OperationalStatus OperationalStatus `json:"operationalStatus"`
	// Where the server is described.
	DocumentationURL string `json:"documentationUrl"`
}

// NCBICompliance tells how NCBI's rules are kept.
type NCBICompliance struct {
	// Whether requests go with an API key.
	APIUsageStatus string `json:"apiUsageStatus"`
	// Name of the software in every request.
	ToolIdentifier string `json:"toolIdentifier"`
	// The rules.
	NCBIUsagePolicyURL string `json:"ncbiUsagePolicyUrl"`
	// Pace of requests.
	CurrentRateLimitAdherence string `json:"currentRateLimitAdherence"`
}

// OperationalStatus tells how NCBI answered last. Nothing is asked for it.
type OperationalStatus struct {
	// When NCBI last answered or failed, RFC 3339. Absent before the first request.
	LastNCBIConnectivityCheck string `json:"lastNcbiConnectivityCheck,omitempty"`
	// Nominal, Failing, or Unknown before the first request.
	NCBIStatus string `json:"ncbiStatus"`
	// Callers that wait for the turn of a request.
	InternalQueueLength int `json:"internalQueueLength"`
}

// PubMedStats are the figures and fields of PubMed. Source: EInfo.
type PubMedStats struct {
	// PubMed.
	DatabaseName string `json:"databaseName"`
	// Name in menus. Source: menuname.
	MenuName string `json:"menuName,omitempty"`
	// Source: description.
	Description string `json:"description,omitempty"`
	// Number of records. Source: count.
	TotalRecordCount int `json:"totalRecordCount"`
	// Date and time of the last update, without a zone, as NCBI tells none. Source: lastupdate.
	LastUpdate string `json:"lastUpdate,omitempty"`
	// Search fields. Source: fieldlist.
	AvailableSearchFields []SearchField `json:"availableSearchFields"`
	// Links to other records. Source: linklist.
	AvailableLinkNames []LinkName `json:"availableLinkNames"`
	// The figures at NCBI, for people.
	EInfoURL string `json:"eInfoUrl"`
}

// SearchField is a field by which PubMed can be searched.
type SearchField struct {
	// Tag, such as TITL. Source: name.
	Name string `json:"name"`
	// Source: fullname.
	FullName string `json:"fullName,omitempty"`
	// Source: description.
	Description string `json:"description,omitempty"`
	// Whether it holds dates.
	IsDate bool `json:"isDate"`
	// Whether it holds numbers.
	IsNumerical bool `json:"isNumerical"`
	// Number of terms. Absent where NCBI does not tell. Source: termcount.
	TermCount string `json:"termCount,omitempty"`
}

// LinkName is a kind of links from an article.
type LinkName struct {
	// Source: name.
	Name string `json:"name"`
	// Source: description, else menu.
	Description string `json:"description,omitempty"`
	// Database that it leads to. Source: dbto.
	DBTo string `json:"dbTo"`
}

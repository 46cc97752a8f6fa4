package entity

// ServerInfo describes the server, how it follows NCBI's rules, and NCBI's last
// response.
type ServerInfo struct {
	// Name of the server.
	ServerName string `json:"serverName"`
	// Version of the server.
	ServerVersion string `json:"serverVersion"`
	// Description of the server.
	Description string `json:"description"`
	// E-mail address of the operator. Absent where it is not configured.
	ContactEmail string `json:"contactEmail,omitempty"`
	// Newest supported version of the Model Context Protocol.
	MCPSpecVersion string `json:"mcpSpecVersion"`
	// How the server follows NCBI's rules.
	NCBICompliance NCBICompliance `json:"ncbiCompliance"`
	// E-utilities that the server calls.
	SupportedEUtilities []string `json:"supportedEutilities"`
	// State of NCBI at its last response.
	OperationalStatus OperationalStatus `json:"operationalStatus"`
	// Address of the documentation.
	DocumentationURL string `json:"documentationUrl"`
}

// NCBICompliance says how the server follows NCBI's rules.
type NCBICompliance struct {
	// Whether requests have an API key.
	APIUsageStatus string `json:"apiUsageStatus"`
	// Name of the software in every request.
	ToolIdentifier string `json:"toolIdentifier"`
	// Address of the rules.
	NCBIUsagePolicyURL string `json:"ncbiUsagePolicyUrl"`
	// Pace of requests.
	CurrentRateLimitAdherence string `json:"currentRateLimitAdherence"`
}

// OperationalStatus is the state of NCBI at its last response. It causes no request.
type OperationalStatus struct {
	// When NCBI last answered or failed, RFC 3339. Absent before the first request.
	LastNCBIConnectivityCheck string `json:"lastNcbiConnectivityCheck,omitempty"`
	// Nominal, Failing, or Unknown before the first request.
	NCBIStatus string `json:"ncbiStatus"`
	// Number of callers that wait for a request to start.
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
	// Date and time of the last update. Source: lastupdate.
	LastUpdate string `json:"lastUpdate,omitempty"`
	// Its time zone: NCBI states none.
	LastUpdateTimeZone string `json:"lastUpdateTimeZone,omitempty"`
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
	// Number of terms. Absent where NCBI does not state it. Source: termcount.
	TermCount string `json:"termCount,omitempty"`
}

// LinkName is a kind of links from an article.
type LinkName struct {
	// Source: name.
	Name string `json:"name"`
	// Source: description, else menu.
	Description string `json:"description,omitempty"`
	// Database of the linked records. Source: dbto.
	DBTo string `json:"dbTo"`
}

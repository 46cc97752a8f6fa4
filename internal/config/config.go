// Package config reads the settings of a user: first the environment, then flags. Each invalid value is one clear error.
package config

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Config has all settings. The zero value is not valid: use Read.
//
// Tags of the fields: usage says what the setting is; section is its heading in documents; valid names its check (url or rate); source is
// the name of the source whose base URL it is.
type Config struct {
	Transport string `section:"HTTP" env:"MCP_TRANSPORT_TYPE" envDefault:"stdio" flag:"transport" usage:"how clients connect: stdio or http"`
	HTTPHost  string `section:"HTTP" env:"MCP_HTTP_HOST" envDefault:"127.0.0.1" flag:"http-host" usage:"address to listen on"`
	// HTTPPort is the port to listen on; 0: any free port.
	HTTPPort int `section:"HTTP" env:"MCP_HTTP_PORT" envDefault:"3010" flag:"http-port" usage:"port to listen on"`
	// PublicURL is the URL of the endpoint as clients know it; empty: the URL of each request.
	PublicURL string `section:"HTTP" env:"MCP_PUBLIC_URL" flag:"public-url" usage:"public URL of the endpoint, such as https://mcp.example.org/mcp"`
	// AllowedHosts are the names of the server for clients, in addition to loopback and its address.
	AllowedHosts []string `section:"HTTP" env:"MCP_ALLOWED_HOSTS" flag:"allowed-hosts" usage:"host names that clients use for the server, such as mcp.example.org"`
	// AllowedOrigins are the origins of web pages that may call, in addition to the server's own.
	AllowedOrigins []string `section:"HTTP" env:"MCP_ALLOWED_ORIGINS" flag:"allowed-origins" usage:"origins of web pages that may call the server, such as https://app.example.org"`
	AuthSecret     Secret   `section:"HTTP" env:"MCP_AUTH_SECRET_KEY" usage:"secret of the HS256 tokens, 32 bytes or more"`
	// AuthSecretFile has the secret; AuthSecret overrides it.
	AuthSecretFile string        `section:"HTTP" env:"MCP_AUTH_SECRET_KEY_FILE" flag:"auth-secret-key-file" usage:"file that holds the secret of the HS256 tokens"`
	AuthIssuer     string        `section:"HTTP" env:"MCP_AUTH_ISSUER" flag:"auth-issuer" usage:"URL of the OAuth authorization server whose tokens are accepted"`
	AuthAudience   string        `section:"HTTP" env:"MCP_AUTH_AUDIENCE" flag:"auth-audience" usage:"audience that a token must have"`
	Auth           string        `section:"HTTP" env:"MCP_AUTH_MODE" flag:"auth" usage:"none: every client may call, only on loopback; if unset, clients need tokens"`
	ClientRate     float64       `section:"HTTP" env:"MCP_CLIENT_RATE" envDefault:"20" flag:"client-rate" usage:"requests per second of one HTTP client; 0 for no limit"`
	DrainTime      time.Duration `section:"HTTP" env:"MCP_DRAIN_TIME" envDefault:"20s" flag:"drain-time" usage:"time that running calls get when the server stops"`
	MetricsAddr    string        `section:"HTTP" env:"MCP_METRICS_ADDR" flag:"metrics-addr" usage:"address to serve /metrics at, such as 127.0.0.1:9090; if unset, the address of /mcp"`
	RedisURL       Secret        `section:"Replicas" env:"BIOFACT_REDIS_URL" usage:"URL of the Redis through which replicas share answers and pace"`
	// RedisURLFile has the URL; RedisURL overrides it.
	RedisURLFile string `section:"Replicas" env:"BIOFACT_REDIS_URL_FILE" flag:"redis-url-file" usage:"file that holds the URL of the Redis that replicas share"`
	Replicas     int    `section:"Replicas" env:"BIOFACT_REPLICAS" envDefault:"1" flag:"replicas" usage:"number of replicas; each uses its part of the pace while Redis is unavailable"`
	LogLevel     string `section:"Logs" env:"MCP_LOG_LEVEL" flag:"log-level" usage:"lowest level to log: debug, info, notice, warning, error, critical, alert or emergency; if unset, warning in a server"`
	LogsDir      string `section:"Logs" env:"LOGS_DIR" flag:"logs-dir" usage:"folder of the log file; if unset, stderr"`
	Contact      string `section:"NCBI" env:"NCBI_ADMIN_EMAIL" flag:"contact" usage:"e-mail address for the operators of the sources, sent to NCBI with every request and in the User-Agent"`
	NCBIAPIKey   Secret `section:"NCBI" env:"NCBI_API_KEY" usage:"API key of NCBI, which raises its limit from 3 to 10 requests per second"`
	// NCBIAPIKeyFile has the key; NCBIAPIKey overrides it.
	NCBIAPIKeyFile string `section:"NCBI" env:"NCBI_API_KEY_FILE" flag:"ncbi-api-key-file" usage:"file that holds the API key of NCBI"`
	NCBITool       string `section:"NCBI" env:"NCBI_TOOL_IDENTIFIER" flag:"ncbi-tool" usage:"name of the software for NCBI; if unset, biofact/<version>"`
	// NCBIDelay is the time between the starts of two requests to NCBI, in milliseconds; 0: the interval of the limit.
	NCBIDelay     int           `section:"NCBI" env:"NCBI_REQUEST_DELAY_MS" flag:"ncbi-request-delay" usage:"milliseconds between two requests to NCBI; if unset, 400, or 110 with an API key"`
	NCBIRetries   int           `section:"NCBI" env:"NCBI_MAX_RETRIES" envDefault:"3" flag:"ncbi-max-retries" usage:"number of retries of a failed request to NCBI"`
	EUtilsURL     string        `section:"NCBI" source:"ncbi" valid:"url" env:"BIOFACT_EUTILS_URL" envDefault:"https://eutils.ncbi.nlm.nih.gov/entrez/eutils" flag:"eutils-url" usage:"base URL of NCBI's E-utilities"`
	RecordAge     time.Duration `section:"NCBI" env:"BIOFACT_RECORD_AGE" envDefault:"24h" flag:"record-age" usage:"how long a cached record of NCBI counts as current"`
	SearchAge     time.Duration `section:"NCBI" env:"BIOFACT_SEARCH_AGE" envDefault:"1h" flag:"search-age" usage:"how long a cached search of NCBI counts as current"`
	DatasetsURL   string        `section:"NCBI" source:"datasets" valid:"url" env:"BIOFACT_DATASETS_URL" envDefault:"https://api.ncbi.nlm.nih.gov/datasets/v2" flag:"datasets-url" usage:"base URL of NCBI Datasets v2, which shares NCBI's key and pace"`
	IDConvURL     string        `section:"NCBI" source:"idconv" valid:"url" env:"BIOFACT_IDCONV_URL" envDefault:"https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles" flag:"idconv-url" usage:"base URL of the PMC ID converter, which shares NCBI's pace"`
	CTGovRPS      float64       `section:"ClinicalTrials.gov" valid:"rate" env:"BIOFACT_CTGOV_RPS" envDefault:"1" flag:"ctgov-rps" usage:"requests per second to ClinicalTrials.gov"`
	CTGovURL      string        `section:"ClinicalTrials.gov" source:"ctgov" valid:"url" env:"BIOFACT_CTGOV_URL" envDefault:"https://clinicaltrials.gov/api/v2" flag:"ctgov-url" usage:"base URL of the ClinicalTrials.gov API v2"`
	Mirror        string        `section:"ClinicalTrials.gov" env:"BIOFACT_MIRROR" envDefault:"exact" flag:"mirror" usage:"requests that a local mirror answers: off: none; exact: lookups, filters and counts, while it is current; only: all, without the registry"`
	MirrorPath    string        `section:"ClinicalTrials.gov" env:"BIOFACT_MIRROR_PATH" flag:"mirror-path" usage:"file of the local mirror; if unset, a file in the user's data folder"`
	MirrorHistory string        `section:"ClinicalTrials.gov" env:"BIOFACT_MIRROR_HISTORY" flag:"mirror-history" usage:"days for which the mirror keeps older versions of records, or all; 0: none; if unset, the number of biofact mirror history --keep, else all"`
	SQLTimeout    time.Duration `section:"ClinicalTrials.gov" env:"BIOFACT_SQL_TIMEOUT" envDefault:"5s" flag:"sql-timeout" usage:"time limit of one query over the tables of the mirror"`
	SQLURL        Secret        `section:"ClinicalTrials.gov" env:"BIOFACT_SQL_URL" usage:"address of a PostgreSQL that has the tables (postgres://user@host/database); queries run there instead of on the files beside the mirror"`
	SQLOpen       bool          `section:"ClinicalTrials.gov" env:"BIOFACT_SQL_OPEN" flag:"sql-open" usage:"serve the toolset sql over HTTP with --auth none too"`
	EuropePMCRPS  float64       `section:"Europe PMC" valid:"rate" env:"BIOFACT_EUROPEPMC_RPS" envDefault:"1" flag:"europepmc-rps" usage:"requests per second to Europe PMC"`
	EuropePMCURL  string        `section:"Europe PMC" source:"europepmc" valid:"url" env:"BIOFACT_EUROPEPMC_URL" envDefault:"https://www.ebi.ac.uk/europepmc/webservices/rest" flag:"europepmc-url" usage:"base URL of Europe PMC, the second source of full texts"`
	OpenFDAKey    Secret        `section:"openFDA" env:"OPENFDA_API_KEY" usage:"API key of openFDA, which raises its limit from 1,000 to 120,000 requests a day"`
	// OpenFDAKeyFile has the key; OpenFDAKey overrides it.
	OpenFDAKeyFile string  `section:"openFDA" env:"OPENFDA_API_KEY_FILE" flag:"openfda-api-key-file" usage:"file that holds the API key of openFDA"`
	OpenFDARPS     float64 `section:"openFDA" valid:"rate" env:"BIOFACT_OPENFDA_RPS" envDefault:"4" flag:"openfda-rps" usage:"requests per second to openFDA"`
	OpenFDAURL     string  `section:"openFDA" source:"openfda" valid:"url" env:"BIOFACT_OPENFDA_URL" envDefault:"https://api.fda.gov" flag:"openfda-url" usage:"base URL of openFDA: labels, approvals, shortages, recalls and reports of drugs"`
	// CacheDir is the folder of the file that stores answers and the pace for all processes of the user; off: memory only. Empty: the
	// user's cache folder.
	CacheDir   string   `section:"Cache" env:"BIOFACT_CACHE_DIR" flag:"cache-dir" usage:"folder of the cache file that all processes share; off for memory only; if unset, the user's cache folder"`
	CacheBytes int64    `section:"Cache" env:"BIOFACT_CACHE_BYTES" envDefault:"500000000" flag:"cache-bytes" usage:"limit of the cached answers in bytes; the oldest are removed first"`
	Toolsets   []string `section:"Tools and answers" env:"BIOFACT_TOOLSETS" envDefault:"trials,genes,articles,drugs" flag:"toolsets" usage:"sets of tools to serve: trials, genes, articles, drugs, research, sql"`
	// Tools are the tools that are served; empty: all of the toolsets.
	Tools          []string      `section:"Tools and answers" env:"BIOFACT_TOOLS" flag:"tools" usage:"tools to serve instead of whole toolsets, such as search_trials,get_trial"`
	Sources        []string      `section:"Tools and answers" env:"BIOFACT_SOURCES" flag:"sources" usage:"sources to use; a tool that needs another source returns an error that says so"`
	CallTimeout    time.Duration `section:"Tools and answers" env:"BIOFACT_CALL_TIMEOUT" envDefault:"30s" flag:"call-timeout" usage:"time limit of one tool call, including queues"`
	MaxCalls       int           `section:"Tools and answers" env:"BIOFACT_MAX_CALLS" envDefault:"64" flag:"max-calls" usage:"tool calls in progress at once; further calls wait, or learn the seconds to wait"`
	MaxAnswerBytes int           `section:"Tools and answers" env:"BIOFACT_MAX_ANSWER_BYTES" envDefault:"400000" flag:"max-answer-bytes" usage:"size limit of one answer in bytes"`
	TLSMax         string        `section:"Network" env:"BIOFACT_TLS_MAX" flag:"tls-max" usage:"newest TLS version to offer: 1.2 for networks that refuse newer handshakes"`
	// Sandbox answers from embedded records (embedded) or from those at a path, without network. Only a flag sets it.
	Sandbox      string `section:"Tools and answers" flag:"sandbox" usage:"answer from embedded example records, or from real records at PATH, without network"`
	SandboxFault string `section:"Tools and answers" flag:"sandbox-fault" usage:"failure that the sandbox simulates, to test an agent: 503, reset, page, ..."`
}

// Secret is a text that no log and no message shows.
type Secret string

// String hides the text.
func (Secret) String() string { return "[hidden]" }

// GoString hides the text.
func (Secret) GoString() string { return "[hidden]" }

// LogValue hides the text.
func (Secret) LogValue() slog.Value { return slog.StringValue("[hidden]") }

// SandboxEmbedded is the value of Sandbox for the embedded records.
const SandboxEmbedded = "embedded"

// placeholder matches the text that some clients pass for an empty setting.
var placeholder = lazyregexp.New(`^\$\{[^{}]*\}$`)

// Read reads an environment of KEY=value entries. Call Validate after the flags are read.
func Read(environ []string) (*Config, error) {
	vars := env.ToMap(environ)
	maps.DeleteFunc(vars, func(name, value string) bool {
		return name == "" || strings.TrimSpace(value) == "" || placeholder.MatchString(strings.TrimSpace(value))
	})
	c := &Config{}
	if err := env.ParseWithOptions(c, env.Options{Environment: vars}); err != nil {
		if parse, ok := errors.AsType[env.ParseError](err); ok {
			variable := variableOf(parse.Name)
			return nil, invalid(variable, vars[variable], expectedForm(parse.Type))
		}
		return nil, fmt.Errorf("environment: %w", err)
	}
	if c.Sources == nil {
		c.Sources = sourceNames()
	}
	return c, nil
}

// readSecrets reads the files of secrets, if any are set.
func (c *Config) readSecrets() error {
	for _, secret := range []struct {
		variable string
		value    *Secret
		file     string
	}{
		{"NCBI_API_KEY", &c.NCBIAPIKey, c.NCBIAPIKeyFile},
		{"OPENFDA_API_KEY", &c.OpenFDAKey, c.OpenFDAKeyFile},
		{"MCP_AUTH_SECRET_KEY", &c.AuthSecret, c.AuthSecretFile},
		{"BIOFACT_REDIS_URL", &c.RedisURL, c.RedisURLFile},
	} {
		if *secret.value == "" && secret.file != "" {
			text, err := os.ReadFile(secret.file)
			if err != nil {
				return fmt.Errorf("%s_FILE: %w", secret.variable, err)
			}
			*secret.value = Secret(strings.TrimSpace(string(text)))
			if *secret.value == "" {
				return fmt.Errorf("%s_FILE: the file is empty", secret.variable)
			}
		}
		if strings.ContainsFunc(string(*secret.value), func(r rune) bool { return r <= ' ' || r > '~' }) {
			return fmt.Errorf("%s: must be one word", secret.variable)
		}
	}
	return nil
}

// expectedForm returns the form of a setting of a type, for messages.
func expectedForm(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return "a duration such as 30s"
	case reflect.TypeFor[int](), reflect.TypeFor[int64]():
		return "a whole number"
	}
	return "a number"
}

// Flags defines the flags, with the values of c as defaults. A secret has no flag: other users can see a command line.
func (c *Config) Flags(fs *pflag.FlagSet) {
	forEachField(c, func(tag reflect.StructTag, field any) {
		name, usage, variable := tag.Get("flag"), tag.Get("usage"), tag.Get("env")
		if variable != "" {
			usage += " (" + variable + ")"
		}
		switch v := field.(type) {
		case *string:
			fs.StringVar(v, name, *v, usage)
		case *int:
			fs.IntVar(v, name, *v, usage)
		case *int64:
			fs.Int64Var(v, name, *v, usage)
		case *float64:
			fs.Float64Var(v, name, *v, usage)
		case *time.Duration:
			fs.DurationVar(v, name, *v, usage)
		case *[]string:
			fs.StringSliceVar(v, name, *v, usage)
		}
	})
	fs.Lookup("sandbox").NoOptDefVal = SandboxEmbedded
}

// toolsets are the toolsets that can be served.
var toolsets = []string{"trials", "genes", "articles", "drugs", "research", "sql"}

// KnownToolsets returns the toolsets that can be served.
func (c *Config) KnownToolsets() []string { return toolsets }

// Validate returns an error for the first setting that is out of its range. It reads the files of secrets.
func (c *Config) Validate() error {
	if !oneOf(c.Transport, "stdio", TransportHTTP) {
		return invalid("MCP_TRANSPORT_TYPE", c.Transport, "stdio or http")
	}
	if _, err := c.Level(); err != nil {
		return err
	}
	if err := c.validateTags(); err != nil {
		return err
	}
	if err := c.readSecrets(); err != nil {
		return err
	}
	if c.HTTP() {
		if err := c.validateHTTP(); err != nil {
			return err
		}
	}
	if err := c.validateLimits(); err != nil {
		return err
	}
	if err := c.checkMirror(); err != nil {
		return err
	}
	if c.SandboxFault != "" && c.Sandbox == "" {
		return errors.New("--sandbox-fault: must go with --sandbox")
	}
	if c.Contact != "" && (!strings.Contains(c.Contact, "@") || strings.ContainsAny(c.Contact, " \t\r\n()")) {
		return errors.New("NCBI_ADMIN_EMAIL: must be an e-mail address")
	}
	return nil
}

// validateLimits returns an error for the first number, time or name that is out of its range.
func (c *Config) validateLimits() error {
	const year = 365 * 24 * time.Hour
	return firstInvalid(
		rule{"BIOFACT_REPLICAS", c.Replicas, between(c.Replicas, 1, 1000), "from 1 to 1000"},
		rule{"NCBI_TOOL_IDENTIFIER", c.NCBITool, !strings.ContainsFunc(c.NCBITool, func(r rune) bool { return r <= ' ' || r > '~' }),
			"one word, as NCBI requires"},
		rule{"NCBI_REQUEST_DELAY_MS", c.NCBIDelay, between(c.NCBIDelay, 0, 60_000), "from 0 to 60000"},
		rule{"NCBI_MAX_RETRIES", c.NCBIRetries, between(c.NCBIRetries, 0, 20), "from 0 to 20"},
		rule{"BIOFACT_RECORD_AGE", c.RecordAge, between(c.RecordAge, 0, year), "from 0s to 8760h"},
		rule{"BIOFACT_SEARCH_AGE", c.SearchAge, between(c.SearchAge, 0, year), "from 0s to 8760h"},
		rule{"BIOFACT_CALL_TIMEOUT", c.CallTimeout, between(c.CallTimeout, time.Second, 10*time.Minute), "from 1s to 10m"},
		rule{"BIOFACT_SQL_TIMEOUT", c.SQLTimeout, between(c.SQLTimeout, 100*time.Millisecond, 10*time.Minute), "from 100ms to 10m"},
		rule{"BIOFACT_MAX_CALLS", c.MaxCalls, between(c.MaxCalls, 1, 10_000), "from 1 to 10000"},
		rule{"BIOFACT_MAX_ANSWER_BYTES", c.MaxAnswerBytes, between(c.MaxAnswerBytes, 10_000, 100_000_000), "from 10000 to 100000000"},
		rule{"BIOFACT_CACHE_BYTES", c.CacheBytes, c.CacheBytes >= 1_000_000, "at least 1000000"},
		rule{"BIOFACT_TLS_MAX", c.TLSMax, oneOf(c.TLSMax, "", "1.2", "1.3"), "1.2 or 1.3"},
		rule{"BIOFACT_TOOLSETS", strings.Join(c.Toolsets, ","), isSubset(c.Toolsets, toolsets), "one or several of " +
			strings.Join(toolsets, ", ")},
		rule{"BIOFACT_SOURCES", strings.Join(c.Sources, ","), isSubset(c.Sources, sourceNames()), "one or several of " +
			strings.Join(sourceNames(), ", ")},
	)
}

// A rule has the condition of a setting, and whether it holds.
type rule struct {
	variable string
	value    any
	valid    bool
	want     string
}

func firstInvalid(rules ...rule) error {
	for _, r := range rules {
		if !r.valid {
			return invalid(r.variable, r.value, r.want)
		}
	}
	return nil
}

// between reports whether a number is in a range; NaN is in none.
func between[T cmp.Ordered](n, low, high T) bool { return n >= low && n <= high }

func oneOf(value string, allowed ...string) bool { return slices.Contains(allowed, value) }

// isSubset reports whether names is not empty and has only known names.
func isSubset(names, known []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(s string) bool { return !slices.Contains(known, s) })
}

func invalid(variable string, value any, want string) error {
	return fmt.Errorf("%s: must be %s, was %v", variable, want, value)
}

// UserAgent returns the name of Biofact and, if set, the contact of its operator.
func (c *Config) UserAgent(version string) string {
	agent := "biofact/" + version
	if c.Contact != "" {
		agent += " (+mailto:" + c.Contact + ")"
	}
	return agent
}

// maxHeader limits the header of an answer, in bytes. Real headers have a few kB.
const maxHeader = 256 << 10

// Network returns the transport to the sources. Proxy and certificate authorities come from the usual environment variables.
func (c *Config) Network() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout, t.MaxResponseHeaderBytes = c.CallTimeout, maxHeader
	if c.TLSMax == "1.2" {
		t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, MaxVersion: tls.VersionTLS12}
	}
	return t
}

// NCBI allows 3 requests per second, and 10 with an API key. It refuses requests at exactly that rate, so they start a little further
// apart.
const (
	ncbiInterval    = 400 * time.Millisecond
	ncbiIntervalKey = 110 * time.Millisecond
	ncbiHost        = "eutils.ncbi.nlm.nih.gov"
	ncbiDomain      = ".ncbi.nlm.nih.gov"
)

// NCBIBudget returns the host whose rate limit requests to a base URL count against: all hosts of NCBI share the limit of the
// E-utilities, and another host has its own.
func NCBIBudget(base string) string {
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return base
	case strings.HasSuffix(strings.ToLower(u.Hostname()), ncbiDomain):
		return ncbiHost
	}
	return u.Host
}

// NCBIInterval returns the minimum time between two requests to a base URL of NCBI. A delay below NCBI's limit is used only for another
// host; otherwise raised reports that it was replaced by the limit.
func (c *Config) NCBIInterval(base string) (interval time.Duration, raised bool) {
	least := ncbiInterval
	if c.NCBIAPIKey != "" {
		least = ncbiIntervalKey
	}
	if c.NCBIDelay == 0 {
		return least, false
	}
	set := time.Duration(c.NCBIDelay) * time.Millisecond
	if NCBIBudget(base) != ncbiHost {
		return set, false
	}
	return max(set, least), set < least
}

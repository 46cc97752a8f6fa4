package doctor

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/store"
)

func warned(name, finding, remedy string) Check {
	return Check{Name: name, Status: Warn, Finding: finding, Remedy: remedy}
}

func failed(name, finding, remedy string) Check {
	return Check{Name: name, Status: Fail, Finding: finding, Remedy: remedy}
}

// configuration lists the settings that differ from the defaults.
func (d *Doctor) configuration() Check {
	const name = "configuration"
	set, err := settings(d.Config) // as they were given
	if err != nil {
		return failed(name, err.Error(), "")
	}
	if err := d.Validate(); err != nil {
		return failed(name, err.Error(), "correct it; nothing else was checked")
	}
	_, closeLog, err := d.Config.Logger()
	if err == nil {
		err = closeLog()
	}
	if err != nil {
		return failed(name, err.Error(), "set it to a folder that can be written")
	}
	if file := config.UserFile(); len(set) > 0 {
		if _, err := os.Stat(file); err == nil {
			set = append(set, "(some may be kept in "+file+")")
		}
	}
	return passed(name, cmp.Or(strings.Join(set, " "), "all settings are the defaults"))
}

// contactCheck reports whether a source that requires an e-mail address gets one.
func contactCheck(cfg *config.Config, title string) Check {
	const name = "contact"
	switch {
	case cfg.Contact != "":
		return passed(name, "every request to "+title+" has an e-mail address")
	case cfg.Sandbox != "":
		return passed(name, "the sandbox needs none")
	}
	return warned(name, "requests to "+title+" have no e-mail address, which "+title+" asks for", "set NCBI_ADMIN_EMAIL")
}

// settings returns the settings that differ from the defaults, without secret values.
func settings(cfg *config.Config) ([]string, error) {
	untouched, err := config.Read(nil)
	if err != nil {
		return nil, err
	}
	mine, defaults := pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	cfg.Flags(mine)
	untouched.Flags(defaults)
	var set []string
	mine.VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Value.String() == defaults.Lookup(f.Name).Value.String():
		case f.Name == "contact": // people show the output of doctor to others
			set = append(set, "--contact=[hidden]")
		default:
			set = append(set, config.Quoted(withoutUser(config.Word(f))))
		}
	})
	for _, secret := range []struct {
		variable string
		value    config.Secret
	}{
		{"NCBI_API_KEY", cfg.NCBIAPIKey}, {"OPENFDA_API_KEY", cfg.OpenFDAKey},
		{"MCP_AUTH_SECRET_KEY", cfg.AuthSecret}, {"BIOFACT_REDIS_URL", cfg.RedisURL},
	} {
		if secret.value != "" {
			set = append(set, secret.variable+"="+secret.value.String())
		}
	}
	return set, nil
}

// withoutUser removes user and password from a setting that is a URL.
func withoutUser(setting string) string {
	name, value, _ := strings.Cut(setting, "=")
	u, err := url.Parse(value)
	if err != nil || u.User == nil {
		return setting
	}
	u.User = url.User("[hidden]")
	return name + "=" + strings.Replace(u.String(), "%5Bhidden%5D", "[hidden]", 1)
}

// storage reports whether the cache that all processes share can be used.
func storage(ctx context.Context, cfg *config.Config) Check {
	const name = "store"
	if cfg.RedisURL != "" {
		return redisStorage(ctx, cfg)
	}
	path := cfg.CacheFile()
	switch {
	case cfg.CacheDir == config.CacheOff:
		return passed(name, "memory only (BIOFACT_CACHE_DIR=off); each process caches answers in memory and uses the full request rate")
	case path == "":
		return warned(name, "the user has no cache folder, so each process caches answers in memory and uses a quarter of the request rate",
			"set BIOFACT_CACHE_DIR")
	}
	info, err := store.Inspect(ctx, path)
	if err != nil {
		remedy := "set BIOFACT_CACHE_DIR to a local folder"
		if file, statErr := os.Stat(path); statErr == nil && file.Mode().IsRegular() && file.Size() > 0 &&
			!errors.Is(err, os.ErrPermission) {
			remedy = "biofact cache clear removes it, or " + remedy
		}
		return failed(name, fmt.Sprintf("%s cannot be used (%v); until it can, each process caches answers in memory and uses a "+
			"quarter of the request rate", path, err), remedy)
	}
	return passed(name, fmt.Sprintf("%s can be written and locked; %d answers, %.1f of %.0f MB", path, info.Entries, megabytes(info.Bytes),
		megabytes(cfg.CacheBytes)))
}

func redisStorage(ctx context.Context, cfg *config.Config) Check {
	const name = "store"
	if err := store.CheckRedisURL(string(cfg.RedisURL)); err != nil {
		return failed(name, "BIOFACT_REDIS_URL: "+err.Error(), "correct it")
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	info, err := store.InspectRedis(ctx, string(cfg.RedisURL))
	if err != nil {
		return failed(name, fmt.Sprintf("Redis cannot be used (%v); until it can, each replica uses its share of the request rate", err),
			"start it, or correct BIOFACT_REDIS_URL")
	}
	return passed(name, fmt.Sprintf("Redis at %s answers; %d answers are cached", info.Redis, info.Entries))
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }

// tlsSettings reports the certificate authorities and the TLS version limit.
func tlsSettings(cfg *config.Config) Check {
	const name = "tls"
	if cfg.Sandbox != "" {
		return passed(name, "the sandbox needs none")
	}
	c := passed(name, "the authorities of the system")
	if file := os.Getenv("SSL_CERT_FILE"); file != "" {
		const remedy = "name a file of certificates in PEM, or remove the variable"
		switch text, err := os.ReadFile(file); {
		case runtime.GOOS == "windows" || runtime.GOOS == "darwin":
			c = warned(name, "SSL_CERT_FILE has no effect on this system", "add the authority to those of the system")
		case err != nil:
			c = failed(name, "SSL_CERT_FILE: "+err.Error(), remedy)
		case !x509.NewCertPool().AppendCertsFromPEM(text):
			c = failed(name, "SSL_CERT_FILE: no certificate in "+file, remedy)
		default:
			c.Finding = "the authorities of SSL_CERT_FILE=" + file
		}
	}
	if cfg.TLSMax != "" {
		c.Finding += "; no handshake newer than TLS " + cfg.TLSMax + " (BIOFACT_TLS_MAX)"
	}
	return c
}

// proxySettings reports the variables that set a proxy, and the sources that use it.
func proxySettings(cfg *config.Config, sources []*examined) Check {
	const name = "proxy"
	if cfg.Sandbox != "" {
		return passed(name, "the sandbox needs none")
	}
	c := passed(name, "")
	var set []string
	for _, pair := range [][2]string{{"HTTPS_PROXY", "https_proxy"}, {"HTTP_PROXY", "http_proxy"}, {"NO_PROXY", "no_proxy"}} {
		variable := pair[0]
		if os.Getenv(variable) == "" { // the upper-case variable takes precedence
			variable = pair[1]
		}
		value := os.Getenv(variable)
		if value == "" {
			continue
		}
		if !isProxy(value) && pair[0] != "NO_PROXY" {
			c = failed(name, "", "a proxy must be a URL such as http://proxy.example.org:3128; any other value is ignored")
		}
		set = append(set, variable+"="+shownProxy(value))
	}
	if len(set) == 0 {
		return passed(name, "no proxy is set (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)")
	}
	c.Finding = strings.Join(set, " ")
	for _, s := range sources {
		way := "directly"
		if s.proxy != nil {
			way = "through " + s.proxy.Host
		}
		c.Finding += "; " + s.Title + " " + way
	}
	return c
}

// isProxy reports whether a value is a proxy URL, with or without a scheme.
func isProxy(value string) bool {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" {
		u, err = url.Parse("http://" + value)
	}
	return err == nil && u.Host != ""
}

// shownProxy returns a proxy, or a list of hosts, without user and password. An invalid URL can also contain them.
func shownProxy(value string) string {
	at := strings.LastIndex(value, "@")
	if at < 0 {
		return value
	}
	scheme, _, found := strings.Cut(value, "://")
	if !found {
		return "[hidden]" + value[at:]
	}
	return scheme + "://[hidden]" + value[at:]
}

// clock compares this machine's clock with those of the sources.
func clock(sources []*examined) Check {
	const name, allowed = "clock", 2 * time.Minute
	c := warned(name, "not compared: no source sent the time", "")
	for _, s := range sources {
		off := s.received.Sub(s.date)
		switch direction := "ahead of"; {
		case s.date.IsZero():
		case off.Abs() <= allowed:
			return passed(name, "agrees with "+s.Title+" within two minutes")
		default:
			if off < 0 {
				direction = "behind"
			}
			c = warned(name, fmt.Sprintf("%s %s %s, so the age of cached answers is wrong", off.Abs().Round(time.Second), direction,
				s.Title),
				"set the clock of this machine")
		}
	}
	return c
}

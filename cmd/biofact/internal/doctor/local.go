package doctor

import (
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

// configuration shows the settings that are not the defaults.
func configuration(cfg *config.Config) Check {
	c := Check{Name: "configuration", Status: OK}
	if err := cfg.Validate(); err != nil {
		c.Status, c.Finding, c.Remedy = Fail, err.Error(), "correct it; nothing else was checked"
		return c
	}
	_, closeLog, err := cfg.Logger()
	if err == nil {
		err = closeLog()
	}
	if err != nil {
		c.Status, c.Finding, c.Remedy = Fail, err.Error(), "name a folder that can be written"
		return c
	}
	set, err := settings(cfg)
	if err != nil {
		c.Status, c.Finding = Fail, err.Error()
		return c
	}
	c.Finding = "all settings are the defaults"
	if len(set) > 0 {
		c.Finding = strings.Join(set, " ")
	}
	return c
}

// contactCheck reports whether a source that asks for an e-mail address gets one.
func contactCheck(cfg *config.Config, title string) Check {
	if cfg.Contact != "" {
		return Check{Name: "contact", Status: OK, Finding: "an e-mail address goes with every request to " + title}
	}
	if cfg.Sandbox != "" {
		return Check{Name: "contact", Status: OK, Finding: "the sandbox needs none"}
	}
	return Check{
		Name: "contact", Status: Warn, Finding: "no e-mail address goes with the requests to " + title + ", which asks for one", Remedy: "set NCBI_ADMIN_EMAIL",
	}
}

// settings are those that differ from the defaults, without what is secret.
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
		case f.Name == "contact": // what doctor prints is shown to others
			set = append(set, "--contact=[hidden]")
		default:
			set = append(set, config.Quoted(withoutUser(config.Word(f))))
		}
	})
	for _, secret := range []struct {
		variable string
		value    config.Secret
	}{{"NCBI_API_KEY", cfg.NCBIAPIKey}, {"MCP_AUTH_SECRET_KEY", cfg.AuthSecret}, {"BIOFACT_REDIS_URL", cfg.RedisURL}} {
		if secret.value != "" {
			set = append(set, secret.variable+"="+secret.value.String())
		}
	}
	return set, nil
}

// withoutUser takes user and password out of a setting that is a URL.
func withoutUser(setting string) string {
	name, value, _ := strings.Cut(setting, "=")
	u, err := url.Parse(value)
	if err != nil || u.User == nil {
		return setting
	}
	u.User = url.User("[hidden]")
	return name + "=" + strings.Replace(u.String(), "%5Bhidden%5D", "[hidden]", 1)
}

// storage tells whether what all processes share can be used.
func storage(ctx context.Context, cfg *config.Config) Check {
	c := Check{Name: "store", Status: OK}
	if cfg.RedisURL != "" {
		return redisStorage(ctx, cfg, c)
	}
	path := cfg.CacheFile()
	switch {
	case cfg.CacheDir == config.CacheOff:
		c.Finding = "memory only, as BIOFACT_CACHE_DIR asks for; each process keeps answers in memory, and the whole pace"
		return c
	case path == "":
		c.Status, c.Finding, c.Remedy = Warn, "the user has no cache folder, so each process keeps answers in memory, and a quarter of the pace", "set BIOFACT_CACHE_DIR"
		return c
	}
	info, err := store.Inspect(ctx, path)
	if err != nil {
		c.Status, c.Finding = Fail, fmt.Sprintf("%s cannot be used (%v); until it can, each process keeps answers in memory, and a quarter of the pace", path, err)
		c.Remedy = "set BIOFACT_CACHE_DIR to a local folder of yours"
		if whole, stat := os.Stat(path); stat == nil && whole.Mode().IsRegular() && whole.Size() > 0 && !errors.Is(err, os.ErrPermission) {
			c.Remedy = "biofact cache clear removes it, or " + c.Remedy
		}
		return c
	}
	c.Finding = fmt.Sprintf("%s can be written and locked; %d answers, %.1f of %.0f MB", path, info.Entries, megabytes(info.Bytes), megabytes(cfg.CacheBytes))
	return c
}

func redisStorage(ctx context.Context, cfg *config.Config, c Check) Check {
	if err := store.CheckRedisURL(string(cfg.RedisURL)); err != nil {
		c.Status, c.Finding, c.Remedy = Fail, "BIOFACT_REDIS_URL: "+err.Error(), "correct it"
		return c
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	info, err := store.InspectRedis(ctx, string(cfg.RedisURL))
	if err != nil {
		c.Status, c.Finding = Fail, fmt.Sprintf("Redis cannot be used (%v); until it can, each replica keeps to its share of the pace", err)
		c.Remedy = "start it, or correct BIOFACT_REDIS_URL"
		return c
	}
	c.Finding = fmt.Sprintf("Redis at %s answers; %d answers are kept", info.Redis, info.Entries)
	return c
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }

// tlsSettings tells what certificates and handshakes are set to.
func tlsSettings(cfg *config.Config) Check {
	c := Check{Name: "tls", Status: OK, Finding: "the authorities of the system"}
	if cfg.Sandbox != "" {
		c.Finding = "the sandbox needs none"
		return c
	}
	if file := os.Getenv("SSL_CERT_FILE"); file != "" {
		c.Finding = "the authorities of SSL_CERT_FILE=" + file
		switch text, err := os.ReadFile(file); {
		case runtime.GOOS == "windows" || runtime.GOOS == "darwin":
			c.Status, c.Finding, c.Remedy = Warn, "SSL_CERT_FILE has no effect on this system", "add the authority to those of the system"
		case err != nil:
			c.Status, c.Finding, c.Remedy = Fail, "SSL_CERT_FILE: "+err.Error(), "name a file of certificates in PEM, or remove the variable"
		case !x509.NewCertPool().AppendCertsFromPEM(text):
			c.Status, c.Finding, c.Remedy = Fail, "SSL_CERT_FILE: no certificate in "+file, "name a file of certificates in PEM, or remove the variable"
		}
	}
	if cfg.TLSMax != "" {
		c.Finding += "; no handshake newer than TLS " + cfg.TLSMax + " (BIOFACT_TLS_MAX)"
	}
	return c
}

// proxySettings tells which variables set a proxy, and for which sources.
func proxySettings(cfg *config.Config, sources []*examined) Check {
	c := Check{Name: "proxy", Status: OK}
	if cfg.Sandbox != "" {
		c.Finding = "the sandbox needs none"
		return c
	}
	var set []string
	for _, pair := range [][2]string{{"HTTPS_PROXY", "https_proxy"}, {"HTTP_PROXY", "http_proxy"}, {"NO_PROXY", "no_proxy"}} {
		for _, name := range pair { // of the two the first counts
			value := os.Getenv(name)
			if value == "" {
				continue
			}
			if !isProxy(value) && pair[0] != "NO_PROXY" {
				c.Status, c.Remedy = Fail, "a proxy is a URL such as http://proxy.example.org:3128; what is none is not used"
			}
			set = append(set, name+"="+shownProxy(value))
			break
		}
	}
	if len(set) == 0 {
		c.Finding = "none is set (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)"
		return c
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

// isProxy tells whether a value names a proxy, with the scheme or without.
func isProxy(value string) bool {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" {
		u, err = url.Parse("http://" + value)
	}
	return err == nil && u.Host != ""
}

// shownProxy is a proxy, or a list of hosts, without user and password, which
// may stand in what is no URL, too.
func shownProxy(value string) string {
	if at := strings.LastIndex(value, "@"); at >= 0 {
		scheme, _, found := strings.Cut(value, "://")
		if !found {
			return "[hidden]@" + value[at+1:]
		}
		return scheme + "://[hidden]@" + value[at+1:]
	}
	return value
}

// clock compares this machine's with those of the sources.
func clock(sources []*examined) Check {
	c := Check{Name: "clock", Status: Warn, Finding: "not compared: no source told the time"}
	const allowed = 2 * time.Minute
	for _, s := range sources {
		if s.date.IsZero() {
			continue
		}
		off := s.received.Sub(s.date)
		if off.Abs() <= allowed {
			return Check{Name: "clock", Status: OK, Finding: "agrees with " + s.Title + " within two minutes"}
		}
		direction := "ahead of"
		if off < 0 {
			direction = "behind"
		}
		c.Finding = fmt.Sprintf("%s %s %s, so the age of kept answers is misjudged", off.Abs().Round(time.Second), direction, s.Title)
		c.Remedy = "set the clock of this machine"
	}
	return c
}

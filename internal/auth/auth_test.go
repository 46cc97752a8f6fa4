package auth_test

import (
	"context"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/biofact-mcp/biofact/internal/auth"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestOptions(t *testing.T) {
	t.Parallel()
	short := []byte("hunter2-hunter2-hunter2-hunter2")
	for _, test := range []struct {
		name   string
		change func(*auth.Options)
		err    string // empty: accepted
	}{
		{"secret", func(*auth.Options) {}, ""},
		{"secret with audience", func(o *auth.Options) { o.Audience = audience }, ""},
		{"short secret", func(o *auth.Options) { o.Secret = short }, "the secret must have at least 32 bytes"},
		{"nothing", func(o *auth.Options) { o.Secret = nil }, "no access control is set"},
		{"empty secret", func(o *auth.Options) { o.Secret = []byte{} }, "no access control is set"},
		{"none", func(o *auth.Options) { o.Secret, o.None = nil, true }, ""},
		{"none with audience", func(o *auth.Options) { o.Secret, o.None, o.Audience = nil, true, audience }, "an audience without tokens"},
		{"none with secret", func(o *auth.Options) { o.None = true }, "exclude each other"},
		{"none with issuer", func(o *auth.Options) { o.Secret, o.None, o.Issuer, o.Audience = nil, true, name, audience },
			"exclude each other"},
		{"secret and issuer", func(o *auth.Options) { o.Issuer, o.Audience = name, audience }, "exclude each other"},
		{"issuer", func(o *auth.Options) { o.Secret, o.Issuer, o.Audience = nil, name, audience }, ""},
		{"issuer without audience", func(o *auth.Options) { o.Secret, o.Issuer = nil, name }, "needs an audience"},
		{"issuer on loopback", func(o *auth.Options) { o.Secret, o.Issuer, o.Audience = nil, "http://127.0.0.1:8080/", audience }, ""},
		{"issuer on loopback, v6", func(o *auth.Options) { o.Secret, o.Issuer, o.Audience = nil, "http://[::1]:8080", audience }, ""},
		{"issuer on localhost", func(o *auth.Options) { o.Secret, o.Issuer, o.Audience = nil, "http://localhost", audience }, ""},
		{"issuer without TLS", func(o *auth.Options) { o.Secret, o.Issuer, o.Audience = nil, "http://issuer.example.org", audience },
			"the issuer must be"},
		{"loopback as a name", func(o *auth.Options) { o.Secret, o.Issuer, o.Audience = nil, "http://127.0.0.1.example.org", audience },
			"the issuer must be"},
		{"issuer with query", func(o *auth.Options) { o.Secret, o.Issuer, o.Audience = nil, name+"?a=b", audience }, "the issuer must be"},
		{"issuer with fragment", func(o *auth.Options) { o.Secret, o.Issuer, o.Audience = nil, name+"#a", audience }, "the issuer must be"},
		{"issuer with password", func(o *auth.Options) {
			o.Secret, o.Issuer, o.Audience = nil, "https://u:hunter2@a.example.org", audience
		}, "the issuer must be"},
		{"issuer as a name", func(o *auth.Options) { o.Secret, o.Issuer, o.Audience = nil, "issuer.example.org", audience },
			"the issuer must be"},
		{"issuer without host", func(o *auth.Options) { o.Secret, o.Issuer, o.Audience = nil, "https:///realm", audience },
			"the issuer must be"},
		{"no toolsets", func(o *auth.Options) { o.Toolsets = nil }, "no toolset"},
		{"resource", func(o *auth.Options) { o.Resource = audience }, ""},
		{"no resource", func(o *auth.Options) { o.Resource = "" }, "the guarded resource must be"},
		{"resource as a word", func(o *auth.Options) { o.Resource = "mcp" }, "the guarded resource must be"},
		{"resource of another scheme", func(o *auth.Options) { o.Resource = "ftp://a.example.org/" }, "the guarded resource must be"},
		{"resource with a quote", func(o *auth.Options) { o.Resource = `https://a"b/mcp` }, "the guarded resource must be"},
		{"resource with fragment", func(o *auth.Options) { o.Resource = audience + "#a" }, "the guarded resource must be"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := withSecret()
			test.change(&o)
			_, err := auth.New(t.Context(), o)
			expect.That(t, (err == nil) == (test.err == "") && (err == nil || strings.Contains(err.Error(), test.err)),
				"error %v, want %q", err, test.err)
			expect.That(t, err == nil || !strings.Contains(err.Error(), "hunter2"), "error shows a secret: %v", err)
		})
	}
}

// A caller cannot change the secret of a guard afterwards.
func TestSecretIsCopied(t *testing.T) {
	t.Parallel()
	o := withSecret()
	o.Secret = slices.Clone(secret)
	g := guard(t, o)
	clear(o.Secret)
	passes(t, ask(g, "Bearer "+hs256(t, claims())), "ada", "trials", "genes")
}

func TestPasses(t *testing.T) {
	t.Parallel()
	all := toolsets
	some := []string{"trials", "genes"}
	for _, test := range []struct {
		name   string
		claims jwt.MapClaims
		sets   []string
	}{
		{"scopes", claims(), some},
		{"one scope", claims("scope", "articles:read"), []string{"articles"}},
		{"scope as array", claims("scope", []string{"trials:read", "genes:read"}), some},
		{"scp", claims("scope", nil, "scp", "trials:read genes:read"), some},
		{"scp as array", claims("scope", nil, "scp", []any{"genes:read", "trials:read", 7}), some},
		{"scope and scp", claims("scope", "trials:read", "scp", "genes:read"), some},
		{"no scope, made by hand", claims("scope", nil), all},
		{"other claims missing", jwt.MapClaims{"sub": "ada", "exp": time.Now().Add(time.Minute).Unix()}, all},
		{"audience of others, none asked", claims("aud", "elsewhere"), some},
		{"expired inside the leeway", claims("exp", time.Now().Add(-15*time.Second).Unix()), some},
		{"not before inside the leeway", claims("nbf", time.Now().Add(15*time.Second).Unix()), some},
		{"issued inside the leeway", claims("iat", time.Now().Add(15*time.Second).Unix()), some},
		{"subject in another script", claims("sub", "ada"), some},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			passes(t, ask(guard(t, withSecret()), "Bearer "+hs256(t, test.claims)), "ada", test.sets...)
		})
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	expiry := time.Now().Add(time.Hour).Truncate(time.Second)
	token := "bearer   " + hs256(t, claims("sub", "Ænima\u0000\n", "exp", expiry.Unix()))
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	r.Header.Set("Authorization", token)
	r.Header.Set("Accept", "application/json")
	a := send(guard(t, withSecret()), r)
	passes(t, a, "Ænima\u0000\n", "trials", "genes")
	if _, ok := a.header["Authorization"]; ok {
		t.Error("the guarded handler sees the token")
	}
	expect.That(t, r.Header.Get("Authorization") == token && a.header.Get("Accept") == "application/json",
		"headers of the caller %v, of the guarded handler %v", r.Header, a.header)
	if _, ok := auth.FromContext(t.Context()); ok {
		t.Error("an identity without a guard")
	}
}

func TestNone(t *testing.T) {
	t.Parallel()
	o := withSecret()
	o.Secret, o.None = nil, true
	passes(t, ask(guard(t, o)), "", toolsets...)
	a := ask(guard(t, o), "Bearer nonsense")
	passes(t, a, "", toolsets...)
	if _, ok := a.header["Authorization"]; ok {
		t.Error("the guarded handler sees the token")
	}
}

// raw returns a token of any three parts.
func raw(header, payload, signature string) string {
	enc := base64.RawURLEncoding.EncodeToString
	return enc([]byte(header)) + "." + enc([]byte(payload)) + "." + enc([]byte(signature))
}

// trailingBit changes an unused bit of the last character: the signature stays
// the same, the token does not.
func trailingBit(token string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := len(token) - 1
	return token[:last] + string(alphabet[strings.IndexByte(alphabet, token[last])^1])
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	valid := hs256(t, claims())
	parts := strings.Split(valid, ".")
	now := time.Now()
	bearer := func(token string) []string { return []string{"Bearer " + token} }
	for _, test := range []struct {
		name, class string
		headers     []string
	}{
		{"no header", "missing", nil},
		{"empty header", "missing", []string{""}},
		{"no token", "missing", []string{"Bearer"}},
		{"blank token", "missing", []string{"Bearer    "}},
		{"other scheme", "missing", []string{"Basic YTpi"}},
		{"token without scheme", "missing", []string{valid}},
		{"scheme stuck to the token", "missing", []string{"Bearer" + valid}},
		{"tab", "missing", []string{"Bearer\t" + valid}},

		{"several headers", "malformed", []string{"Bearer " + valid, "Bearer " + valid}},
		{"several, one empty", "malformed", []string{"", "Bearer " + valid}},
		{"several, one of another scheme", "malformed", []string{"Basic YTpi", "Bearer " + valid}},
		{"two tokens in one", "malformed", bearer(valid + ", Bearer " + valid)},
		{"a word", "malformed", bearer("hello")},
		{"two parts", "malformed", bearer(parts[0] + "." + parts[1])},
		{"four parts", "malformed", bearer(valid + ".x")},
		{"five parts, encrypted", "malformed", bearer("a.b.c.d.e")},
		{"empty parts", "malformed", bearer("..")},
		{"NUL", "malformed", bearer(valid + "\x00")},
		{"NUL inside", "malformed", bearer(parts[0] + "\x00." + parts[1] + "." + parts[2])},
		{"unicode", "malformed", bearer("ünï." + parts[1] + "." + parts[2])},
		{"invalid UTF-8", "malformed", bearer("\xff\xfe." + parts[1] + "." + parts[2])},
		{"line break, which base64 skips", "malformed", bearer(parts[0] + "\r\n." + parts[1] + "." + parts[2])},
		{"bits after the signature", "malformed", bearer(trailingBit(valid))},
		{"padded", "malformed", bearer(parts[0] + "=." + parts[1] + "." + parts[2])},
		{"NUL in the header's JSON", "malformed", bearer(raw("\x00{}", "{}", "x"))},
		{"header no JSON", "malformed", bearer(raw("hello", "{}", "x"))},
		{"header an array", "malformed", bearer(raw(`[]`, "{}", "x"))},
		{"claims no JSON", "malformed", bearer(raw(`{"alg":"HS256"}`, "hello", "x"))},
		{"claims an array", "malformed", bearer(raw(`{"alg":"HS256"}`, "[]", "x"))},
		{"deep JSON", "malformed", bearer(raw(`{"alg":"HS256"}`, strings.Repeat("[", 5000), "x"))},
		{"crit", "malformed", bearer(hs256(t, claims(), "crit", []string{"exp"}))},
		{"crit, empty", "malformed", bearer(hs256(t, claims(), "crit", []string{}))},
		{"b64 with crit", "malformed", bearer(hs256(t, claims(), "b64", false, "crit", []string{"b64"}))},
		{"exp a text", "malformed", bearer(hs256(t, claims("exp", "tomorrow")))},
		{"nbf a text", "malformed", bearer(hs256(t, claims("nbf", "tomorrow")))},
		{"sub a number", "malformed", bearer(hs256(t, claims("sub", 7)))},

		{"huge", "too large", bearer(hs256(t, claims("fill", strings.Repeat("x", 8<<10))))},
		{"huge and no token", "too large", bearer(strings.Repeat("\x00", 1<<20))},

		{"none", "algorithm", bearer(sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, claims()))},
		{"None", "algorithm", bearer(raw(`{"alg":"None"}`, `{"exp":9999999999}`, ""))},
		{"no algorithm", "algorithm", bearer(raw(`{"typ":"JWT"}`, `{}`, "x"))},
		{"algorithm no text", "algorithm", bearer(raw(`{"alg":["HS256"]}`, `{}`, "x"))},
		{"null header", "algorithm", bearer(raw(`null`, `{}`, "x"))},
		{"unknown", "algorithm", bearer(raw(`{"alg":"HS1"}`, `{}`, "x"))},
		{"HS384", "algorithm", bearer(sign(t, jwt.SigningMethodHS384, secret, claims()))},
		{"HS512", "algorithm", bearer(sign(t, jwt.SigningMethodHS512, secret, claims()))},
		{"RS256", "algorithm", bearer(sign(t, jwt.SigningMethodRS256, rsaKey(), claims()))},

		{"other secret", "signature", bearer(sign(t, jwt.SigningMethodHS256, []byte(strings.Repeat("x", 32)), claims()))},
		{"empty secret", "signature", bearer(sign(t, jwt.SigningMethodHS256, []byte{}, claims()))},
		{"changed claims", "signature", bearer(parts[0] + "." + strings.Split(hs256(t, claims("sub", "eve")), ".")[1] + "." + parts[2])},
		{"no signature", "signature", bearer(parts[0] + "." + parts[1] + ".")},
		{"short signature", "signature", bearer(raw(`{"alg":"HS256"}`, `{"exp":9999999999}`, "x"))},
		{"other secret and expired", "signature",
			bearer(sign(t, jwt.SigningMethodHS256, []byte(strings.Repeat("x", 32)), claims("exp", 1)))},

		{"no expiry", "no expiry", bearer(hs256(t, claims("exp", nil)))},
		{"expiry of 0", "no expiry", bearer(hs256(t, claims("exp", 0)))},
		{"expiry in other letters", "no expiry", bearer(hs256(t, claims("exp", nil, "EXP", now.Add(time.Hour).Unix())))},
		{"no claims", "no expiry", bearer(hs256(t, jwt.MapClaims{}))},
		{"expired", "expired", bearer(hs256(t, claims("exp", now.Add(-time.Minute).Unix())))},
		{"expired long ago", "expired", bearer(hs256(t, claims("exp", -1)))},
		{"not yet valid", "not yet valid", bearer(hs256(t, claims("nbf", now.Add(time.Minute).Unix())))},
		{"issued in the future", "not yet valid", bearer(hs256(t, claims("iat", now.Add(time.Minute).Unix())))},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			refusedAs(t, ask(guard(t, withSecret()), test.headers...), test.class, "")
		})
	}
}

// A token in the query or in a form is ignored.
func TestTokenOutsideHeader(t *testing.T) {
	t.Parallel()
	token := hs256(t, claims())
	r := httptest.NewRequest(http.MethodPost, "/mcp?access_token="+token, strings.NewReader("access_token="+token))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Proxy-Authorization", "Bearer "+token)
	r.Header.Set("Cookie", "access_token="+token)
	refusedAs(t, send(guard(t, withSecret()), r), "missing", "")
}

func TestAudienceOfSecret(t *testing.T) {
	t.Parallel()
	o := withSecret()
	o.Audience = audience
	g := guard(t, o)
	passes(t, ask(g, "Bearer "+hs256(t, claims())), "ada", "trials", "genes")
	passes(t, ask(g, "Bearer "+hs256(t, claims("aud", []string{"x", audience}))), "ada", "trials", "genes")
	for _, aud := range []any{nil, "", "x", []string{}, []string{""}, 7, audience + "/", strings.ToUpper(audience)} {
		refusedAs(t, ask(g, "Bearer "+hs256(t, claims("aud", aud))), "audience", "")
	}
}

// The classes at the limits of the leeway, which is 30 seconds.
func TestLeeway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := guard(t, withSecret())
		now := time.Now().Truncate(time.Second)
		passes(t, ask(g, "Bearer "+hs256(t, claims("exp", now.Add(-29*time.Second).Unix()))), "ada", "trials", "genes")
		refusedAs(t, ask(g, "Bearer "+hs256(t, claims("exp", now.Add(-30*time.Second).Unix()))), "expired", "")
		passes(t, ask(g, "Bearer "+hs256(t, claims("nbf", now.Add(30*time.Second).Unix()))), "ada", "trials", "genes")
		refusedAs(t, ask(g, "Bearer "+hs256(t, claims("nbf", now.Add(31*time.Second).Unix()))), "not yet valid", "")
		passes(t, ask(g, "Bearer "+hs256(t, claims("iat", now.Add(30*time.Second).Unix()))), "ada", "trials", "genes")
		refusedAs(t, ask(g, "Bearer "+hs256(t, claims("iat", now.Add(31*time.Second).Unix()))), "not yet valid", "")

		token := "Bearer " + hs256(t, claims("exp", now.Add(time.Hour).Unix()))
		passes(t, ask(g, token), "ada", "trials", "genes")
		time.Sleep(time.Hour + 30*time.Second)
		refusedAs(t, ask(g, token), "expired", "")
	})
}

// With a valid token without a scope of the server, the client gets the scopes
// that it needs.
func TestNoScope(t *testing.T) {
	t.Parallel()
	o := withSecret()
	o.Toolsets = []string{"trials", "genes"}
	for name, c := range map[string]jwt.MapClaims{
		"others":                claims("scope", "openid profile"),
		"of no toolset here":    claims("scope", "articles:read"),
		"empty":                 claims("scope", ""),
		"null":                  claims("scope", (*string)(nil)),
		"a number":              claims("scope", 7),
		"part of one":           claims("scope", "trials trials:rea trials:reads xtrials:read TRIALS:READ"),
		"empty scp":             claims("scope", nil, "scp", []string{}),
		"several in one string": claims("scope", []string{"trials:read genes:read"}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := ask(guard(t, o), "Bearer "+hs256(t, c))
			expect.Must(t, !a.passed && a.Code == http.StatusForbidden, "status %d, passed as %+v; want 403", a.Code, a.who)
			const scopes = "trials:read genes:read"
			want := `Bearer realm="biofact", error="insufficient_scope", error_description="no scope of this server", scope="` +
				scopes + `"`
			expect.Equal(t, "challenge", want, a.Header().Get("WWW-Authenticate"))
			body := `{"error":"insufficient_scope","error_description":"no scope of this server","scope":"` + scopes + "\"}\n"
			expect.That(t, a.Body.String() == body, "body %s, want %s", a.Body, body)
		})
	}
}

// The log has the class, and the subject once it is verified, but never a token
// or the secret.
func TestLog(t *testing.T) {
	t.Parallel()
	var l log
	o := withSecret()
	o.Log = l.logger()
	g := guard(t, o)
	tokens := []string{
		hs256(t, claims("sub", "verified", "scope", "none")),
		hs256(t, claims("sub", "unverified", "exp", 1)),
		sign(t, jwt.SigningMethodHS256, []byte(strings.Repeat("x", 32)), claims("sub", "unverified")),
		sign(t, jwt.SigningMethodHS512, secret, claims("sub", "unverified")),
		"unverified." + string(secret),
	}
	for _, token := range tokens {
		ask(g, "Bearer "+token)
	}
	got := l.String()
	for _, want := range []string{
		`"level":"INFO","msg":"request refused","class":"no scope of this server","subject":"verified","status":403`,
		`"class":"expired","status":401`, `"class":"signature","status":401`, `"class":"algorithm","status":401`,
		`"class":"malformed","status":401`,
	} {
		expect.That(t, strings.Contains(got, want), "the log lacks %s:\n%s", want, got)
	}
	shown := append([]string{"unverified", string(secret)}, tokens...)
	for _, token := range tokens {
		shown = append(shown, strings.Split(token, ".")...)
	}
	for _, s := range shown {
		expect.That(t, !strings.Contains(got, s), "the log shows %s:\n%s", s, got)
	}
}

func TestToken(t *testing.T) {
	t.Parallel()
	now := time.Now()
	token, err := auth.Token(secret,
		auth.Grant{Subject: "ada", Scopes: []string{auth.Scope("genes")}, Lifetime: time.Hour, Audience: audience}, now)
	expect.NoError(t, err)
	o := withSecret()
	o.Audience = audience
	a := ask(guard(t, o), "Bearer "+token)
	passes(t, a, "ada", "genes")
	var c jwt.RegisteredClaims
	if _, err := jwt.ParseWithClaims(token, &c, func(*jwt.Token) (any, error) { return secret, nil }); err != nil {
		t.Fatal(err)
	}
	expect.That(t, c.ID != "" && c.IssuedAt != nil && c.IssuedAt.Unix() == now.Unix(), "claims %+v", c)
	other, err := auth.Token(secret, auth.Grant{Subject: "ada", Lifetime: 366 * 24 * time.Hour}, now)
	expect.NoError(t, err)
	passes(t, ask(guard(t, withSecret()), "Bearer "+other), "ada", toolsets...)
	refusedAs(t, ask(guard(t, o), "Bearer "+other), "audience", "")
	again, err := auth.Token(secret, auth.Grant{Subject: "ada", Lifetime: 366 * 24 * time.Hour}, now)
	expect.That(t, err == nil && again != other, "two tokens are the same, %v", err)
}

func TestTokenRefused(t *testing.T) {
	t.Parallel()
	const short = "hunter2-hunter2-hunter2-hunter2"
	for _, test := range []struct {
		name, secret, subject string
		scopes                []string
		lifetime              time.Duration
		err                   string
	}{
		{"short secret", short, "ada", nil, time.Hour, "at least 32 bytes"},
		{"no subject", string(secret), "", nil, time.Hour, "subject"},
		{"no lifetime", string(secret), "ada", nil, 0, "lifetime"},
		{"past", string(secret), "ada", nil, -time.Hour, "lifetime"},
		{"too long", string(secret), "ada", nil, 366*24*time.Hour + time.Second, "lifetime"},
		{"scope with a space", string(secret), "ada", []string{"trials:read genes:read"}, time.Hour, "no scope"},
		{"empty scope", string(secret), "ada", []string{""}, time.Hour, "no scope"},
		{"scope with a quote", string(secret), "ada", []string{`a"b`}, time.Hour, "no scope"},
		{"too large", string(secret), strings.Repeat("a", 8<<10), nil, time.Hour, "8192 bytes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			token, err := auth.Token([]byte(test.secret), auth.Grant{Subject: test.subject, Scopes: test.scopes, Lifetime: test.lifetime},
				time.Now())
			expect.That(t, err != nil && token == "" && strings.Contains(err.Error(), test.err),
				"token %q, error %v, want %q", token, err, test.err)
			expect.That(t, err == nil || !strings.Contains(err.Error(), "hunter2") && !strings.Contains(err.Error(), string(secret)),
				"error shows a secret: %v", err)
		})
	}
}

// TestLifetime: a token that is signed with the secret is valid for 366 days at
// most, with any signer. The lifetime of an issuer's tokens is not checked.
func TestLifetime(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	g, now := guard(t, withSecret()), time.Now()
	for _, test := range []struct {
		name   string
		claims jwt.Claims
		passes bool
	}{
		{"366 days", claims("iat", now.Unix(), "exp", now.Add(366*day).Unix()), true},
		{"400 days", claims("iat", now.Unix(), "exp", now.Add(400*day).Unix()), false},
		{"400 days, most of them over", claims("iat", now.Add(-399*day).Unix(), "exp", now.Add(day).Unix()), false},
		{"without iat, 366 days left", claims("iat", nil, "exp", now.Add(366*day).Unix()), true},
		{"without iat, 400 days left", claims("iat", nil, "exp", now.Add(400*day).Unix()), false},
		{"a thousand years", claims("iat", now.Unix(), "exp", now.Add(day).Unix()+1000*365*86400), false},
	} {
		answer := ask(g, "Bearer "+hs256(t, test.claims))
		if test.passes {
			passes(t, answer, "ada", both...)
		} else {
			refusedAs(t, answer, "lifetime", "")
		}
	}
	issued := claims("iat", now.Unix(), "exp", now.Add(400*day).Unix())
	passes(t, ask(guard(t, withIssuer(newIssuer(jwk("r", rsaKey().Public())))), rs256(t, issued, "kid", "r")), "ada", both...)
}

// For any header the answer is 401, or the identity of a valid token.
func FuzzAuthorization(f *testing.F) {
	valid := hs256(f, claims())
	for _, s := range []string{"", "Bearer", "Bearer " + valid, "Basic YTpi", "Bearer ..", "Bearer \x00", "Bearer ünï.x.y", "bearer " +
		raw(`{"alg":"none"}`, `{}`, "")} {
		f.Add(s, "")
	}
	f.Add("Bearer "+valid, "Bearer "+valid)
	f.Add("Bearer "+raw(`{"alg":"HS256","crit":["x"],"kid":7}`, `{"exp":1e400,"aud":{},"nbf":-1}`, "x"), "")
	o := withSecret()
	byIssuer := withIssuer(newIssuer(jwk("a", rsaKey().Public())))
	ctx, cancel := context.WithCancel(context.Background())
	f.Cleanup(cancel)
	var guards []*auth.Guard
	for _, o := range []auth.Options{o, byIssuer} {
		g, err := auth.New(ctx, o)
		expect.NoError(f, err)
		guards = append(guards, g)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		headers := []string{first}
		if second != "" {
			headers = append(headers, second)
		}
		for _, g := range guards {
			a := ask(g, headers...)
			switch {
			case a.passed && !strings.HasSuffix(strings.TrimRight(first, " "), valid):
				t.Errorf("%q passed as %+v", headers, a.who)
			case !a.passed && a.Code != http.StatusUnauthorized:
				t.Errorf("%q: status %d", headers, a.Code)
			case !a.passed && strings.ContainsAny(a.Header().Get("WWW-Authenticate"), "\x00\r\n"):
				t.Errorf("%q: challenge %q", headers, a.Header().Get("WWW-Authenticate"))
			}
		}
	})
}

func BenchmarkSecret(b *testing.B) {
	benchmark(b, withSecret(), hs256(b, claims()))
}

func BenchmarkIssuer(b *testing.B) {
	i := newIssuer(jwk("r", rsaKey().Public()), jwk("e", p256().Public()))
	b.Run("RS256", func(b *testing.B) {
		benchmark(b, withIssuer(i), sign(b, jwt.SigningMethodRS256, rsaKey(), claims(), "kid", "r"))
	})
	b.Run("ES256", func(b *testing.B) {
		benchmark(b, withIssuer(i), sign(b, jwt.SigningMethodES256, p256(), claims(), "kid", "e"))
	})
}

func benchmark(b *testing.B, o auth.Options, token string) {
	o.Log = slog.New(slog.DiscardHandler)
	passed := 0
	h := guard(b, o).Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed++ }))
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		h.ServeHTTP(w, r)
		n++
	}
	if passed != n {
		b.Fatalf("%d of %d passed: %s", passed, n, w.Body)
	}
}

package auth

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/golang-jwt/jwt/v5"
)

const (
	// keysAge is how long a key stays valid after the issuer withdrew it.
	keysAge = 15 * time.Minute
	// keysInterval is the minimum time between two readings that tokens with an unknown key cause: any client can invent a key name.
	keysInterval = 10 * time.Second
)

// A keySet has the keys of an issuer that can verify a token here.
type keySet struct {
	at   string // URL
	keys []jwkset.JWK
}

func (s *keySet) find(name string) (jwkset.JWK, bool) {
	i := slices.IndexFunc(s.keys, func(k jwkset.JWK) bool { return k.Marshal().KID == name })
	if i < 0 {
		return jwkset.JWK{}, false
	}
	return s.keys[i], true
}

// key returns the key that must have signed t; all keys if t names none. Its error is unavailable if the keys cannot be read now.
func (i *issuer) key(ctx context.Context, t *jwt.Token) (any, error) {
	set, err := i.keys(ctx)
	if err != nil {
		return nil, err
	}
	kid, named := t.Header["kid"]
	if !named {
		var all jwt.VerificationKeySet
		for _, k := range set.keys {
			all.Keys = append(all.Keys, k.Key())
		}
		return all, nil
	}
	name, isText := kid.(string)
	if !isText {
		return nil, errors.New("the name of the key is not a text")
	}
	k, found := set.find(name)
	if !found {
		if k, err = i.newKey(ctx, name); err != nil {
			return nil, err
		}
	}
	if alg := k.Marshal().ALG.String(); alg != "" && alg != t.Method.Alg() {
		return nil, errors.New("the key is for another algorithm")
	}
	return k.Key(), nil
}

// newKey asks the issuer for a key that is not known. All requests with a new key wait for the same reading of the set. It is not read
// again within keysInterval.
func (i *issuer) newKey(ctx context.Context, name string) (jwkset.JWK, error) {
	if !i.take(ctx) {
		return jwkset.JWK{}, unavailable{keysInterval}
	}
	defer func() { <-i.turn }()
	k, found := i.known.Load().find(name)
	if !found && time.Until(i.retryAt) <= 0 {
		i.retryAt = time.Now().Add(keysInterval)
		i.reread()
		k, found = i.known.Load().find(name)
	}
	switch {
	case found:
		return k, nil
	case i.failing:
		return k, unavailable{keysInterval}
	}
	return k, errors.New("the issuer has no key of this name")
}

// refresh reads the keys again every keysAge.
func (i *issuer) refresh() {
	again := time.NewTicker(keysAge)
	defer again.Stop()
	for {
		select {
		case <-i.ctx.Done():
			return
		case <-again.C:
			i.turn <- struct{}{}
			i.reread()
			<-i.turn
		}
	}
}

// reread reads the keys again. The caller holds the turn.
func (i *issuer) reread() {
	set, err := i.readKeys(i.known.Load().at)
	switch {
	case err == nil:
		i.known.Store(set)
		i.failing = false
	case i.ctx.Err() == nil:
		i.failing = true
		i.log.WarnContext(i.ctx, "the issuer's keys cannot be read again; the known keys stay valid", "cause", err)
	}
}

// readKeys reads the key set at a URL. It ignores each key that cannot be read, or that verifies no token here: the others stay valid.
func (i *issuer) readKeys(at string) (*keySet, error) {
	ctx, cancel := context.WithTimeout(i.ctx, issuerTimeout)
	defer cancel()
	var read struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := i.get(ctx, at, &read); err != nil {
		return nil, err
	}
	set := &keySet{at: at}
	bad, last := 0, error(nil)
	for _, raw := range read.Keys {
		k, err := jwkset.NewJWKFromRawJSON(raw, jwkset.JWKMarshalOptions{Private: true},
			jwkset.JWKValidateOptions{SkipUse: true, SkipKeyOps: true})
		switch {
		case err != nil:
			bad, last = bad+1, err
		case verifies(k):
			set.keys = append(set.keys, k)
		}
	}
	if bad > 0 {
		i.log.WarnContext(ctx, "keys of the issuer cannot be read and are ignored", "keys", bad, "cause", last)
	}
	if len(set.keys) == 0 {
		i.log.WarnContext(ctx, "the issuer has no key for RS256 or ES256: no token is valid", "keys", len(read.Keys))
	}
	return set, nil
}

// verifies reports whether k is a key for RS256 or ES256 and for nothing else. It refuses symmetric keys, with which every reader of the
// set could sign, and private keys, which are not secret in a public set.
func verifies(k jwkset.JWK) bool {
	m := k.Marshal()
	if m.USE != "" && m.USE != jwkset.UseSig {
		return false
	}
	if len(m.KEYOPS) > 0 && !slices.Contains(m.KEYOPS, jwkset.KeyOpsVerify) {
		return false
	}
	switch key := k.Key().(type) {
	case *rsa.PublicKey:
		// RFC 7518, section 3.3, requires 2048 bits; much longer keys are slow to verify.
		bits := key.N.BitLen()
		return bits >= 2048 && bits <= 8192 && (m.ALG == "" || m.ALG == jwkset.AlgRS256)
	case *ecdsa.PublicKey:
		return key.Curve == elliptic.P256() && (m.ALG == "" || m.ALG == jwkset.AlgES256)
	}
	return false
}

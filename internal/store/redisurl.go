package store

import (
	"errors"
	"net/url"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// CheckRedisURL returns an error unless Options.RedisURL accepts a URL: redis://, rediss:// (TLS) or unix:// with optional user, password
// and database. The error says what is wrong and shows no part of the URL: in a malformed URL any part may be the password.
func CheckRedisURL(address string) error {
	_, err := redisOptions(address)
	return err
}

// redisOptions returns the options of a URL. It does not wrap the errors of the parsers, which quote the URL.
func redisOptions(address string) (*redis.Options, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the Redis URL cannot be read: special characters of the user and the password must be percent-encoded")
	}
	if err := checkForm(u); err != nil {
		return nil, err
	}
	o, err := redis.ParseURL(address)
	if err != nil || o.DB < 0 {
		return nil, errors.New("the database of the Redis URL must be a number from 0 on, and skip_verify true or false")
	}
	return o, nil
}

// checkForm returns an error if the form of a Redis URL is wrong.
func checkForm(u *url.URL) error {
	switch {
	case u.Scheme != "redis" && u.Scheme != "rediss" && u.Scheme != "unix":
		return errors.New("the Redis URL must begin with redis://, rediss:// or unix://")
	case u.Opaque != "" || u.Fragment != "":
		return errors.New("the Redis URL must be redis://user:password@host:port/db, and special characters be percent-encoded")
	case u.Scheme == "unix" && (u.Host != "" || u.Path == ""):
		return errors.New("the Redis URL must be unix://user:password@/path/of/the.sock?db=0")
	case u.Scheme != "unix" && u.Hostname() == "":
		return errors.New("the Redis URL names no host")
	}
	return checkParts(u)
}

// checkParts returns an error if the port or the options of a Redis URL are wrong.
func checkParts(u *url.URL) error {
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return errors.New("the port of the Redis URL must be a number from 1 to 65535")
		}
	}
	for option := range u.Query() {
		// Other options would override those that the store sets.
		if option != "db" && (option != "skip_verify" || u.Scheme != "rediss") {
			return errors.New("the Redis URL may have the options db and, with rediss://, skip_verify")
		}
	}
	return nil
}

// publicAddress returns a URL without its secrets, or "" if it cannot be read.
func publicAddress(address string) string {
	o, err := redisOptions(address)
	if err != nil {
		return ""
	}
	return redisAddress(o)
}

// redisAddress returns the address of the server as a URL without user and password.
func redisAddress(o *redis.Options) string {
	switch db := strconv.Itoa(o.DB); {
	case o.Network == "unix":
		return "unix://" + o.Addr + "?db=" + db
	case o.TLSConfig != nil:
		return "rediss://" + o.Addr + "/" + db
	default:
		return "redis://" + o.Addr + "/" + db
	}
}

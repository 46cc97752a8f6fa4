package store

import (
	"errors"
	"net/url"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// CheckRedisURL tells whether a URL is one that Options.RedisURL takes:
// redis://, rediss:// (TLS) or unix:// with, as needed, user, password and
// database. The error says what is wrong and shows nothing of the URL: any part
// of one that is written wrongly may be the password.
func CheckRedisURL(address string) error {
	_, err := redisOptions(address)
	return err
}

// redisOptions are what a URL says. The errors of the parsers, which quote it,
// are not wrapped.
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

// checkForm returns what is wrong with the form of a Redis URL.
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

// checkParts returns what is wrong with the port or the options of a Redis URL.
func checkParts(u *url.URL) error {
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return errors.New("the port of the Redis URL must be a number from 1 to 65535")
		}
	}
	for option := range u.Query() {
		// The others would set what the store sets itself.
		if option != "db" && (option != "skip_verify" || u.Scheme != "rediss") {
			return errors.New("the Redis URL may have the options db and, with rediss://, skip_verify")
		}
	}
	return nil
}

// shownAddress is what may be shown of a URL.
func publicAddress(address string) string {
	o, err := redisOptions(address)
	if err != nil {
		return ""
	}
	return redisAddress(o)
}

// redisAddress is what may be shown of a URL: where the server is.
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

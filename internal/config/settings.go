package config

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Setting describes one setting for documents.
type Setting struct {
	// Variable is the environment variable; empty: none.
	Variable string
	// Flag is the flag, without its dashes; empty for a secret.
	Flag string
	// Default is the default as a user would write it; empty: none, or described by Usage.
	Default string
	// Usage describes the setting.
	Usage string
	// Section is the heading in documents.
	Section string
	// Secret reports that it is kept out of logs, messages and command lines.
	Secret bool
}

// Settings returns all settings, in the order of Config.
func Settings() ([]Setting, error) {
	c, err := Read(nil)
	if err != nil {
		return nil, err
	}
	var settings []Setting
	forEachField(c, func(tag reflect.StructTag, field any) {
		s := Setting{Variable: tag.Get("env"), Flag: tag.Get("flag"), Usage: tag.Get("usage"), Section: tag.Get("section")}
		switch v := field.(type) {
		case *Secret:
			s.Secret = true
		case *time.Duration:
			s.Default = duration(*v)
		case *[]string:
			s.Default = strings.Join(*v, ",")
		case *string:
			s.Default = *v
		case *int:
			if *v != 0 { // the usage describes 0
				s.Default = fmt.Sprint(*v)
			}
		case *int64:
			s.Default = fmt.Sprint(*v)
		case *float64:
			s.Default = fmt.Sprint(*v)
		}
		settings = append(settings, s)
	})
	return settings, nil
}

// duration formats a duration as people write it: 24h, not 24h0m0s.
func duration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = strings.TrimSuffix(text, zero[1:])
		}
	}
	return text
}

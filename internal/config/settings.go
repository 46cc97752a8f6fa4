package config

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Setting is one thing that a user can set, as documents show it.
type Setting struct {
	// Variable of the environment that sets it; empty: none does.
	Variable string
	// Flag that sets it, without its dashes; empty for a secret.
	Flag string
	// Default as it would be written; empty: nothing, or what Usage says.
	Default string
	// Usage tells what it sets.
	Usage string
	// Section is the title that it stands under.
	Section string
	// Secret tells that it is kept out of logs, messages and command lines.
	Secret bool
}

// Settings lists everything that can be set, in the order of Config.
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
			if *v != 0 { // whose meaning the usage tells
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

// duration writes a duration as people do: 24h, not 24h0m0s.
func duration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = strings.TrimSuffix(text, zero[1:])
		}
	}
	return text
}

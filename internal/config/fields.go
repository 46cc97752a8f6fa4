package config

import (
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// forEachField calls f with the tag of every setting and a pointer to its field.
func forEachField(c *Config, f func(tag reflect.StructTag, field any)) {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		f(v.Type().Field(i).Tag, v.Field(i).Addr().Interface())
	}
}

func variableOf(field string) string {
	f, _ := reflect.TypeFor[Config]().FieldByName(field)
	return f.Tag.Get("env")
}

// sourceNames returns the names of all sources, sorted.
func sourceNames() (names []string) {
	forEachField(&Config{}, func(tag reflect.StructTag, _ any) {
		if name := tag.Get("source"); name != "" {
			names = append(names, name)
		}
	})
	slices.Sort(names)
	return names
}

// validateTags returns an error for the first setting that does not pass the check of its tag valid.
func (c *Config) validateTags() (err error) {
	forEachField(c, func(tag reflect.StructTag, field any) {
		if err != nil {
			return
		}
		switch tag.Get("valid") {
		case "url":
			if text := *field.(*string); !isHTTP(text) {
				err = invalid(tag.Get("env"), text, "an http or https URL")
			}
		case "rate":
			if rate := *field.(*float64); !between(rate, 0.001, 1000) {
				err = invalid(tag.Get("env"), rate, "from 0.001 to 1000")
			}
		}
	})
	return err
}

func isHTTP(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && oneOf(u.Scheme, "https", "http")
}

// DefaultToolsets reports whether the toolsets are those of the default.
func (c *Config) DefaultToolsets() bool {
	f, _ := reflect.TypeFor[Config]().FieldByName("Toolsets")
	return strings.Join(c.Toolsets, ",") == f.Tag.Get("envDefault")
}

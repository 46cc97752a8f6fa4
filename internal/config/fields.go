package config

import "reflect"

// each calls f with every setting: its flag, what it does, the variable of the
// environment (empty: none) and a pointer to its field.
func each(c *Config, f func(flag, usage, variable string, field any)) {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		f(tag.Get("flag"), tag.Get("usage"), tag.Get("env"), v.Field(i).Addr().Interface())
	}
}

// variableOf returns the variable of the environment that sets a field.
func variableOf(field string) string {
	f, _ := reflect.TypeFor[Config]().FieldByName(field)
	return f.Tag.Get("env")
}

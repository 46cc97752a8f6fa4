package criteria

import (
	"slices"
	"strconv"
	"strings"
)

// molar maps measures to the mmol/l that one g/dl is.
var molar = map[string]float64{"creatinine": 88.4, "glucose": 1000 / 18.02, "bilirubin": 17.1}

// conventional are the dimensions that people write without a unit.
var conventional = []string{"flow", "bmi", "percent", "pressure", "rate", "short", "points", "none", "temperature", "lines"}

// Convert returns a value of a measure in another unit. It converts between units of one dimension, those of HbA1c, and the
// molar units of three measures. A missing unit is the conventional one, where a measure has one.
func Convert(what string, value float64, from, to string) (converted float64, ok bool) {
	t := tables()
	a, b := t.byName[from], t.byName[to]
	switch {
	case from == to:
		return value, true
	case from == "" || to == "":
		return value, conventionalUnit(t.measures[what], t.byName[from+to])
	case a == nil || b == nil:
		return 0, false
	case a.dimension == b.dimension:
		return value * a.factor / b.factor, true
	}
	switch a.dimension + " " + b.dimension {
	case "mmolmol percent":
		return 0.09148*value + 2.152, true
	case "percent mmolmol":
		return (value - 2.152) / 0.09148, true
	case "concentration molar":
		return value * a.factor * molar[what] / b.factor, molar[what] > 0
	case "molar concentration":
		return value * a.factor / max(molar[what], 1e-9) / b.factor, molar[what] > 0
	case "temperature_f temperature":
		return (value - 32) / 1.8, true
	case "temperature temperature_f":
		return value*1.8 + 32, true
	}
	return 0, false
}

// conventionalUnit reports whether people leave out a unit of a measure.
func conventionalUnit(m *measure, u *unit) bool {
	return m != nil && u != nil && u.dimension == m.dimensions[0] && slices.Contains(conventional, m.dimensions[0])
}

// Usual returns the unit of a number that stands without one, where its size leaves no other: platelets > 50,000; hemoglobin < 8.
func Usual(what string, value float64) string {
	switch what {
	case "platelets", "neutrophils", "wbc", "lymphocytes":
		if value >= 500 {
			return "cells/ul"
		}
	case "hemoglobin":
		if value >= 3 && value <= 20 {
			return "g/dl"
		}
	case "potassium", "sodium":
		return "mmol/l"
	}
	return ""
}

// Possible reports whether a value can be that of a person. A limit beyond is a slip of the record.
func Possible(what string, value float64, name string) bool {
	m, u := tables().measures[what], tables().byName[name]
	if m == nil || u == nil || u.dimension != m.dimensions[0] {
		return true
	}
	base := value * u.factor
	return base <= m.high && (base >= m.low || value == 0)
}

// Measured reports whether a limit that Values returned is the measured value of a person: a known measure in an understood unit, or
// another measure with a number. A class that is a number is its value, too.
func (l *Limit) Measured() bool {
	if l.Low == nil && len(l.Values) == 1 {
		if value, err := strconv.ParseFloat(l.Values[0], 64); err == nil {
			l.Low = &value
		}
		return true
	}
	m := tables().measures[l.What]
	switch {
	case !l.Bare || l.What == "age" || l.What == "window" || l.What == "duration":
		return false
	case m == nil:
		return l.What == "other" && Measure(l.Name) == ""
	}
	return l.Unit != "" || slices.Contains(conventional, m.dimensions[0])
}

// Measure returns the measure that a name is for, or "".
func Measure(name string) string {
	tokens := lex(strings.Join(plainWords(name), " "))
	if what, to := tables().names.find(tokens, 0, nil); to == len(tokens) && what != "other" {
		return what
	}
	return ""
}

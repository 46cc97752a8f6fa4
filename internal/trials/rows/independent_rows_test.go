package rows_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Row is a row of a table by column. Its numbers are float64.
type Row map[string]any

// set sets a column unless the value is empty.
func (r Row) set(column string, v any) {
	switch v := v.(type) {
	case string:
		if v == "" {
			return
		}
	case *float64:
		if v != nil {
			r[column] = *v
		}
		return
	case []any:
		if len(v) == 0 {
			return
		}
	}
	r[column] = v
}

var (
	plainText = regexp.MustCompile(`^-?(\d+(\.\d*)?|\.\d+)$`)
	notFolded = regexp.MustCompile(`[^\p{L}\p{Nd}]+`)
	pText     = regexp.MustCompile(`^(<=|>=|<|>|=|≤|≥|) *(\d+\.?\d*|\.\d+)$`)
)

func parse(s string) *float64 {
	if !plainText.MatchString(s) {
		return nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil
	}
	return &x
}

// role returns the type of the one registered arm with the letters and digits of a title.
func role(raw any, title string) string {
	fold := func(s string) string { return strings.ToLower(notFolded.ReplaceAllString(s, "")) }
	var types []string
	for _, arm := range list(raw, "protocolSection", "armsInterventionsModule", "armGroups") {
		if fold(title) != "" && fold(text(arm, "label")) == fold(title) {
			types = append(types, text(arm, "type"))
		}
	}
	if len(types) != 1 {
		return ""
	}
	return types[0]
}

// A gridRow is a row of a measure: a category of a class.
type gridRow struct {
	class, category string
	cells           map[string]any
	denoms          []any
}

// grid returns the rows of a measure.
func grid(m any) (rows []gridRow) {
	for _, class := range list(m, "classes") {
		categories := list(class, "categories")
		if len(categories) == 0 && (text(class, "title") != "" || len(list(class, "denoms")) > 0) {
			categories = []any{map[string]any{}}
		}
		for _, category := range categories {
			row := gridRow{text(class, "title"), text(category, "title"), map[string]any{}, list(class, "denoms")}
			for _, v := range list(category, "measurements") {
				if row.cells[text(v, "groupId")] == nil {
					row.cells[text(v, "groupId")] = v
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// analyzedIn returns the number analyzed in a group: that of its class before that of the measure, in the units of the measure.
func analyzedIn(m any, class []any, group string) *float64 {
	units := unitsOf(m)
	for _, denoms := range [][]any{class, list(m, "denoms")} {
		for _, d := range denoms {
			for _, c := range list(d, "counts") {
				if text(d, "units") == units && text(c, "groupId") == group && text(c, "value") != "" {
					return parse(strings.ReplaceAll(text(c, "value"), ",", ""))
				}
			}
		}
	}
	return nil
}

// unitsOf returns the units of a measure: those that it selects, if it lists them, else the first ones.
func unitsOf(m any) string {
	first := ""
	for i, d := range list(m, "denoms") {
		units := text(d, "units")
		if units == text(m, "denomUnitsSelected") {
			return units
		}
		if i == 0 {
			first = units
		}
	}
	return first
}

// A sample is the numbers of one group in one row.
type sample struct {
	posted                                 string
	n, value, count, mean, sd, se, derived *float64
}

func readSample(m any, row *gridRow, group string) (s sample) {
	var own []any
	if row != nil {
		own = row.denoms
	}
	if s.n = analyzedIn(m, own, group); row == nil || row.cells[group] == nil {
		return s
	}
	cell := row.cells[group]
	s.posted = text(cell, "value")
	if s.value = parse(s.posted); s.value == nil {
		return s
	}
	dispersion := text(m, "dispersionType")
	switch kind := parameterKind(m); kind {
	case "count":
		if v := *s.value; s.n != nil && v >= 0 && v <= *s.n && v == math.Floor(v) {
			s.count = s.value
		}
	case "mean", "model":
		s.mean = s.value
		s.disperse(cell, dispersion, kind)
	}
	return s
}

// disperse sets the standard deviation or error of a mean.
func (s *sample) disperse(cell any, dispersion, kind string) {
	if strings.HasPrefix(dispersion, "Standard") {
		spread := parse(text(cell, "spread"))
		if dispersion == "Standard Deviation" {
			s.sd = spread
		} else {
			s.se = spread
		}
	}
	if kind == "mean" && s.sd == nil && s.n != nil && *s.n >= 2 {
		low, high := parse(text(cell, "lowerLimit")), parse(text(cell, "upperLimit"))
		level, isInterval := strings.CutSuffix(dispersion, "% Confidence Interval")
		switch {
		case s.se != nil:
			sd := *s.se * math.Sqrt(*s.n)
			s.derived = &sd
		case isInterval && low != nil && high != nil && *low < *high:
			p, _ := strconv.ParseFloat(level, 64)
			sd := math.Sqrt(*s.n) * (*high - *low) / 2 / student(p/100, *s.n-1)
			s.derived = &sd
		}
	}
}

// student returns the t between whose negative and positive Student's distribution has a level, by integrating its density.
func student(level, degrees float64) float64 {
	logGamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	scale := math.Exp(logGamma((degrees+1)/2)-logGamma(degrees/2)) / math.Sqrt(degrees*math.Pi)
	inside := func(t float64) float64 { // Simpson's rule over the angle, in which the density is smooth
		const steps = 600
		end, sum := math.Atan(t/math.Sqrt(degrees)), 0.0
		for i := range steps + 1 {
			weight := []float64{2, 4}[i%2]
			if i == 0 || i == steps {
				weight = 1
			}
			sum += weight * math.Pow(math.Cos(end*float64(i)/steps), degrees-1)
		}
		return 2 * scale * math.Sqrt(degrees) * sum * end / steps / 3
	}
	low, high := 0.0, 1000.0
	for range 60 {
		if middle := (low + high) / 2; inside(middle) < level {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// Comparisons returns the rows of a raw record: its posted analyses.
func Comparisons(raw map[string]any) (rows []Row) {
	for i, m := range list(raw, "resultsSection", "outcomeMeasuresModule", "outcomeMeasures") {
		for j, a := range list(m, "analyses") {
			row := Row{
				"nct_id": "NCT:" + text(raw, "protocolSection", "identificationModule", "nctId")[3:], "outcome": float64(i + 1),
				"analysis": float64(j + 1), "group_count": float64(len(list(a, "groupIds"))),
			}
			for column, v := range map[string]string{
				"outcome_type": text(m, "type"), "outcome_title": text(m, "title"), "time_frame": text(m, "timeFrame"),
				"unit": text(m, "unitOfMeasure"), "parameter": text(m, "paramType"), "measure": measureName(text(a, "paramType")),
				"estimate_type": text(a, "paramType"), "method": text(a, "statisticalMethod"), "hypothesis": text(a, "nonInferiorityType"),
			} {
				row.set(column, v)
			}
			row.describe(text(a, "groupDescription"))
			row.numbers(a)
			row.compare(raw, m, a, j)
			rows = append(rows, row)
		}
	}
	return rows
}

// describe sets the description, which ends at a word within 200 characters.
func (r Row) describe(full string) {
	letters := []rune(full)
	if len(letters) > 200 {
		end := 199
		for at := 199; at > 0; at-- {
			if letters[at] == ' ' || letters[at] == '\n' {
				end = at
				break
			}
		}
		full = strings.TrimRight(string(letters[:end]), " \n") + "…"
	}
	r.set("description", full)
}

// numbers sets the posted numbers of an analysis.
func (r Row) numbers(a any) {
	var left []any
	for _, field := range [][2]string{
		{"estimate", "paramValue"}, {"lower", "ciLowerLimit"}, {"upper", "ciUpperLimit"}, {"ci_percent", "ciPctValue"},
	} {
		posted := text(a, field[1])
		if r.set(field[0], parse(posted)); r[field[0]] == nil && posted != "" {
			left = append(left, field[0]+": "+posted)
		}
	}
	switch text(a, "ciNumSides") {
	case "ONE_SIDED":
		r["ci_sides"] = 1.0
	case "TWO_SIDED":
		r["ci_sides"] = 2.0
	}
	if text(a, "dispersionType") == "STANDARD_ERROR_OF_MEAN" {
		r.set("sei", parse(text(a, "dispersionValue")))
	}
	posted := text(a, "pValue")
	if p := pText.FindStringSubmatch(posted); p != nil {
		r["p_operator"] = strings.NewReplacer("≤", "<=", "≥", ">=").Replace(p[1])
		if p[1] == "" {
			r["p_operator"] = "="
		}
		r.set("p_value", parse(p[2]))
	} else if posted != "" {
		left = append(left, "p_value: "+posted)
	}
	r.set("as_posted", left)
}

// compare sets the groups of an analysis, their cells, and the result of the check.
func (r Row) compare(raw map[string]any, m, a any, index int) {
	ids := list(a, "groupIds")
	var others []any
	for i, id := range ids {
		title := text(list(m, "groups")[placeOf(list(m, "groups"), id.(string))-1], "title")
		if i > 1 {
			others = append(others, title)
			continue
		}
		r.set(fmt.Sprint("group_", i+1), title)
		r.set(fmt.Sprint("role_", i+1), role(raw, title))
	}
	r.set("other_groups", others)
	two := len(ids) == 2 && ids[0] != ids[1]
	rows := grid(m)
	var row *gridRow
	if two {
		row = r.choose(rows, m, ids, index)
	}
	var samples []sample
	for _, id := range ids {
		samples = append(samples, readSample(m, row, id.(string)))
	}
	if row != nil {
		r.set("class", row.class)
		r.set("category", row.category)
	}
	for i, columns := range [][6]string{
		{"n1i", "ai", "m1i", "sd1i", "sd1i_computed"}, {"n2i", "ci", "m2i", "sd2i", "sd2i_computed"},
	} {
		if len(samples) > 2 || i >= len(samples) {
			continue
		}
		s := samples[i]
		for k, v := range []*float64{s.n, s.count, s.mean, s.sd, s.derived} {
			r.set(columns[k], v)
		}
	}
	r.judge(m, text(a, "paramValue"), two, rows, samples)
}

// choose returns the row with the cells of an analysis, and sets how it is known.
func (r Row) choose(rows []gridRow, m any, ids []any, index int) *gridRow {
	if len(rows) == 1 {
		r["row_by"] = "only"
		return &rows[0]
	}
	same, place := 0, 0
	for i, other := range list(m, "analyses") {
		if slices.Equal(list(other, "groupIds"), ids) {
			if same++; i == index {
				place = same - 1
			}
		}
	}
	if len(rows) == 0 || same != len(rows) {
		return nil
	}
	r["row_by"] = "position"
	return &rows[place]
}

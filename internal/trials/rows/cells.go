// Package rows makes flat tables from the posted results of a trial, ready for a meta-analysis: its analyses (comparisons) and its cells
// (arms). It asks no source, and knows no argument: it never converts a unit, merges groups or pools values.
package rows

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// The kinds of cells that formulas read.
const (
	unknownCells = iota
	meanCells
	modelMeanCells // least-squares means
	geometricCells
	countCells
	percentCells
	proportionCells
)

// countUnits are the units of a NUMBER that counts people.
var countUnits = []string{"participants", "participant", "subjects", "patients", "number of participants", "number of subjects",
	"number of patients", "count of participants"}

// shares matches the unit of a NUMBER that is a part of the people.
var shares = lazyregexp.New(`^(?:percent|%|(proportion)).*\b(?:participants?|subjects|patients)\b`)

// cellKind returns the kind of the cells of a measure.
func cellKind(m *entity.ResultMeasure) int {
	switch m.Parameter {
	case "MEAN":
		return meanCells
	case "LEAST_SQUARES_MEAN":
		return modelMeanCells
	case "GEOMETRIC_MEAN", "GEOMETRIC_LEAST_SQUARES_MEAN":
		return geometricCells
	case "COUNT_OF_PARTICIPANTS", "COUNT_OF_UNITS":
		return countCells
	case "NUMBER":
		unit := strings.ToLower(strings.TrimSpace(m.Unit))
		if slices.Contains(countUnits, unit) {
			return countCells
		}
		if found := shares.FindStringSubmatch(unit); found != nil && found[1] != "" {
			return proportionCells
		} else if found != nil {
			return percentCells
		}
	}
	return unknownCells
}

// figures are the numbers of a cell. A number that the cell does not have is nil.
type figures struct {
	n               *int // analyzed in the class of the row, else in the measure
	value           *float64
	half            float64 // half a unit of the last digit of value
	count           *int    // of people or units; nil without n, or if it is above n
	mean            *float64
	sd, se, derived *float64 // derived is the standard deviation that follows from se or an interval
}

// readCell returns the numbers of a cell. A nil cell is a group without a cell in the row.
func readCell(m *entity.ResultMeasure, group int, cell *entity.ResultCell) figures {
	var f figures
	if group >= 1 && group <= len(m.Groups) {
		f.n = wholeNumber(m.Groups[group-1].Analyzed)
	}
	if cell == nil {
		return f
	}
	if cell.Analyzed != "" {
		f.n = wholeNumber(cell.Analyzed)
	}
	f.value, f.half = readNumber(cell.Value), halfUnit(cell.Value)
	if f.value == nil {
		return f
	}
	switch kind := cellKind(m); kind {
	case countCells:
		if v := *f.value; f.n != nil && v >= 0 && v <= float64(*f.n) && v == math.Trunc(v) {
			f.count = new(int(v))
		}
	case meanCells, modelMeanCells:
		f.readMean(m.Dispersion, cell, kind == meanCells)
	}
	return f
}

// readMean sets the mean and its dispersion. The standard deviation follows only from the dispersion of a plain mean, not of a model's.
func (f *figures) readMean(dispersion string, cell *entity.ResultCell, isPlain bool) {
	f.mean = f.value
	switch dispersion {
	case "Standard Deviation":
		f.sd = readNumber(cell.Spread)
	case "Standard Error":
		f.se = readNumber(cell.Spread)
	}
	if isPlain && f.sd == nil {
		f.derived = f.deviation(dispersion, cell)
	}
}

// intervals matches the name of a two-sided interval of a mean, with its level.
var intervals = lazyregexp.New(`^(\d+(?:\.\d+)?) ?% Confidence Interval$`)

// deviation returns the standard deviation of a mean that follows from its standard error or its interval; nil if none does.
func (f *figures) deviation(dispersion string, cell *entity.ResultCell) *float64 {
	if f.n == nil || *f.n < 2 {
		return nil
	}
	root := math.Sqrt(float64(*f.n))
	if f.se != nil && *f.se >= 0 {
		return significant(root * *f.se)
	}
	interval, lower, upper := intervals.FindStringSubmatch(dispersion), readNumber(cell.Lower), readNumber(cell.Upper)
	if interval == nil || lower == nil || upper == nil || *lower >= *upper {
		return nil
	}
	level, err := strconv.ParseFloat(interval[1], 64)
	if err != nil || level <= 0 || level >= 100 {
		return nil
	}
	return significant(root * (*upper - *lower) / (2 * studentQuantile(1-(1-level/100)/2, *f.n-1)))
}

// oneReading matches a number with one reading only.
var oneReading = lazyregexp.New(`^-?(?:[0-9]+\.?([0-9]*)|\.([0-9]+))$`)

// readNumber returns the number in a text; nil if the text has no single reading.
func readNumber(text string) *float64 {
	if !oneReading.MatchString(text) {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil // too large
	}
	return &n
}

// halfUnit returns half a unit of the last digit of a plain number.
func halfUnit(text string) float64 {
	digits := oneReading.FindStringSubmatch(text)
	if digits == nil {
		return 0
	}
	return 0.5 * math.Pow10(-len(digits[1]+digits[2]))
}

// wholeNumber returns a denominator, in which commas are thousands; nil if the text is not one.
func wholeNumber(text string) *int {
	n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

// significant returns a computed number with six significant digits; nil for a number that JSON cannot have.
func significant(x float64) *float64 {
	n, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return nil
	}
	return &n
}

// roles maps the letters and digits of a label to the type of the one registered arm that has them.
type roles map[string]entity.ArmGroupType

func rolesOf(arms []entity.Arm) roles {
	byLabel := roles{}
	for i := range arms {
		label := lettersAndDigits(arms[i].Label)
		if _, known := byLabel[label]; known || label == "" {
			byLabel[label] = "" // several arms
		} else {
			byLabel[label] = arms[i].Type
		}
	}
	return byLabel
}

// of returns the type of the arm with the title of a group; "" if not exactly one arm has it.
func (r roles) of(title string) entity.ArmGroupType { return r[lettersAndDigits(title)] }

// lettersAndDigits returns the letters and digits of a text in lower case.
func lettersAndDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

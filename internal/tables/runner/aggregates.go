package runner

import (
	"errors"
	"math"
	"slices"

	"modernc.org/sqlite"
)

// An aggregate collects the values of a column that are not NULL, and the further arguments: a fraction, and whether the largest value is
// the first one.
type aggregate struct {
	*functions
	values   []value
	fraction float64
	down     bool
	result   func(*aggregate) (value, error)
}

// Step implements sqlite.AggregateFunction.
func (a *aggregate) Step(_ *sqlite.FunctionContext, args []value) error {
	if len(args) > 1 {
		if a.fraction = asFloat(args[1]); a.fraction < 0 || a.fraction > 1 {
			return a.fail("Write a number from 0 to 1.", "the fraction of a percentile is not between 0 and 1")
		}
		a.down = asInt(args[2]) == 1
	}
	if args[0] == nil {
		return nil
	}
	if a.collected++; a.collected > maxCollected {
		return a.fail("Read fewer rows with WHERE.", "an aggregate would keep more than %d values", maxCollected)
	}
	a.values = append(a.values, args[0])
	return nil
}

// WindowInverse implements sqlite.AggregateFunction.
func (a *aggregate) WindowInverse(*sqlite.FunctionContext, []value) error {
	return errors.New("no window")
}

// WindowValue implements sqlite.AggregateFunction.
func (a *aggregate) WindowValue(*sqlite.FunctionContext) (value, error) {
	if len(a.values) == 0 {
		return nil, nil
	}
	return a.result(a)
}

// Final implements sqlite.AggregateFunction.
func (a *aggregate) Final(*sqlite.FunctionContext) {
	a.collected -= len(a.values)
	a.values = nil
}

// aggregates registers the aggregates.
func (f *functions) aggregates() error {
	for name, result := range map[string]func(*aggregate) (value, error){
		"_percentile_cont": (*aggregate).continuous,
		"_percentile_disc": (*aggregate).discrete,
		"_mode":            (*aggregate).mode,
		"_variance":        func(a *aggregate) (value, error) { return a.variance(1, false) },
		"_variance_pop":    func(a *aggregate) (value, error) { return a.variance(0, false) },
		"_stddev":          func(a *aggregate) (value, error) { return a.variance(1, true) },
		"_stddev_pop":      func(a *aggregate) (value, error) { return a.variance(0, true) },
	} {
		err := sqlite.RegisterFunction(name, &sqlite.FunctionImpl{NArgs: -1, Deterministic: true,
			MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) {
				return &aggregate{functions: f, result: result}, nil
			}})
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *aggregate) sort() {
	slices.SortFunc(a.values, compareValues)
	if a.down {
		slices.Reverse(a.values)
	}
}

// continuous returns the value at a fraction of the sorted values, between two of them if it lies there.
func (a *aggregate) continuous() (value, error) {
	a.sort()
	at := a.fraction * float64(len(a.values)-1)
	low := asFloat(a.values[int(math.Floor(at))])
	high := asFloat(a.values[int(math.Ceil(at))])
	return low + (high-low)*(at-math.Floor(at)), nil
}

// discrete returns the first of the sorted values that has at least a fraction of them before or at it.
func (a *aggregate) discrete() (value, error) {
	a.sort()
	return a.values[max(0, int(math.Ceil(a.fraction*float64(len(a.values))))-1)], nil
}

// mode returns the most frequent value, of several the first.
func (a *aggregate) mode() (value, error) {
	a.sort()
	var best value
	most := 0
	for i := 0; i < len(a.values); {
		end := i
		for end < len(a.values) && compareValues(a.values[end], a.values[i]) == 0 {
			end++
		}
		if end-i > most {
			best, most = a.values[i], end-i
		}
		i = end
	}
	return best, nil
}

// variance returns the variance, or its root. Without freedom it is NULL.
func (a *aggregate) variance(freedom int, root bool) (value, error) {
	first, mean, sum := asFloat(a.values[0]), 0.0, 0.0 // by its differences from the first value, which are exact for equal values
	for _, v := range a.values {
		mean += (asFloat(v) - first) / float64(len(a.values))
	}
	for _, v := range a.values {
		sum += (asFloat(v) - first - mean) * (asFloat(v) - first - mean)
	}
	n := len(a.values) - freedom
	if n <= 0 {
		return nil, nil
	}
	if root {
		return math.Sqrt(sum / float64(n)), nil
	}
	return sum / float64(n), nil
}

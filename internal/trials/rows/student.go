package rows

import "math"

// studentQuantile returns the t below which Student's distribution has the probability p, between 0.5 and 1, for some degrees of freedom.
func studentQuantile(p float64, degrees int) float64 {
	if degrees > 200 {
		return largeQuantile(p, float64(degrees))
	}
	low, high := 0.0, 1.0
	for studentBelow(high, degrees) < p && high < 1e9 {
		high *= 2
	}
	for range 100 {
		if middle := (low + high) / 2; studentBelow(middle, degrees) < p {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// studentBelow returns the probability of a value below t >= 0, by the finite series for whole degrees of freedom (Abramowitz and Stegun,
// 26.7.3 and 26.7.4).
func studentBelow(t float64, degrees int) float64 {
	angle := math.Atan(t / math.Sqrt(float64(degrees)))
	sine, cosine := math.Sincos(angle)
	even := degrees%2 == 0
	term, sum := sine, 0.0
	if !even {
		term *= cosine
	}
	for k := degrees % 2; k < degrees-1; k += 2 {
		sum += term
		term *= cosine * cosine * float64(k+1) / float64(k+2)
	}
	if even {
		return 0.5 + sum/2
	}
	return 0.5 + (angle+sum)/math.Pi
}

// largeQuantile returns the quantile for many degrees of freedom by its expansion around the normal one (Abramowitz and Stegun, 26.7.5).
func largeQuantile(p, degrees float64) float64 {
	x := math.Sqrt2 * math.Erfinv(2*p-1)
	y := x * x
	g1 := x * (y + 1) / 4
	g2 := x * ((5*y+16)*y + 3) / 96
	g3 := x * (((3*y+19)*y+17)*y - 15) / 384
	return x + g1/degrees + g2/(degrees*degrees) + g3/(degrees*degrees*degrees)
}

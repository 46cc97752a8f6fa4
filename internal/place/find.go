package place

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

const (
	// codesPerArea is the number of ZIP codes with the same first three digits.
	codesPerArea = 100
	// firstBatch is the number of codes that are requested first.
	firstBatch = 20
)

// codeKey returns a postal code for comparison: in lower case, without spaces and without the end of ZIP+4.
func codeKey(code string) string {
	code, _, _ = strings.Cut(code, "-")
	return strings.ToLower(strings.ReplaceAll(code, " ", ""))
}

// FirstWithSites returns the spots of the first place that has a site, and that place.
func FirstWithSites(ctx context.Context, places []Place, sites []entity.TrialLocation) (spots []Spot, at Place, err error) {
	byCode := map[string][]entity.TrialLocation{}
	for _, p := range places {
		byCode[codeKey(p.Postal)] = nil
	}
	for i := range sites {
		key := codeKey(sites[i].Zip)
		if atPlace, ok := byCode[key]; ok {
			byCode[key] = append(atPlace, sites[i])
		}
	}
	for _, p := range places {
		atPlace := byCode[codeKey(p.Postal)]
		if p.Postal == "" { // a city
			atPlace = sites
		}
		if spots, err = p.Spots(ctx, atPlace); len(spots) > 0 || err != nil {
			return spots, p, err
		}
	}
	return nil, Place{}, nil
}

// NearbyCodes returns the ZIP codes with the same first three digits, nearest numbers first, in two parts: those that most likely have a
// site, and the rest. For a place that is not a ZIP code it returns nil.
func (p Place) NearbyCodes() [][]Place {
	number, err := strconv.Atoi(p.Postal)
	if err != nil || p.Country != "United States" {
		return nil
	}
	first := number - number%codesPerArea
	var codes []Place
	for step := 1; step < codesPerArea; step++ {
		for _, n := range []int{number - step, number + step} {
			if n >= first && n < first+codesPerArea {
				codes = append(codes, Place{Postal: fmt.Sprintf("%0*d", usDigits, n), Country: p.Country})
			}
		}
	}
	return [][]Place{codes[:firstBatch], codes[firstBatch:]}
}

package drugs

import (
	"slices"
	"strings"

	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/entity"
)

// Codes returns the codes of products and of packages that a written code may be, as records have them: the parts of a package with ten
// digits are 4-4-2, 5-3-2 or 5-4-1, with eleven 5-4-2, of which one is padded with a zero. No product: it is no code.
func Codes(written string) (products, packages []string) {
	parts := strings.FieldsFunc(written, func(r rune) bool { return r == '-' || r == ' ' })
	digits := strings.Join(parts, "")
	add := func(labeler, product, pack string) {
		for _, l := range []string{labeler, strings.TrimPrefix(labeler, "0")} {
			for _, p := range []string{product, strings.TrimPrefix(product, "0")} {
				if shape := len(l)*10 + len(p); shape == 44 || shape == 53 || shape == 54 {
					products = append(products, l+"-"+p)
					packages = append(packages, l+"-"+p+"-"+pack, l+"-"+p+"-"+strings.TrimPrefix(pack, "0"))
				}
			}
		}
	}
	if len(parts) == 2 || len(parts) == 3 {
		add(parts[0], parts[1], strings.Join(parts[2:], ""))
	}
	switch {
	case len(products) > 0:
	case len(digits) == 11:
		add(digits[:5], digits[5:9], digits[9:])
	case len(digits) == 10:
		add(digits[:4], digits[4:8], digits[8:])
		add(digits[:5], digits[5:8], digits[8:])
		add(digits[:5], digits[5:9], digits[9:])
	}
	return entity.Once(products), entity.Once(packages)
}

// OfPackage returns the products that have the package of a code, or all if none has.
func OfPackage(products []api.Product, written string) (all []api.Product) {
	_, packages := Codes(written)
	for _, p := range products {
		if slices.ContainsFunc(p.Packaging, func(k api.ProductPackaging) bool { return slices.Contains(packages, k.PackageNdc) }) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return products
	}
	return all
}

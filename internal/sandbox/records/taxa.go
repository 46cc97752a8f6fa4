package records

// parentTaxa maps the taxids of the embedded organisms, and of the groups that contain them, to the next larger group. The sources find a
// gene by each of these groups.
var parentTaxa = map[uint64]uint64{
	9606: 9604, 9598: 9604, 9604: 314295, 314295: 9443, 9544: 9443, 9443: 314146, // primates
	10090: 10066, 10116: 10066, 10066: 9989, 9989: 314147, 9986: 9975, 9975: 314147, 314147: 314146, // rodents and rabbits
	314146: 9347, 9615: 33554, 33554: 9347, 9913: 91561, 9823: 91561, 91561: 9347, 9347: 40674, // other mammals
	40674: 32524, 9031: 8782, 8782: 32524, 32524: 32523, 32523: 7742, 7955: 32443, 32443: 7898, 7898: 7742, // other vertebrates
	7742: 7711, 7711: 33208, 7227: 50557, 50557: 6656, 6656: 33208, 6239: 6231, 6231: 33208, 33208: 2759, // other animals
	559292: 4932, 4932: 4751, 4751: 2759, 511145: 562,
}

// Ancestors returns the taxids of the groups that contain an organism, the nearest first.
func Ancestors(taxid uint64) (groups []uint64) {
	for at := parentTaxa[taxid]; at != 0; at = parentTaxa[at] {
		groups = append(groups, at)
	}
	return groups
}

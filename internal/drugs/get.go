package drugs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/drugs"
	"github.com/biofact-mcp/biofact/internal/source/openfda"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// The sections of get_drug that are not sections of a label.
const (
	approvals = "approvals"
	labels    = "labels"
	shortages = "shortages"
	recalls   = "recalls"
)

const (
	// maxRequests is the number of questions of one call.
	maxRequests = 4
	// maxDefault limits an answer without sections in bytes.
	maxDefault = 16_000
	// The characters of the sections that an answer without sections shows.
	maxWarning, maxIndications = 3000, 600
	// maxApplications limits the applications of an answer without sections.
	maxApplications = 10
)

// GetDrug serves get_drug.
func (s *Drugs) GetDrug(ctx context.Context, args tools.GetDrugArgs) (answer entity.Answer[entity.Drug], err error) {
	given, curie, err := readID(tools.GetDrug, args.DrugID)
	if err != nil {
		return answer, err
	}
	g := getting{reading: s.sources.OpenFDA.Read(&answer.Notes), notes: &answer.Notes, id: given, curie: curie, maxAnswer: s.maxAnswer}
	separates := func(r rune) bool { return strings.ContainsRune(",;|", r) }
	inKey := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }
	for section := range strings.FieldsFuncSeq(strings.ToLower(strings.Join(args.Sections, ",")), separates) {
		words := strings.FieldsFunc(section, func(r rune) bool { return !inKey(r) })
		name := strings.Join(words, "_")
		g.sections = append(g.sections, sectionNamed(name))
	}
	if err := g.find(ctx); err != nil {
		return answer, err
	}
	if err := g.readLabel(ctx); err != nil {
		return answer, err
	}
	drug := g.drug.Entity(g.label)
	if err := g.more(ctx, &drug); err != nil {
		return answer, err
	}
	if err := g.cut(&drug); err != nil {
		return answer, err
	}
	drug.DataDates = g.reading.Days
	for _, day := range drug.DataDates { // the oldest
		if version := &answer.Provenance.DataVersion; *version == "" || day < *version {
			*version = day
		}
	}
	answer.Value = drug
	return answer, nil
}

// A getting is a call of get_drug.
type getting struct {
	reading   *openfda.Reading
	notes     *entity.Notes
	id        openfda.ID
	curie     string
	sections  []string // requested
	maxAnswer int

	drug  *mapping.Drug
	label *mapping.Label
}

// requests reports whether the call names a section.
func (g *getting) requests(section string) bool { return slices.Contains(g.sections, section) }

// ofLabel returns the requested sections of the label.
func (g *getting) ofLabel() []string {
	return slices.DeleteFunc(slices.Clone(g.sections), func(section string) bool {
		return slices.Contains([]string{approvals, labels, shortages, recalls}, section)
	})
}

// find finds the drug by its products or other records, and then all applications of its substances.
func (g *getting) find(ctx context.Context) error {
	records, err := g.seed(ctx)
	if err != nil {
		return err
	}
	found := mapping.Fold(records)
	if len(found) == 0 {
		return notFound(tools.GetDrug, g.curie)
	}
	slices.SortStableFunc(found, func(a, b *mapping.Drug) int { return len(a.Names) - len(b.Names) })
	g.drug = found[0]
	if others := len(found) - 1; others > 0 && g.id.Kind == openfda.UNII {
		g.notes.Add(fmt.Sprintf("Other products with this substance that are not shown: %d; search_drugs with %s lists them.",
			others, tool.Object("query", strings.ToLower(g.drug.Names[0]))))
	}
	number := g.drug.Application()
	if g.id.Kind == openfda.UNII {
		number = ""
	}
	if g.reading.Requests < maxRequests && (len(records.Applications) == 0 || g.id.Kind == openfda.Application) {
		applications, all, err := g.reading.Applications(ctx, g.drug.Names)
		if err != nil {
			return err
		}
		notePart(g.notes, "applications", len(applications), all)
		records.Applications = applications
	}
	if err := g.productsOfSubstance(ctx, &records); err != nil {
		return err
	}
	if drug := mapping.Find(mapping.Fold(records), g.drug.Names, number); drug != nil {
		g.drug = drug
	}
	if g.id.Kind == openfda.Application {
		g.drug.ShowFirst(g.id.Value)
	}
	return nil
}

// productsOfSubstance reads the products with the only substance of the drug, if the labels of all are requested.
func (g *getting) productsOfSubstance(ctx context.Context, records *mapping.Records) error {
	if !g.requests(labels) || g.id.Kind == openfda.UNII || len(g.drug.UNIIs()) != 1 {
		return nil
	}
	products, _, err := g.reading.ProductsOf(ctx, openfda.ID{Kind: openfda.UNII, Value: g.drug.UNIIs()[0]})
	if err == nil {
		records.Products = products
	}
	return err
}

// seed returns the records that have the id: listed products, else substances, applications or a label.
func (g *getting) seed(ctx context.Context) (records mapping.Records, err error) {
	var all int
	if records.Products, all, err = g.reading.ProductsOf(ctx, g.id); err != nil || all > 0 {
		notePart(g.notes, "listed products", len(records.Products), all)
		if g.id.Kind == openfda.NDC {
			records.Products = mapping.OfPackage(records.Products, g.id.Value)
		}
		return records, err
	}
	if g.id.Kind == openfda.UNII || g.id.Kind == openfda.RxCUI {
		if records.Substances, err = g.reading.Substances(ctx, nil, g.id); err != nil || len(records.Substances) > 0 {
			return records, err
		}
	}
	if g.id.Kind != openfda.SetID {
		if records.Applications, err = g.reading.ApplicationsOf(ctx, g.id); err != nil || len(records.Applications) > 0 {
			return records, err
		}
	}
	if records.Labels, err = g.reading.LabelOf(ctx, g.id); err == nil && len(records.Labels) > 0 {
		g.label = &records.Labels[0]
	}
	return records, err
}

// readLabel reads the label that represents the drug, if the answer has its text.
func (g *getting) readLabel(ctx context.Context) error {
	if len(g.sections) > 0 && len(g.ofLabel()) == 0 || g.label != nil {
		return nil
	}
	setID := g.drug.ChooseLabel()
	if g.id.Kind == openfda.SetID {
		setID = g.id.Value
	}
	found, err := g.reading.LabelsOf(ctx, setID, g.drug.Numbers(), g.drug.Brands())
	if err != nil {
		return err
	}
	if len(found) == 0 {
		g.notes.Add("openFDA has no current label of this drug: it may not be on the market in the USA.")
		return nil
	}
	g.label = &found[0]
	return nil
}

// more adds the requested sections, and removes the parts of other sections.
func (g *getting) more(ctx context.Context, drug *entity.Drug) (err error) {
	if !g.requests(approvals) {
		for i := range drug.Applications {
			drug.Applications[i].Submissions = nil
		}
	}
	if g.requests(labels) {
		drug.Labels = g.drug.Listings()
	}
	if most := maxApplications; len(g.sections) == 0 && len(drug.Applications) > most {
		g.notes.Add(fmt.Sprintf("The drug has %d applications, of which %d are shown: call get_drug with %s.", len(drug.Applications), most,
			g.call(approvals)))
		drug.Applications = drug.Applications[:most]
	}
	g.noteLabels(drug)
	var all int
	if g.mayRead(shortages) {
		drug.Shortages, all, err = g.reading.Shortages(ctx, g.drug.UNIIs(), g.drug.Names)
		g.noteRead(shortages, len(drug.Shortages), all, err)
	}
	if err == nil && g.mayRead(recalls) {
		drug.Recalls, all, err = g.reading.Recalls(ctx, g.drug.UNIIs(), g.drug.Names)
		g.noteRead(recalls, len(drug.Recalls), all, err)
	}
	if len(g.sections) > 0 {
		drug.NCTIDs = nil
		if !g.requests(approvals) {
			drug.Applications = nil
		}
	}
	return err
}

// noteLabels adds notices about the label that is shown, and the number of the others.
func (g *getting) noteLabels(drug *entity.Drug) {
	if g.label != nil && len(g.label.Openfda.SubstanceName)+len(g.label.Openfda.GenericName) == 0 {
		g.notes.Add("openFDA has not joined this label with substances: its name is the line about the product.")
	}
	others := slices.DeleteFunc(g.drug.SetIDs(), func(setID string) bool { return g.label == nil || setID == g.label.SetID })
	if drug.Label != nil && len(others) > 0 {
		drug.Label.OtherLabels = len(others)
		g.notes.Add(fmt.Sprintf("The drug has %d other labels: call get_drug with %s.", len(others), g.call(labels)))
	}
}

// mayRead reports whether the call names a section, and adds a notice if no request is left for it.
func (g *getting) mayRead(section string) bool {
	if g.requests(section) && g.reading.Requests >= maxRequests {
		g.notes.Add(fmt.Sprintf("%s were not read, because a call sends at most %d requests: call get_drug with %s.", section, maxRequests,
			g.call(section)))
		return false
	}
	return g.requests(section)
}

// noteRead adds a notice about a section without records, or with more records than were read.
func (g *getting) noteRead(section string, read, all int, err error) {
	if err == nil && all == 0 {
		g.notes.Add("openFDA has no " + section + " of this drug.")
	}
	notePart(g.notes, section, read, all)
}

// call returns the arguments of a call that reads a section of the drug.
func (g *getting) call(section string) string {
	return tool.Show(map[string]any{"drug_id": g.curie, "sections": []string{section}})
}

// cut adds the texts of the label, and cuts the record to the size of an answer.
func (g *getting) cut(drug *entity.Drug) error {
	limit := g.maxAnswer
	if len(g.sections) == 0 {
		limit = min(limit, maxDefault)
	}
	if err := g.texts(drug, limit); err != nil {
		return err
	}
	for _, part := range envelope.Fit(drug, limit) {
		section := map[string]string{"nct_ids": "clinical_studies", "applications": approvals}[part.Name]
		if section == "" || g.requests(section) {
			section = part.Name
		}
		g.notes.Add(fmt.Sprintf("%s were cut to keep the answer within its size; for the rest call get_drug with %s.", part.Name,
			g.call(section)))
	}
	return nil
}

// texts adds the texts of the requested sections of the label.
func (g *getting) texts(drug *entity.Drug, limit int) error {
	if g.label == nil {
		return nil
	}
	keys := g.label.Sections()
	text, tables := map[string]string{}, map[string][]string{}
	for _, section := range g.ofLabel() {
		key, err := g.key(section, keys)
		if err != nil {
			return err
		}
		text[key] = g.label.Section(key)
		if rows := g.label.Rows(key); rows != nil {
			tables[key] = rows
		}
	}
	if len(text) > 0 {
		most := (limit - 2*envelope.ReservedBytes) / (2 * len(text)) // the other half is for tables and ids
		for _, key := range slices.Sorted(maps.Keys(text)) {
			if full := text[key]; len(full) > most {
				text[key] = envelope.Shortened(full, len(full)-most)
				g.notes.Add(fmt.Sprintf("%s was cut to %d of %d bytes, to keep the answer within its size.", key, len(text[key]),
					len(full)))
			}
			tables[key] = envelope.DropLast(tables[key], entity.Size(tables[key])-most)
			if tables[key] == nil {
				delete(tables, key)
			}
		}
		drug.Label.Sections = nil
	}
	for _, key := range []string{mapping.BoxedWarning, mapping.Indications} {
		full, most := g.label.Section(key), maxIndications
		if key == mapping.BoxedWarning {
			most = maxWarning
		}
		if len(g.sections) > 0 || full == "" {
			continue
		}
		if text[key] = entity.Cut(full, most); text[key] != full {
			g.notes.Add(fmt.Sprintf("%s was cut; for the whole text call get_drug with %s.", key, g.call(key)))
		}
	}
	drug.Label.Text, drug.Label.Tables = text, tables
	return nil
}

// key returns the section of the label that a caller means: it, or the only one that begins with its words.
func (g *getting) key(section string, keys []string) (string, error) {
	section = strings.TrimSuffix(section, "_table")
	if slices.Contains(keys, section) {
		return section, nil
	}
	begin := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !strings.HasPrefix(key, section) })
	if len(begin) == 1 && section != "" {
		return begin[0], nil
	}
	if slices.Contains([]string{"all", "label", "full", "text"}, section) {
		return "", envelope.Refuse("sections", section, "names no section of a label; it has %s", strings.Join(keys, ", ")).
			Hint("Call get_drug with %s for its list of sections, then with some of them.", tool.Object("drug_id", g.curie))
	}
	e := envelope.Refuse("sections", section, "the label has no section %s; it has %s, and every drug has approvals, labels, "+
		"shortages, recalls", envelope.Quoted(section), strings.Join(keys, ", "))
	others := slices.DeleteFunc(slices.Clone(g.sections), func(other string) bool { return other == section })
	if near := nearest(section, keys); near != "" {
		others = append([]string{near}, others...)
	}
	if others = entity.Once(others); len(others) == 0 {
		return "", e.Hint("Call %s again with some of them.", tools.GetDrug)
	}
	return "", e.Again(tools.GetDrug, "with %s", tool.Show(map[string]any{"drug_id": g.curie, "sections": others}))
}

// nearest returns the section whose name shares most words with a text, or "".
func nearest(section string, keys []string) (best string) {
	most := 0
	for _, key := range append(keys, approvals) {
		shared := 0
		for word := range strings.SplitSeq(section, "_") {
			if len(word) > 3 && strings.Contains(key, strings.TrimSuffix(word, "s")) {
				shared++
			}
		}
		if shared > most {
			best, most = key, shared
		}
	}
	return best
}

// sectionNamed returns the section that people give a name, or the name itself.
func sectionNamed(name string) string {
	for line := range strings.Lines(wordFile) {
		if section, names, _ := strings.Cut(strings.TrimSpace(line), "\t"); slices.Contains(strings.Split(names, "|"), name) {
			return section
		}
	}
	return name
}

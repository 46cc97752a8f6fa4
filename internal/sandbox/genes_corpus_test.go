package sandbox

import (
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	geneCorpus = "../../../shared/corpus/gene/"
	dtdCorpus  = "../../../shared/corpus/dtd/"
)

// fromCorpus is a real file, which stands beside the repository where it is
// developed and nowhere else.
func fromCorpus(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no corpus of real answers beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestCorpusGenesAreServedAsTheyAre: EFetch gives the bytes of the files, the
// other utilities what their heads say.
func TestCorpusGenesAreServedAsTheyAre(t *testing.T) {
	t.Parallel()
	fromCorpus(t, geneCorpus+"efetch_gene_348.xml.gz")
	s, err := Open(t.Context(), geneCorpus)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"7157", "348", "4747", "105694156"} {
		want := unzipped(t, geneCorpus+"efetch_gene_"+id+".xml.gz")
		_, want, _ = strings.Cut(want, "<Entrezgene-Set>\n")
		resp, got := utility(t, s, "efetch?db=gene&retmode=xml&id="+id)
		_, got, _ = strings.Cut(got, "<Entrezgene-Set>\n")
		inner := func(set string) string {
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(set), "</Entrezgene-Set>"))
		}
		if inner(got) != inner(want) || resp.ContentLength != -1 {
			t.Errorf("%s: %d bytes, want %d; ContentLength %d", id, len(got), len(want), resp.ContentLength)
		}
	}
	if records := geneRecords(t, s, "105694156,1,4747"); len(records) != 2 || records[1].Symbol != "NEFL" {
		t.Errorf("%d records", len(records))
	}
	if got := esearch(t, s, "term=p53 AND human[orgn] AND alive[prop]").IDs; !slices.Contains(got, "7157") {
		t.Errorf("p53: %v", got)
	}
	doc := summaries(t, s, "4747")["4747"]
	if doc["name"] != "NEFL" || doc["maplocation"] != "8p21" || doc["mim"].([]any)[0] != "162280" || doc["organism"].(map[string]any)["taxid"] != 9606.0 {
		t.Errorf("%v", doc)
	}
	_, links := utility(t, s, "elink?dbfrom=gene&db=pubmed&linkname=gene_pubmed&retmode=json&id=7157")
	if n := strings.Count(links, `","`); n < 5000 {
		t.Errorf("%d links of TP53", n)
	}
	if _, body := get(t, s, "/studies?countTotal=true"); body != `{"totalCount":0,"studies":[]}` {
		t.Errorf("a registry without records: %s", body)
	}
}

func unzipped(t testing.TB, path string) string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// TestHangingUpEarly: what is not read of a record is not unzipped.
func TestHangingUpEarly(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "genes.xml.gz"), geneSetOpen+"<Entrezgene>\n</Entrezgene>\n"+geneSetClose)
	if _, err := Open(t.Context(), folder); err == nil || !strings.Contains(err.Error(), "has no id") {
		t.Errorf("a record without an id: %v", err)
	}
	stored := `<Entrezgene>
  <Entrezgene_track-info><Gene-track><Gene-track_geneid>5</Gene-track_geneid><Gene-track_status value="secondary">1</Gene-track_status>
  <Gene-track_current-id><Dbtag><Dbtag_db>GeneID</Dbtag_db><Dbtag_tag><Object-id><Object-id_id>6</Object-id_id></Object-id></Dbtag_tag></Dbtag></Gene-track_current-id></Gene-track></Entrezgene_track-info>
</Entrezgene>`
	write(t, filepath.Join(folder, "genes.xml.gz"), geneSetOpen+stored+"\n"+geneSetClose)
	write(t, filepath.Join(folder, "studies.jsonl.gz"), studyOne)
	s, err := Open(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(search200(t, s).ids(), " "); got != "NCT00000001" {
		t.Errorf("studies beside genes: %s", got)
	}
	if _, body := utility(t, s, "efetch?db=gene&retmode=xml&id=5"); body != geneSetOpen+stored+"\n"+geneSetClose {
		t.Error(body)
	}
	if doc := summaries(t, s, "5")["5"]; doc["status"] != 1.0 || doc["currentid"] != 6.0 {
		t.Errorf("%v", doc)
	}
	reader := &partsReader{}
	reader.text("abc")
	reader.add(func() (io.ReadCloser, error) { return nil, errors.New("was opened") })
	if _, err := io.ReadFull(reader, make([]byte, 3)); err != nil {
		t.Error(err)
	}
	write(t, filepath.Join(folder, "genes.xml"), geneSetOpen+"<Entrezgene>\n")
	if _, err := Open(t.Context(), folder); err == nil || !strings.Contains(err.Error(), "genes.xml: the last record is cut off") {
		t.Errorf("a cut file: %v", err)
	}
}

// TestSummaryShape: the keys of the real document, at every depth.
func TestSummaryShape(t *testing.T) {
	t.Parallel()
	var real struct {
		Result map[string]any `json:"result"`
	}
	if err := json.Unmarshal(fromCorpus(t, geneCorpus+"esummary_gene_7171_TPM4.json"), &real); err != nil {
		t.Fatal(err)
	}
	want := real.Result["7171"].(map[string]any)
	got := summaries(t, own(t), "7171")["7171"]
	if diff := cmp.Diff(shape(want), shape(got)); diff != "" {
		t.Errorf("-real +ours:\n%s", diff)
	}
	for _, key := range []string{"uid", "name", "status", "currentid", "maplocation", "otheraliases", "otherdesignations", "mim", "genomicinfo", "geneweight", "chrsort", "chrstart", "organism"} {
		if diff := cmp.Diff(want[key], got[key]); diff != "" {
			t.Errorf("%s (-real +ours):\n%s", key, diff)
		}
	}
}

// shape is a value with its texts and numbers taken out, lists by their first.
func shape(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, inner := range v {
			out[key] = shape(inner)
		}
		return out
	case []any:
		return shape(v[0])
	case string:
		return "text"
	}
	return "number"
}

// TestOrderOfTheDTD: the elements of our XML are those of the DTDs, in their
// order.
func TestOrderOfTheDTD(t *testing.T) {
	t.Parallel()
	s, g := own(t), ownGenes(t)
	all := strings.Join(decimals(slices.Sorted(maps.Keys(g.byID))), ",")
	_, body := utility(t, s, "efetch?db=gene&retmode=xml&id="+all)
	followsDTD(t, "NCBI_Entrezgene.mod.dtd", body)
}

// followsDTD tells which elements of a document hold what a DTD does not let them
// hold there.
func followsDTD(t *testing.T, dtd, body string) {
	t.Helper()
	models := contentModels(string(fromCorpus(t, dtdCorpus+dtd)))
	type open struct {
		name, children string
	}
	stack := []open{{}}
	decoder := xml.NewDecoder(strings.NewReader(body))
	wrong := map[string]bool{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			stack[len(stack)-1].children += token.Name.Local + ","
			stack = append(stack, open{name: token.Name.Local})
		case xml.EndElement:
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if model := models[last.name]; model != nil && !model.MatchString(last.children) {
				wrong[last.name+": "+last.children] = true
			}
		}
	}
	if len(wrong) > 0 || len(models) == 0 {
		t.Errorf("%s of %d models: %v", dtd, len(models), slices.Sorted(maps.Keys(wrong)))
	}
}

var (
	dtdComment = regexp.MustCompile(`(?s)<!--.*?-->`)
	dtdElement = regexp.MustCompile(`(?s)<!ELEMENT\s+(\S+)\s+(\(.*?)>`)
	dtdEntity  = regexp.MustCompile(`(?s)<!ENTITY\s+%\s+(\S+)\s+"(.*?)"\s*>`)
	dtdName    = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_-]*`)
)

// contentModels are the content models of a DTD as expressions over the names
// of children with a comma after each. Those of text are left out.
func contentModels(dtd string) map[string]*regexp.Regexp {
	dtd = dtdComment.ReplaceAllString(dtd, "")
	for _, entity := range dtdEntity.FindAllStringSubmatch(dtd, -1) {
		dtd = strings.ReplaceAll(dtd, "%"+entity[1]+";", entity[2])
	}
	models := map[string]*regexp.Regexp{}
	for _, element := range dtdElement.FindAllStringSubmatch(dtd, -1) {
		// A comma of the model is sequence; the names bring their own.
		names := dtdName.ReplaceAllString(element[2], "(?:$0;)")
		model := strings.NewReplacer(",", "", ";", ",").Replace(strings.Join(strings.Fields(names), ""))
		if !strings.ContainsAny(model, "#%") {
			models[element[1]] = regexp.MustCompile("^" + model + "$")
		}
	}
	return models
}

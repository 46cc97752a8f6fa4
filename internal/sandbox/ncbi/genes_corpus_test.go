package ncbi

import (
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestCorpusGenesUnchanged: EFetch returns the bytes of the files, and the other utilities return the data of their heads.
func TestCorpusGenesUnchanged(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	s, err := openPath(t.Context(), expect.Genes().Folder(t))
	expect.NoError(t, err)
	for _, id := range []string{"7157", "348", "4747", "105694156"} {
		_, want, _ := strings.Cut(string(expect.Gene(t, id)), "<Entrezgene-Set>")
		_, got := utility(t, s, "efetch?db=gene&retmode=xml&id="+id)
		_, got, _ = strings.Cut(got, "<Entrezgene-Set>\n")
		inner := func(set string) string {
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(set), "</Entrezgene-Set>"))
		}
		expect.That(t, inner(got) == inner(want), "%s: %d bytes, want %d", id, len(got), len(want))
	}
	if records := geneRecords(t, s, "105694156,1,4747"); len(records) != 2 || records[1].Symbol != "NEFL" {
		t.Errorf("%d records", len(records))
	}
	if got := esearch(t, s, "term=p53 AND human[orgn] AND alive[prop]").IDs; !slices.Contains(got, "7157") {
		t.Errorf("p53: %v", got)
	}
	doc := summaries(t, s, "4747")["4747"]
	expect.That(t, doc["name"] == "NEFL" && strings.HasPrefix(doc["maplocation"].(string), "8p21") && doc["mim"].([]any)[0] == "162280" &&
		doc["organism"].(map[string]any)["taxid"] == 9606.0,
		"%v", doc)
	_, links := utility(t, s, "elink?dbfrom=gene&db=pubmed&linkname=gene_pubmed&retmode=json&id=7157")
	if n := strings.Count(links, `","`); n < 5000 && expect.Genes().Real || n == 0 {
		t.Errorf("%d links of TP53", n)
	}
}

// TestGeneFiles: a record that was replaced is served unchanged; one without an id and one that is cut off are errors.
func TestGeneFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	put(t, filepath.Join(folder, "genes.xml"), geneSetOpen+"<Entrezgene>\n</Entrezgene>\n"+geneSetClose)
	if _, err := openPath(t.Context(), folder); err == nil || !strings.Contains(err.Error(), "has no id") {
		t.Errorf("a record without an id: %v", err)
	}
	stored := `<Entrezgene>
  <Entrezgene_track-info><Gene-track><Gene-track_geneid>5</Gene-track_geneid><Gene-track_status value="secondary">1</Gene-track_status>
  <Gene-track_current-id><Dbtag><Dbtag_db>GeneID</Dbtag_db><Dbtag_tag><Object-id><Object-id_id>6</Object-id_id></Object-id></Dbtag_tag></Dbtag></Gene-track_current-id></Gene-track></Entrezgene_track-info>
</Entrezgene>`
	put(t, filepath.Join(folder, "genes.xml"), geneSetOpen+stored+"\n"+geneSetClose)
	s, err := openPath(t.Context(), folder)
	expect.NoError(t, err)
	if _, body := utility(t, s, "efetch?db=gene&retmode=xml&id=5"); body != geneSetOpen+stored+"\n"+geneSetClose {
		t.Error(body)
	}
	if doc := summaries(t, s, "5")["5"]; doc["status"] != 1.0 || doc["currentid"] != 6.0 {
		t.Errorf("%v", doc)
	}
	put(t, filepath.Join(folder, "cut.xml"), geneSetOpen+"<Entrezgene>\n")
	_, err = openPath(t.Context(), filepath.Join(folder, "cut.xml"))
	if err == nil || !strings.Contains(err.Error(), "cut.xml: the last record is cut off") {
		t.Errorf("a cut file: %v", err)
	}
}

// TestOrderOfTheDTD: the elements of the embedded XML are valid by the DTDs, including their order.
func TestOrderOfTheDTD(t *testing.T) {
	t.Parallel()
	s, g := embedded(t), ownGenes(t)
	all := strings.Join(decimals(slices.Sorted(maps.Keys(g.byID))), ",")
	_, body := utility(t, s, "efetch?db=gene&retmode=xml&id="+all)
	followsDTD(t, "NCBI_Entrezgene.mod.dtd", body)
}

// followsDTD reports the elements of a document whose content the DTD does not allow.
func followsDTD(t *testing.T, dtd, body string) {
	t.Helper()
	models := contentModels(string(expect.Read(t, expect.Corpus(t, "dtd/"+dtd, "NCBI's DTDs are not embedded"))))
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
		expect.NoError(t, err)
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

// contentModels returns the content models of a DTD as expressions over the names of children, with a comma after each. It omits text-only
// elements.
func contentModels(dtd string) map[string]*regexp.Regexp {
	dtd = dtdComment.ReplaceAllString(dtd, "")
	for _, entity := range dtdEntity.FindAllStringSubmatch(dtd, -1) {
		dtd = strings.ReplaceAll(dtd, "%"+entity[1]+";", entity[2])
	}
	models := map[string]*regexp.Regexp{}
	for _, element := range dtdElement.FindAllStringSubmatch(dtd, -1) {
		// A comma of the model means a sequence; each name brings its own.
		names := dtdName.ReplaceAllString(element[2], "(?:$0;)")
		model := strings.NewReplacer(",", "", ";", ",").Replace(strings.Join(strings.Fields(names), ""))
		if !strings.ContainsAny(model, "#%") {
			models[element[1]] = regexp.MustCompile("^" + model + "$")
		}
	}
	return models
}

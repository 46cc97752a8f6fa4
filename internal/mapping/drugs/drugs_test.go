package drugs_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/drugs"
)

func TestBase(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Imatinib  mesylate": "IMATINIB", "SILDENAFIL CITRATE": "SILDENAFIL", "TRASTUZUMAB-DKST": "TRASTUZUMAB",
		"POTASSIUM CHLORIDE": "POTASSIUM CHLORIDE", "SODIUM THIOSULFATE": "SODIUM THIOSULFATE", "LITHIUM CARBONATE": "LITHIUM CARBONATE",
		"DIVALPROEX SODIUM": "DIVALPROEX", "CALCIUM": "CALCIUM", "": "",
	} {
		expect.That(t, drugs.Base(name) == want, "%q: %q", name, drugs.Base(name))
	}
}

// TestFold: salts and labellers are one drug, a combination is another one, a biosimilar has the name with its suffix, and a tentative
// approval is no approval.
func TestFold(t *testing.T) {
	t.Parallel()
	var applications []api.Application
	for _, record := range []string{
		`{"application_number":"NDA021588","products":[{"brand_name":"GLEEVEC","active_ingredients":[{"name":"IMATINIB MESYLATE"}]}],
			"submissions":[{"submission_type":"ORIG","submission_status":"AP","submission_status_date":"20030418"}]}`,
		`{"application_number":"NDA021335","products":[{"active_ingredients":[{"name":"IMATINIB"}]}],
			"submissions":[{"submission_type":"SUPPL","submission_status":"AP","submission_status_date":"19990101"},
			{"submission_type":"ORIG","submission_status":"AP","submission_status_date":"20010510"}]}`,
		`{"application_number":"ANDA990012","products":[{"active_ingredients":[{"name":"IMATINIB MESYLATE"}]}],
			"submissions":[{"submission_type":"ORIG","submission_status":"TA","submission_status_date":"19990101"}]}`,
		`{"application_number":"BLA103792","products":[{"active_ingredients":[{"name":"TRASTUZUMAB"}]}],"openfda":{"unii":["P188ANX8CK"]},
			"submissions":[{"submission_type":"ORIG","submission_status":"AP","submission_status_date":"19980925"}]}`,
		`{"application_number":"BLA761074","products":[{"active_ingredients":[{"name":"TRASTUZUMAB-DKST"}]}],"openfda":{"unii":["P188ANX8CK"]},
			"submissions":[{"submission_type":"ORIG","submission_status":"AP","submission_status_date":"20171201"}]}`,
		`{"application_number":"BLA761106","products":[{"active_ingredients":[{"name":"TRASTUZUMAB"},{"name":"HYALURONIDASE-OYSK"}]}]}`,
		`{"application_number":"NDA000001"}`,
	} {
		var a api.Application
		expect.NoError(t, json.Unmarshal([]byte(record), &a))
		applications = append(applications, a)
	}
	rows := drugs.Candidates(drugs.Fold(drugs.Records{Applications: applications}), nil)
	var got []string
	for _, row := range rows {
		got = append(got, strings.Join([]string{row.ID, row.Name, row.KindComputed, row.FirstApproved}, "|"))
	}
	expect.Equal(t, "the drugs", []string{
		"NDA021335|IMATINIB|original|2001-05-10", "UNII:P188ANX8CK|TRASTUZUMAB|original|1998-09-25",
		"BLA761074|TRASTUZUMAB-DKST|biosimilar|2017-12-01", "BLA761106|HYALURONIDASE; TRASTUZUMAB|original|",
		"NDA000001|NDA000001|original|",
	}, got)
	expect.That(t, rows[3].Combination && rows[0].Applications == 3, "%+v", rows)
}

// TestLabel reads the sections, the tables and the citations of a label.
func TestLabel(t *testing.T) {
	t.Parallel()
	l, err := drugs.ReadLabel([]byte(`{"set_id":"a","effective_time":"20260710","boxed_warning":["WARNING"],"adverse_reactions":["Rash."],
		"adverse_reactions_table":["<table><caption>Table 1</caption><tr><td>A&nbsp;b</td><td>25<br/>%</td></tr></table>"],
		"spl_unclassified_section":["One. The trial (NCT 03036488) of 10. NCT0303648 is short."],"clinical_studies":["See NCT03036488! Next."]}`))
	expect.NoError(t, err)
	expect.Equal(t, "sections", []string{"boxed_warning", "adverse_reactions", "clinical_studies", "spl_unclassified_section"}, l.Sections())
	expect.Equal(t, "rows", []string{"Table 1", "A b | 25 %"}, l.Rows("adverse_reactions"))
	expect.Equal(t, "citations", []entity.DrugCitation{{NCTID: "NCT:03036488", Section: "clinical_studies", Text: "See NCT03036488!"}}, l.Citations())
	_, err = drugs.ReadLabel([]byte(`{"id":"x"}`))
	expect.That(t, err != nil, "a label without a set id is read")
}

// TestAround: the sentence around a part has at most the characters of the limit, and the part itself.
func TestAround(t *testing.T) {
	t.Parallel()
	text := "First one. " + strings.Repeat("word ", 100) + "NCT03036488" + strings.Repeat(" word", 100) + ". Last one."
	at := strings.Index(text, "NCT")
	got := drugs.Around(text, at, at+11, 200)
	expect.That(t, len([]rune(got)) <= 202 && strings.Contains(got, "NCT03036488") && strings.HasPrefix(got, "…word") &&
		strings.HasSuffix(got, "word…"), "%q", got)
}

// TestGeneDrugs: drugs of an indication and single substances come first, salts and suffixes are folded, the labels to read are of
// different drugs, and a label has the sentence that names the gene in its own case.
func TestGeneDrugs(t *testing.T) {
	t.Parallel()
	named := drugs.GeneDrugs([]drugs.Group{{"ERLOTINIB", 9}, {"A AND B-ABCD", 2}, {"ERLOTINIB HYDROCHLORIDE", 3}, {"AMIVANTAMAB-VMJW", 1}},
		[]drugs.Group{{"WARFARIN SODIUM", 4}, {"ERLOTINIB", 1}})
	var got []string
	for _, d := range named {
		got = append(got, fmt.Sprint(d.Name, " ", d.Indications, " ", d.Pharmacogenomics))
	}
	expect.Equal(t, "drugs", []string{"ERLOTINIB 12 1", "AMIVANTAMAB 1 0", "A AND B 2 0", "WARFARIN 0 4"}, got)
	expect.Equal(t, "to read", []string{"AMIVANTAMAB-VMJW"}, drugs.ToRead(named, 5))
	expect.Equal(t, "to read of one", []string{"ERLOTINIB", "ERLOTINIB HYDROCHLORIDE"}, drugs.ToRead(named[:1], 5))
	label, err := drugs.ReadLabel([]byte(`{"set_id":"a","openfda":{"generic_name":["AMIVANTAMAB-VMJW"]},"indications_and_usage":[` +
		`"The criteria were met. It is for tumors with MET, or HER-2/neu. End."],"pharmacogenomics":["A PROMET study."]}`))
	expect.NoError(t, err)
	const sentence = "It is for tumors with MET, or HER-2/neu."
	for name, want := range map[string]string{"MET": sentence, "HER2": "", "HER 2": sentence,
		"were": "The criteria were met.", "STUDY": "A PROMET study.", "ROMET": "", "*": ""} {
		found, ok := label.Naming([]string{name})
		expect.That(t, ok == (want != "") && found.Text == want, "%s: %+v", name, found)
	}
	out, left := drugs.NamingGene(named, []drugs.Label{label}, []string{"MET"}, 3)
	expect.That(t, left == 1 && len(out.Items) == 3 && out.Items[1].SetID == "a" && out.Items[0].Text == "", "%+v", out)
}

// TestEvents: years have no holes, codes are words, and groups that are not shown are counted.
func TestEvents(t *testing.T) {
	t.Parallel()
	years := drugs.Events([]drugs.Group{{"20180102", 2}, {"20200101", 1}}, "year", 4, 1)
	expect.That(t, slices.Equal(years.Groups, []entity.DrugEventGroup{{Value: "2018", Count: 2}, {Value: "2019"}, {Value: "2020",
		Count: 1}}) &&
		*years.WithoutValue == 1 && years.Others == nil, "%+v", years)
	sexes := drugs.Events([]drugs.Group{{"2", 3}, {"1", 2}, {"0", 1}}, "sex", 7, 2)
	expect.That(t, sexes.Groups[0].Value == "female" && *sexes.Others == entity.OtherGroups{Values: 1, Count: 1} &&
		*sexes.WithoutValue == 1 &&
		sexes.Disclaimer == drugs.Disclaimer, "%+v", sexes)
}

// TestRealRecords maps the real applications, products and labels that are next to the repository.
func TestRealRecords(t *testing.T) {
	t.Parallel()
	var records drugs.Records
	lines := func(name string, read func([]byte) error) {
		file, err := os.Open("../../../../shared/corpus/openfda/records/" + name + ".jsonl.gz")
		if err != nil {
			t.Skip("no real records next to the repository")
		}
		defer file.Close()
		unpacked, err := gzip.NewReader(file)
		expect.NoError(t, err)
		in := bufio.NewScanner(unpacked)
		in.Buffer(nil, 1<<24)
		for in.Scan() {
			expect.NoError(t, read(in.Bytes()))
		}
		expect.NoError(t, in.Err())
	}
	lines("drugsfda", func(text []byte) error {
		records.Applications = append(records.Applications, api.Application{})
		return json.Unmarshal(text, &records.Applications[len(records.Applications)-1])
	})
	lines("ndc", func(text []byte) error {
		records.Products = append(records.Products, api.Product{})
		return json.Unmarshal(text, &records.Products[len(records.Products)-1])
	})
	lines("labels", func(text []byte) error {
		label, err := drugs.ReadLabel(text)
		records.Labels = append(records.Labels, label)
		return err
	})
	found := drugs.Fold(records)
	expect.That(t, len(found) > 100, "%d drugs", len(found))
	for _, d := range found {
		for i := range d.Labels {
			drug := d.Entity(&d.Labels[i])
			expect.That(t, drug.ID != "" && drug.Name != "" && len(drug.Label.Sections) > 0, "%+v", drug)
		}
	}
}

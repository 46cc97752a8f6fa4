package entity

// Reporting says whether and when the results of a trial are due by 42 CFR 11. All of it is computed by a published method; waivers and
// extensions are in no record.
type Reporting struct {
	// act: applicable trial that began under the final rule, from 18 January 2017 on; pact: that began before and was completed under it;
	// probable_pact: as pact, but the record does not say whether the FDA regulates the product.
	Act string `json:"act" jsonschema:"enum=act,enum=pact,enum=probable_pact"`
	// Day up to which results are due. Absent without a completion date.
	DueDate string `json:"due_date,omitempty" jsonschema:"minLength=10"`
	// Results submitted in time or late (reported, and posted; or submitted, under review), else at the day of the data: ongoing up to the
	// due day, due for 30 days more, then overdue.
	Status string `json:"status,omitempty" jsonschema:"enum=reported,enum=reported_late,enum=submitted,enum=submitted_late,enum=ongoing,enum=due,enum=overdue"`
	// First submission of results that counts.
	SubmittedDate string `json:"submitted_date,omitempty" jsonschema:"minLength=4"`
	// Submission of the certificate that delays the results. Source: statusModule.dispFirstSubmitDate.
	CertificateDate string `json:"certificate_date,omitempty" jsonschema:"minLength=4"`
	// Name of the method.
	Method string `json:"method"`
}

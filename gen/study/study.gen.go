// Code generated from specs/clinicaltrials.yaml. DO NOT EDIT.

// Package study has the JSON Schema of a record as ClinicalTrials.gov has it, which follows from the structure of its API.
package study

import _ "embed" // for Schema

// Schema is the schema.
//
//go:embed study.schema.json
var Schema []byte

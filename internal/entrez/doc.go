// Package entrez speaks with NCBI's E-utilities: what goes into a request,
// what an answer is worth, and readers of the answers that no plain JSON model
// fits. It knows the formats and nothing of Biofact's entities but the error.
package entrez

// Package entrez implements the client side of NCBI's E-utilities: it writes requests, recognizes failures in responses, and reads the
// responses that a plain JSON model does not fit. It knows the formats, and none of Biofact's entities except the error.
package entrez

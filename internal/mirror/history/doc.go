// Package history keeps the records that a sync of the mirror replaces or removes, each version as a row of the same file, and reads them
// again. The package knows no request, and of the tables of the mirror only those of the records.
package history

// Package history keeps the records that a sync of the mirror replaces or removes, in tables of the same file, and reads them again.
// A replaced record is stored as the bytes from which it can be made out of the record that replaced it. The package knows no request,
// and of the tables of the mirror only that of the records.
package history

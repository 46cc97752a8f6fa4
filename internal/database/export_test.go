package database

// NoWait lets the calls of a server wait for no tables that are being made.
func NoWait(d *Database) {
	local, _ := d.localBackend()
	local.wait = 0
}

package main

/*
#cgo LDFLAGS: -lpsapi
#include <windows.h>
#include <psapi.h>

static long long resident(void) {
	PROCESS_MEMORY_COUNTERS counters;
	if (!GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof(counters))) {
		return 0;
	}
	return counters.WorkingSetSize;
}
*/
import "C"

// resident returns the bytes of memory that the program holds, 0 where the system does not say.
func resident() int64 { return int64(C.resident()) }

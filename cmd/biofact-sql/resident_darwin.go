package main

/*
#include <mach/mach.h>

static long long resident(void) {
	mach_task_basic_info_data_t info;
	mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
	if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count) != KERN_SUCCESS) {
		return 0;
	}
	return info.resident_size;
}
*/
import "C"

// resident returns the bytes of memory that the program holds, 0 where the system does not say.
func resident() int64 { return int64(C.resident()) }

#pragma once
#include <sqlite3.h>
// SQLITE_TRANSIENT and SQLITE_STATIC are casts that Swift cannot import.
static inline sqlite3_destructor_type sx_sqlite_transient(void) { return SQLITE_TRANSIENT; }
static inline sqlite3_destructor_type sx_sqlite_static(void) { return SQLITE_STATIC; }
// Calls with a varying list of arguments cannot be imported either. Without effect where SQLite is at work already.
static inline int sx_sqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

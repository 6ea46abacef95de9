#pragma once
#include <sqlite3.h>

// What Swift cannot call or import: a function of variable arguments, and the two special destructors.

static inline int csqlite_db_config(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

/// Binds text that outlives the binding, without copying it.
static inline int csqlite_bind_text_nocopy(sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, count ? (const char *)text : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

/// Binds bytes that outlive the binding, without copying them.
static inline int csqlite_bind_blob_nocopy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, count ? bytes : "", count, SQLITE_STATIC);
}

#pragma once
#include <sqlite3.h>

// What Swift cannot call or import: a function of variable arguments, and the two special destructors.

static inline int csqlite_db_config(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

/// Reads the first `count` bytes of a file as they are: no lock, no journal, no log. Returns how many there were, or -1.
///
/// It goes through SQLite because closing any descriptor of a file drops the POSIX locks that other connections of this
/// process hold on it; SQLite keeps its descriptors open until that is safe (sqlite.org/howtocorrupt.html, section 2.2).
static inline int csqlite_read_start(const char *path, unsigned char *bytes, int count) {
    sqlite3 *db = 0;
    sqlite3_file *file = 0;
    sqlite3_int64 size = 0;
    int result = -1;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, 0) == SQLITE_OK &&
        sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK && file && file->pMethods &&
        file->pMethods->xFileSize(file, &size) == SQLITE_OK) {
        if (size < count) count = (int)size;
        if (count == 0 || file->pMethods->xRead(file, bytes, count, 0) == SQLITE_OK) result = count;
    }
    sqlite3_close(db);
    return result;
}

/// Binds text that outlives the binding, without copying it.
static inline int csqlite_bind_text_nocopy(sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, count ? (const char *)text : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

/// Binds bytes that outlive the binding, without copying them.
static inline int csqlite_bind_blob_nocopy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, count ? bytes : "", count, SQLITE_STATIC);
}

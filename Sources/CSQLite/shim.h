#pragma once
#include <sqlite3.h>

// Swift cannot call a variadic function or import the two special destructors.

static inline int csqlite_db_config(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

/// Reads the first `count` bytes of a file unchanged, without locks, journal, or log. Returns the number of bytes, or
/// -1.
///
/// It uses SQLite to read, because closing any descriptor of a file releases the POSIX locks that other connections of
/// this process hold on the file. SQLite keeps its descriptors open until closing them is safe
/// (sqlite.org/howtocorrupt.html, section 2.2).
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

/// Binds text without copying it. The text must outlive the binding.
static inline int csqlite_bind_text_nocopy(sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, count ? (const char *)text : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

/// Binds bytes without copying them. The bytes must outlive the binding.
static inline int csqlite_bind_blob_nocopy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, count ? bytes : "", count, SQLITE_STATIC);
}

/// The state of the log of a database in WAL mode, from the index of the log.
struct csqlite_log {
    unsigned int frames;       // in the log
    unsigned int moved;        // the frames that were already copied to the database file
    unsigned int marks[5];     // the number of frames that a reader with the lock of this index sees; the first sees none
};

/// Reads the index of the log, which a connection has mapped. Source: <https://www.sqlite.org/walformat.html>, section
/// 2.1.
static inline int csqlite_log_state(sqlite3 *db, struct csqlite_log *log) {
    sqlite3_file *file = 0;
    void volatile *index = 0;
    enum { page = 32768, frames = 16, moved = 96, marks = 100 };
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return SQLITE_NOTFOUND;
    code = file->pMethods->xShmMap(file, 0, page, 0, &index);
    if (code != SQLITE_OK) return code;
    if (!index) return SQLITE_NOTFOUND;
    const volatile unsigned char *bytes = (const volatile unsigned char *)index;
    log->frames = *(const volatile unsigned int *)(bytes + frames);
    log->moved = *(const volatile unsigned int *)(bytes + moved);
    for (int i = 0; i < 5; i++) log->marks[i] = *(const volatile unsigned int *)(bytes + marks + 4 * i);
    return SQLITE_OK;
}

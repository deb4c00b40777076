#pragma once
#include <sqlite3.h>

/// Binds `count` bytes of text, which SQLite copies (SQLITE_TRANSIENT, a macro that Swift does not import).
static inline int vg_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int count) {
  return sqlite3_bind_text(statement, place, text, count, SQLITE_TRANSIENT);
}

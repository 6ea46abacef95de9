#pragma once
#include <stdint.h>

/// The floor for reading: the statements of the stores, prepared once and run in C on a connection with 64 MB of cache.
/// Each function returns a sum of the values that it read, so that the compiler cannot remove the reading.
typedef struct floor_reader floor_reader;

floor_reader *floor_open(const char *path);
/// Counts the articles.
int64_t floor_count(floor_reader *reader);
/// Reads the newest fifty articles and one more; with `id` above 0, those after a position.
int64_t floor_list(floor_reader *reader, int64_t published, int64_t id);
/// Skips articles after a position, and returns the position after them.
int64_t floor_place(floor_reader *reader, int64_t skip, int64_t *id);
/// Reads an article with its body.
int64_t floor_article(floor_reader *reader, int64_t id);
/// Writes the slug of an article to `slug`, which has room for 512 bytes.
void floor_slug_of(floor_reader *reader, int64_t id, char *slug);
/// Reads an article with its body, by its slug.
int64_t floor_slug(floor_reader *reader, const char *slug);
/// Checks the secret of a session against the stored hash.
int64_t floor_token(floor_reader *reader, const char *session, const uint8_t *secret);
/// Reads every column of every row of a statement without parameters.
int64_t floor_run(floor_reader *reader, const char *sql);

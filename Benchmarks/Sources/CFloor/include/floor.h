#pragma once
#include <stdint.h>

/// The floor of reading: the statements of the stores, prepared once, run in C on a connection with 64 MB of cache.
/// Each function returns a sum of what it read, so that nothing of it can be left out.
typedef struct floor_reader floor_reader;

floor_reader *floor_open(const char *path);
/// How many articles there are.
int64_t floor_count(floor_reader *reader);
/// The fifty newest and one more; with `id` above 0 those after a place.
int64_t floor_list(floor_reader *reader, int64_t published, int64_t id);
/// The place after the fifty newest articles that come after a place.
int64_t floor_place(floor_reader *reader, int64_t skip, int64_t *id);
/// An article with its body.
int64_t floor_article(floor_reader *reader, int64_t id);
/// The slug of an article, into 512 bytes.
void floor_slug_of(floor_reader *reader, int64_t id, char *slug);
/// An article with its body, by its slug.
int64_t floor_slug(floor_reader *reader, const char *slug);
/// Whether the secret of a session is the one whose hash is stored.
int64_t floor_token(floor_reader *reader, const char *session, const uint8_t *secret);
/// Every column of every row of a statement without values.
int64_t floor_run(floor_reader *reader, const char *sql);

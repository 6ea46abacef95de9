#pragma once
#include <zlib.h>

// Swift cannot call macros.

/// Returns the maximum size of a number of bytes after compression with gzip (RFC 1952).
static inline size_t zlib_gzip_bound(size_t count) { return compressBound((uLong)count) + 32; }

/// Compresses bytes with gzip. Returns the compressed size, or 0 if the result does not fit or memory runs out.
static inline size_t zlib_gzip(const unsigned char *bytes, size_t count, unsigned char *into, size_t room, int level) {
    z_stream stream = {0};
    // 15 bits of window, plus 16 for the header and the trailer of gzip.
    if (count > 0x7FFFFFFF || room > 0x7FFFFFFF) return 0;
    if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (z_const Bytef *)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = into;
    stream.avail_out = (uInt)room;
    int result = deflate(&stream, Z_FINISH);
    size_t made = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END ? made : 0;
}

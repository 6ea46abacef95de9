// A password that somebody types goes through strings of several layers, and what they free would lie in memory until it is
// handed out again. So whatever the program frees is overwritten, as hardened allocators do (OpenBSD's malloc.conf(5), "F";
// GrapheneOS's hardened_malloc). With glibc, whose manual lets a program replace these functions ("Replacing malloc"); a
// sanitizer has functions of its own.

#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif

#if defined(__GLIBC__) && !defined(IS_SANITIZED)
#include <errno.h>
#include <malloc.h>
#include <string.h>

void __libc_free(void *block);

void free(void *block) {
    if (block == NULL) return;
    explicit_bzero(block, malloc_usable_size(block));
    __libc_free(block);
}

// glibc's own would leave what it moves away from.
void *realloc(void *block, size_t size) {
    if (block == NULL) return malloc(size);
    if (size == 0) {
        free(block);
        return NULL;
    }
    size_t room = malloc_usable_size(block);
    if (size <= room && size >= room / 2) return block;
    void *moved = malloc(size);
    if (moved == NULL) return NULL;
    memcpy(moved, block, size < room ? size : room);
    free(block);
    return moved;
}
#endif

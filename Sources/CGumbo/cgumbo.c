// Runs gumbo with an allocator that can stop it. Gumbo itself does not limit its work, allocates memory for every tag,
// and frees a tree by recursion. This allocator takes memory from chunks that are freed together.

#include "cgumbo.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    depth_limit = 1024,
    first_chunk = 16 * 1024,
    largest_chunk = 8 * 1024 * 1024,
    memory_limit = 512 * 1024 * 1024,
    // Freed blocks of up to this many times 8 bytes are used again.
    size_classes = 32,
};

// The header before each block: the size of the block and, for a node, its depth in the tree.
typedef struct {
    uint32_t size;
    uint32_t depth;
} header;

typedef struct chunk {
    struct chunk *next;
    char *end;
} chunk;

struct cgumbo_page {
    GumboOutput *output;
    chunk *chunks;
    char *free_space;
    char *end_of_space;
    void *freed[size_classes + 1];
    size_t memory_left;
    // The newest node, the depth of the node before it, and the number of allocations since then.
    const GumboNode *newest;
    uint32_t depth;
    uint32_t since_newest;
    uint64_t work_left;
    jmp_buf give_up;
};

static bool add_chunk(cgumbo_page *page, size_t least) {
    size_t size = first_chunk;
    if (page->chunks != NULL) {
        size = 2 * (size_t)(page->chunks->end - (char *)page->chunks);
        if (size > largest_chunk) size = largest_chunk;
    }
    if (size < least + sizeof(chunk)) size = least + sizeof(chunk);
    if (size > page->memory_left) return false;
    chunk *added = malloc(size);
    if (added == NULL) return false;
    page->memory_left -= size;
    added->next = page->chunks;
    added->end = (char *)added + size;
    page->chunks = added;
    page->free_space = (char *)(added + 1);
    page->end_of_space = added->end;
    return true;
}

static bool holds(const cgumbo_page *page, const void *pointer) {
    for (const chunk *at = page->chunks; at != NULL; at = at->next) {
        if ((const char *)pointer >= (const char *)(at + 1) + sizeof(header)
            && (const char *)pointer + sizeof(GumboNode) <= at->end) {
            return (uintptr_t)pointer % sizeof(header) == 0;
        }
    }
    return false;
}

// Computes the depth of the previous node. Gumbo has placed a node in the tree by the time it creates the next one.
static void note_node(cgumbo_page *page, const GumboNode *node) {
    if (page->newest != NULL) {
        const GumboNode *parent = page->newest->parent;
        uint32_t depth = parent != NULL && holds(page, parent) ? ((const header *)parent)[-1].depth + 1 : 1;
        if (depth > depth_limit) longjmp(page->give_up, 1);
        ((header *)page->newest)[-1].depth = depth;
        page->depth = depth;
    }
    page->newest = node;
    page->since_newest = 0;
}

static void *allocate(void *context, size_t size) {
    cgumbo_page *page = context;
    // An estimate of gumbo's work: most of its steps go up the tree from the current node, or through the attributes of
    // the current tag.
    uint64_t work = page->depth + page->since_newest / 8;
    page->since_newest += 1;
    if (work > page->work_left || size > UINT32_MAX / 2) longjmp(page->give_up, 1);
    page->work_left -= work;

    size_t class = (size + 7) / 8;
    header *block;
    if (class <= size_classes && page->freed[class] != NULL) {
        block = (header *)page->freed[class] - 1;
        page->freed[class] = *(void **)page->freed[class];
    } else {
        size_t whole = sizeof(header) + (class == 0 ? 1 : class) * 8;
        if ((size_t)(page->end_of_space - page->free_space) < whole && !add_chunk(page, whole)) {
            longjmp(page->give_up, 1);
        }
        block = (header *)page->free_space;
        page->free_space += whole;
    }
    block->size = (uint32_t)size;
    block->depth = 0;
    if (size == sizeof(GumboNode)) note_node(page, (const GumboNode *)(block + 1));
    return block + 1;
}

static void deallocate(void *context, void *pointer) {
    cgumbo_page *page = context;
    if (pointer == NULL) return;
    if (pointer == page->newest) page->newest = NULL;
    size_t class = (((header *)pointer)[-1].size + 7) / 8;
    if (class == 0 || class > size_classes) return;
    *(void **)pointer = page->freed[class];
    page->freed[class] = pointer;
}

cgumbo_page *cgumbo_read(const char *html, size_t length) {
    cgumbo_page *page = calloc(1, sizeof(cgumbo_page));
    if (page == NULL) return NULL;
    size_t memory = 16 * 1024 * 1024 + 100 * length;
    page->memory_left = memory < memory_limit ? memory : memory_limit;
    page->work_left = 50 * 1000 * 1000 + 50 * (uint64_t)length;
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = allocate;
    options.deallocator = deallocate;
    options.userdata = page;
    options.max_errors = 0;
    // All memory of gumbo is in the chunks, so freeing them is enough.
    if (setjmp(page->give_up) != 0) {
        cgumbo_free(page);
        return NULL;
    }
    page->output = gumbo_parse_with_options(&options, html, length);
    return page;
}

const GumboNode *cgumbo_document(const cgumbo_page *page) { return page->output->document; }

void cgumbo_free(cgumbo_page *page) {
    if (page == NULL) return;
    chunk *at = page->chunks;
    while (at != NULL) {
        chunk *next = at->next;
        free(at);
        at = next;
    }
    free(page);
}

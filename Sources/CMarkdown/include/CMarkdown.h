#pragma once

#include <md4c.h>

/// The flags as a value that Swift can import, because the macros of md4c are not plain numbers. The caller finds bare
/// addresses itself: md4c 0.4.8 also finds them inside links, and takes quadratic time.
static const unsigned cmarkdown_dialect = MD_DIALECT_GITHUB & ~MD_FLAG_PERMISSIVEAUTOLINKS;

/// Calls `md_parse` of md4c, which is loaded at the first call: commands that read no Markdown do not wait for it.
int cmarkdown_parse(const MD_CHAR *text, MD_SIZE size, const MD_PARSER *parser, void *receiver);

#pragma once
#include <md4c.h>

/* Sets of flags as values that Swift can see: the macros of md4c are not plain numbers. */
static const unsigned cmarkdown_github = MD_DIALECT_GITHUB;
static const unsigned cmarkdown_bare_links = MD_FLAG_PERMISSIVEAUTOLINKS;

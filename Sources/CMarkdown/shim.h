#pragma once
#include <md4c.h>

/* The dialect as a value that Swift can see: the macro of md4c is not a plain number. */
static const unsigned cmarkdown_github = MD_DIALECT_GITHUB;

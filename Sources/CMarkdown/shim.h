#pragma once
#include <md4c.h>

/* A set of flags as a value that Swift can see: the macros of md4c are not plain numbers. Bare addresses are found by the
   caller: md4c 0.4.8 finds them within links too, and in the square of their number. */
static const unsigned cmarkdown_dialect = MD_DIALECT_GITHUB & ~MD_FLAG_PERMISSIVEAUTOLINKS;

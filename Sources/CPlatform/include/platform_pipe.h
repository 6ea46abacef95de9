#pragma once

/// Makes a pipe neither end of which ever waits, and which no program that is started inherits. Returns 0, or -1 with `errno` set.
int platform_pipe(int ends[2]);

#pragma once

/// Creates a nonblocking pipe that started programs do not inherit. Returns 0, or -1 with `errno` set.
int platform_pipe(int ends[2]);

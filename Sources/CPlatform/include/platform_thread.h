#pragma once

/// Calls `body` with `context` on a thread of its own, which receives no signals. Returns 0 or an errno value, and then it is never called.
int platform_start_thread(void (*body)(void *context), void *context);

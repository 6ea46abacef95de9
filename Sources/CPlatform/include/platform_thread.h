#pragma once

/// Calls `body` with `context` on a new thread that does not receive signals. Returns 0, or an errno value; then `body`
/// is never called.
int platform_start_thread(void (*body)(void *context), void *context);

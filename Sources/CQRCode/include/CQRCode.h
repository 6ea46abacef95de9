#pragma once

#include <qrencode.h>

/// Calls `QRcode_encodeString8bit` of libqrencode, which is loaded at the first call: few commands need it. Free the code
/// with `cqrcode_free`.
QRcode *cqrcode_encode(const char *text, QRecLevel level);

/// Frees a code.
void cqrcode_free(QRcode *code);

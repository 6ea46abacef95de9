#pragma once
#include <sys/types.h>
#include <stdint.h>
#include <sha1.h>
#include <sha2.h>

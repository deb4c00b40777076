#pragma once
/* Two compilers check the audio callback: Swift reads the first attribute, clang the second. A function that carries
   them may not allocate, lock, block or call anything that might. */
#define VG_REALTIME __attribute__((swift_attr("@_noLocks"))) __attribute__((nonblocking))

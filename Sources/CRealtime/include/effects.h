#pragma once
/* Marks a function of the audio callback: it may not allocate, lock, block or call anything that might. Swift's
   compiler checks the first attribute, clang the second. */
#define VG_REALTIME __attribute__((swift_attr("@_noLocks"))) __attribute__((nonblocking))

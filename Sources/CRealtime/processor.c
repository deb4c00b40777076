#include "CRealtime.h"
#include "clones.h"

/* Weak: null unless the sanitizer's runtime is linked. */
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects" /* hooks of the sanitizer, which a normal build does not have */
VG_REALTIME void vg_enter_callback(void) {
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}
VG_REALTIME void vg_leave_callback(void) {
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}
#pragma clang diagnostic pop

int vg_sanitized(void) { return __rtsan_realtime_enter != 0; }

int vg_clone(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) return 4;
  if (__builtin_cpu_supports("x86-64-v3")) return 3;
#endif
  return 1;
}

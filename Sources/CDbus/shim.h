#pragma once
#include <dbus/dbus.h>
#include <pthread.h>
#include <sys/eventfd.h>

/* The headers keep it behind _GNU_SOURCE, which Swift's own module of them does not set. */
extern int pthread_setname_np(pthread_t, const char *_Nonnull);

/* Names the calling thread; Linux keeps 15 bytes. */
static inline void vg_dbus_name_thread(const char *_Nonnull name) { pthread_setname_np(pthread_self(), name); }

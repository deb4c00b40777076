#pragma once
#include <stddef.h>
#include <stdint.h>
/* Which the Glibc of Swift leaves out. */
#include <sys/epoll.h>

/* What a kernel cannot be faster than: reads `count` samples (a multiple of 32) and does nothing with them. The same
   blocks of 32 samples, the same clones and the same way of being called as the kernels of the audio callback. */
void bench_load(const float *_Nonnull samples, uint32_t count);

/* What particles cost where every number of each is kept and worked anew in every frame: a plain loop over `count` of
   them that loads 17 columns and stores 10, built for the same processors. No births and no deaths. Columns are `stride`
   numbers long. */
void bench_particles(float *_Nonnull columns, size_t stride, size_t count, float dt);

/* What LEDs cost where nobody asks for more than they need: of each the mean of two by two pixels that begin at its place (in
   bytes), its curve, its order and a limit of the sum of all bytes. Built for the same processors; no parts of pixels, no white,
   no dithering, eight bits all the way. */
void bench_leds(const uint8_t *_Nonnull pixels, size_t stride, const uint32_t *_Nonnull places, size_t count,
                const uint8_t *_Nonnull curve, float limit, uint8_t *_Nonnull out);

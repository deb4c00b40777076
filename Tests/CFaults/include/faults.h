#pragma once

/* A library for LD_PRELOAD that has one thread of a program fault, or use up its stack, so that tests see what the program
   does then; the program knows nothing of it. FAULT_THREAD is how the name of the thread begins, FAULT_NUMBER which of
   several (from 0), FAULT_KIND `fault` or `overflow`. It happens once the process gets SIGURG and has such a thread. */

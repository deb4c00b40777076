#pragma once

/* A library for LD_PRELOAD that injects a fault or a stack overflow into one thread of an unchanged program, so that
   tests see how the program ends. FAULT_THREAD is the start of the thread's name, FAULT_NUMBER its number among
   threads with that name (from 0), FAULT_KIND `fault` or `overflow`. It acts once the process gets SIGURG and has
   the thread. */

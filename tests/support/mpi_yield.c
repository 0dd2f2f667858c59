/* SPDX-FileCopyrightText: 2026 The tracefold authors
   SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into MPI tests. MPICH over UCX polls without ever giving its core away, so that tests
   with more processes than cores crawl. This puts itself before UCX's polling function and sleeps
   after a series of polls in which nothing has happened. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <time.h>

enum { idle_polls_before_sleep = 20 };

unsigned ucp_worker_progress(void* worker) {
    static unsigned (*poll)(void*);
    static _Thread_local unsigned idle_polls;
    if (poll == NULL) {
        void* symbol = dlsym(RTLD_NEXT, "ucp_worker_progress");
        memcpy(&poll, &symbol, sizeof poll);
    }
    const unsigned events = poll(worker);
    idle_polls = events > 0 ? 0 : idle_polls + 1;
    if (idle_polls > idle_polls_before_sleep) {
        const struct timespec pause = {.tv_sec = 0, .tv_nsec = 1000};
        nanosleep(&pause, NULL);
    }
    return events;
}

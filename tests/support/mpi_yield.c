/* SPDX-FileCopyrightText: 2026 The tracefold authors
   SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into MPI tests. MPICH over UCX polls without ever giving its core away, so that tests
   with more processes than cores crawl. This puts itself before UCX's polling function and sleeps
   after a series of polls in which nothing has happened, each time for longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <time.h>

enum { idle_polls_before_sleep = 20, shortest_sleep_ns = 1000, longest_sleep_ns = 256000 };

unsigned ucp_worker_progress(void* worker) {
    static unsigned (*poll)(void*);
    static _Thread_local unsigned idle_polls;
    static _Thread_local long sleep_ns = shortest_sleep_ns;
    if (poll == NULL) {
        void* symbol = dlsym(RTLD_NEXT, "ucp_worker_progress");
        memcpy(&poll, &symbol, sizeof poll);
    }
    const unsigned events = poll(worker);
    if (events > 0) {
        idle_polls = 0;
        sleep_ns = shortest_sleep_ns;
    } else if (++idle_polls > idle_polls_before_sleep) {
        const struct timespec pause = {.tv_sec = 0, .tv_nsec = sleep_ns};
        nanosleep(&pause, NULL);
        if (sleep_ns < longest_sleep_ns) sleep_ns *= 2;
    }
    return events;
}

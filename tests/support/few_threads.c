/* SPDX-FileCopyrightText: 2026 The tracefold authors
   SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a tool that shall get only few threads, as where the number of processes is limited: FEW_THREADS of
   the environment says how many. Each further one is refused, and leaves a byte in the file FEW_THREADS_REFUSED. The
   limit itself (ulimit -u) would not do: it does not hold for root. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

typedef int (*create_function)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

static atomic_int started;

static void note_refusal(void) {
    const int file = open(getenv("FEW_THREADS_REFUSED"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (file < 0) return;
    (void)!write(file, "x", 1);
    close(file);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument) {
    const create_function create = (create_function)dlsym(RTLD_NEXT, "pthread_create");
    if (atomic_fetch_add(&started, 1) < atoi(getenv("FEW_THREADS"))) return create(thread, attributes, work, argument);
    note_refusal();
    return EAGAIN;
}

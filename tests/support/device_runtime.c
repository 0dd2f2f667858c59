/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A stand-in for the runtime library of devices, for machines without any: compiled with RUNTIME=cuda or hip. Its memory
 * is that of the host. DEVICES is the number of devices; the file DEVICE_LOG gets a line per call. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)
#define TEXT_OF(a) #a
#define TEXT(a) TEXT_OF(a)
#define NAME(name) JOIN(RUNTIME, name)

static int device = -1;

static void note(const char *function, size_t value) {
    const char *name = getenv("DEVICE_LOG");
    char line[128];
    int file;
    if (!name) return;
    snprintf(line, sizeof line, "%s%s %zu %d\n", TEXT(RUNTIME), function, value, device);
    file = open(name, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file < 0 || write(file, line, strlen(line)) < 0) abort();
    close(file);
}

int NAME(GetDeviceCount)(int *count) {
    const char *number = getenv("DEVICES");
    *count = number ? atoi(number) : 2;
    return *count == 0;
}

int NAME(SetDevice)(int number) {
    device = number;
    note("SetDevice", (size_t)number);
    return 0;
}

int NAME(Malloc)(void **memory, size_t bytes) {
    note("Malloc", bytes);
    *memory = malloc(bytes);
    return *memory == NULL;
}

int NAME(MallocManaged)(void **memory, size_t bytes, unsigned flags) {
    note("MallocManaged", bytes);
    (void)flags;
    *memory = malloc(bytes);
    return *memory == NULL;
}

int NAME(Memcpy)(void *to, const void *from, size_t bytes, int kind) {
    note("Memcpy", bytes);
    if (kind != 1) return 1; /* from host to device */
    memcpy(to, from, bytes);
    return 0;
}

int NAME(Free)(void *memory) {
    note("Free", 0);
    free(memory);
    return 0;
}

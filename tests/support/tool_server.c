/* SPDX-FileCopyrightText: 2026 The tracefold authors
   SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a tool that shall run many times: starts it once and calls its main function for each command line,
   which saves what the dynamic linker and fresh memory cost. A command line comes from the socket whose number is in
   the environment's TOOL_SERVER: the length of what follows in 32 bits, a folder and the words, each with a zero at
   its end. The answer is what main returns, and the most memory that was used, in KiB. Standard streams
   are those of the server. A crash, or more than the time below, ends the server. A tool with a sanitizer has no
   limit of memory, and TRACEFOLD_TEST_PATIENCE times the time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { most_words = 64, most_bytes = 1 << 16, processor_seconds = 10, wall_seconds = 120 };

static const rlim_t address_space = (rlim_t)4 << 30;

typedef int (*main_function)(int, char**, char**);
typedef int (*start_function)(main_function, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);

static main_function tool_main;
static char words_text[most_bytes];
static int peak_reset = -1;
static int patience = 1;

static int receive(int from, void* data, size_t size) {
    return recv(from, data, size, MSG_WAITALL) == (ssize_t)size;
}

static void limit(int what, rlim_t most) {
    const struct rlimit both = {most, most};
    setrlimit(what, &both);
}

/* The default action of both signals ends the process. */
static void set_time_limits(int processor, int wall) {
    const struct itimerval timer = {{0, 0}, {processor, 0}};
    setitimer(ITIMER_PROF, &timer, NULL);
    alarm((unsigned)wall);
}

static int peak_kibibytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (int)usage.ru_maxrss;
}

static int run_command(size_t size, char** environment) {
    char* words[most_words + 1];
    int count = 0;
    for (size_t at = 0; at < size && count < most_words; ++at) {
        words[count++] = &words_text[at];
        while (words_text[at] != 0) ++at;
    }
    words[count] = NULL;
    if (chdir(words[0]) != 0) _exit(127);
    if (pwrite(peak_reset, "5", 1, 0) != 1) _exit(127);
    set_time_limits(processor_seconds * patience, wall_seconds * patience);
    const int code = tool_main(count - 1, words + 1, environment);
    set_time_limits(0, 0);
    return code;
}

static int serve(int count, char** words, char** environment) {
    const char* socket_number = getenv("TOOL_SERVER");
    if (socket_number == NULL) return tool_main(count, words, environment);
    const int client = atoi(socket_number);
    peak_reset = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (getenv("TRACEFOLD_TEST_PATIENCE") != NULL) patience = atoi(getenv("TRACEFOLD_TEST_PATIENCE"));
    if (patience == 1) limit(RLIMIT_AS, address_space);
    limit(RLIMIT_CORE, 0);
    unsigned size = 0;
    while (receive(client, &size, sizeof size) && size < sizeof words_text && receive(client, words_text, size)) {
        int answer[2];
        answer[0] = run_command(size, environment);
        answer[1] = peak_kibibytes();
        if (send(client, answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer) break;
    }
    _exit(0);
}

int __libc_start_main(main_function main, int count, char** words, void (*initialise)(void), void (*finish)(void),
                      void (*loader)(void), void* stack) {
    start_function start = NULL;
    *(void**)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    tool_main = main;
    return start(serve, count, words, initialise, finish, loader, stack);
}

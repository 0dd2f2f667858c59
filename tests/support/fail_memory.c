/* SPDX-FileCopyrightText: 2026 The tracefold authors
   SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a tool that shall run many times, each time with another request that fails. Starts the tool once, and forks
   before its main function for each request of the socket whose number is in the environment's FAIL_MEMORY: which kind of
   request fails (0: memory, 1: a mapping, 2: a thread), and which of them, counted from 1. The answer: the status of waitpid,
   the number of requests of the kind, and whether libotf2 or libzstd made the one that failed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { memory, mapping, thread, most_seconds = 60 };

typedef int (*main_function)(int, char**, char**);
typedef int (*start_function)(main_function, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);

static main_function tool_main;
static struct shared {
    atomic_int count;
    int of_library;
}* shared; /* with the child */
static int counts;
static int failing_kind;
static int failing_number;

static int fails_for(int kind, void* caller) {
    Dl_info library;
    if (!counts || kind != failing_kind || atomic_fetch_add(&shared->count, 1) + 1 != failing_number) return 0;
    shared->of_library = dladdr(caller, &library) != 0 &&
                         (strstr(library.dli_fname, "open-trace-format") != NULL || strstr(library.dli_fname, "libzstd") != NULL);
    return 1;
}
#define fails(kind) fails_for(kind, __builtin_return_address(0))

#ifdef ADDRESS_SANITIZER
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif
extern void* REAL(malloc)(size_t size);
extern void* REAL(calloc)(size_t items, size_t size);
extern void* REAL(realloc)(void* block, size_t size);
extern void* REAL(memalign)(size_t alignment, size_t size);

static void* refused(void) {
    errno = ENOMEM;
    return NULL;
}

void* malloc(size_t size) { return fails(memory) ? refused() : REAL(malloc)(size); }
void* calloc(size_t items, size_t size) { return fails(memory) ? refused() : REAL(calloc)(items, size); }
void* realloc(void* block, size_t size) { return fails(memory) ? refused() : REAL(realloc)(block, size); }
void* aligned_alloc(size_t alignment, size_t size) { return fails(memory) ? refused() : REAL(memalign)(alignment, size); }
int posix_memalign(void** block, size_t alignment, size_t size) {
    void* const made = fails(memory) ? NULL : REAL(memalign)(alignment, size);
    if (made == NULL) return ENOMEM;
    *block = made;
    return 0;
}

#ifdef ADDRESS_SANITIZER
/* Its operators new do not call malloc. By their names in C++: new, new[], and both with an alignment. */
extern void _ZSt17__throw_bad_allocv(void);

#define OPERATOR_NEW(name, parameters, ...)                          \
    void* name parameters {                                          \
        static void*(*real) parameters;                              \
        if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, #name);  \
        if (fails(memory)) _ZSt17__throw_bad_allocv();               \
        return real(__VA_ARGS__);                                    \
    }
OPERATOR_NEW(_Znwm, (size_t size), size)
OPERATOR_NEW(_Znam, (size_t size), size)
OPERATOR_NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), size, alignment)
OPERATOR_NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), size, alignment)
#endif

void* mmap(void* place, size_t size, int access, int flags, int file, off_t offset) {
    static void* (*real)(void*, size_t, int, int, int, off_t);
    if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "mmap");
    if (!fails(mapping)) return real(place, size, access, flags, file, offset);
    errno = ENOMEM;
    return MAP_FAILED;
}

int pthread_create(pthread_t* id, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    static int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "pthread_create");
    return fails(thread) ? EAGAIN : real(id, attributes, run, argument);
}

static int serve(int arguments, char** words, char** environment) {
    const char* const number = getenv("FAIL_MEMORY");
    if (number == NULL) return tool_main(arguments, words, environment);
    const int client = atoi(number);
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int wanted[2];
    while (recv(client, wanted, sizeof(wanted), MSG_WAITALL) == (ssize_t)sizeof(wanted)) {
        *shared = (struct shared){0};
        const pid_t child = fork();
        if (child == 0) {
            close(client);
            unsetenv("FAIL_MEMORY");
            failing_kind = wanted[0];
            failing_number = wanted[1];
            alarm(most_seconds);
            counts = 1;
            exit(tool_main(arguments, words, environment));
        }
        int answer[3] = {-1, 0, 0};
        waitpid(child, &answer[0], 0);
        answer[1] = atomic_load(&shared->count);
        answer[2] = shared->of_library;
        if (send(client, answer, sizeof(answer), MSG_NOSIGNAL) != (ssize_t)sizeof(answer)) break;
    }
    _exit(0);
}

int __libc_start_main(main_function main, int arguments, char** words, void (*initialise)(void), void (*finish)(void),
                      void (*loader)(void), void* stack) {
    start_function start = NULL;
    *(void**)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    tool_main = main;
    return start(serve, arguments, words, initialise, finish, loader, stack);
}

/* SPDX-FileCopyrightText: 2026 The tracefold authors
   SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a tool one of whose system calls shall fail, as on a disk that breaks: FAIL_CALL of the environment
   says which (open, read, write, sync, close, rename, mkdir, unlink, chmod, link, lock, exchange, readlink; several with
   commas between them), FAIL_NUMBER which of them, counted from 1, or 0 for all. It fails with EIO, or the number
   FAIL_ERROR, and makes the file FAIL_NOTE. Only files and folders count, not pipes and terminals. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_int calls;

static int is_wanted(const char* call) {
    const char* wanted = getenv("FAIL_CALL");
    const size_t size = strlen(call);
    while (wanted != NULL && *wanted != '\0') {
        const size_t end = strcspn(wanted, ",");
        if (end == size && strncmp(wanted, call, size) == 0) return 1;
        wanted += end + (wanted[end] == ',');
    }
    return 0;
}

static int fails(const char* call) {
    if (!is_wanted(call)) return 0;
    const int number = atoi(getenv("FAIL_NUMBER"));
    if (number != 0 && atomic_fetch_add(&calls, 1) + 1 != number) return 0;
    const int note = REAL(open)(getenv("FAIL_NOTE"), O_WRONLY | O_CREAT, 0600);
    if (note >= 0) REAL(close)(note);
    const char* code = getenv("FAIL_ERROR");
    errno = code == NULL ? EIO : atoi(code);
    return 1;
}

static int is_file(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

ssize_t write(int file, const void* bytes, size_t size) {
    return is_file(file) && fails("write") ? -1 : REAL(write)(file, bytes, size);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
    return is_file(file) && fails("write") ? -1 : REAL(writev)(file, parts, count);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t place) {
    return fails("write") ? -1 : REAL(pwrite)(file, bytes, size, place);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t place) {
    return fails("write") ? -1 : REAL(pwrite64)(file, bytes, size, place);
}
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
    return is_file(fileno(file)) && fails("write") ? 0 : REAL(fwrite)(bytes, size, count, file);
}

ssize_t read(int file, void* bytes, size_t size) {
    return is_file(file) && fails("read") ? -1 : REAL(read)(file, bytes, size);
}
ssize_t pread(int file, void* bytes, size_t size, off_t place) {
    return fails("read") ? -1 : REAL(pread)(file, bytes, size, place);
}
ssize_t pread64(int file, void* bytes, size_t size, off64_t place) {
    return fails("read") ? -1 : REAL(pread64)(file, bytes, size, place);
}
size_t fread(void* bytes, size_t size, size_t count, FILE* file) {
    return is_file(fileno(file)) && fails("read") ? 0 : REAL(fread)(bytes, size, count, file);
}

int fsync(int file) { return fails("sync") ? -1 : REAL(fsync)(file); }
int fdatasync(int file) { return fails("sync") ? -1 : REAL(fdatasync)(file); }
int syncfs(int file) { return fails("sync") ? -1 : REAL(syncfs)(file); }

/* A file is closed even if that fails. */
int close(int file) {
    const int failed = is_file(file) && fails("close");
    const int result = REAL(close)(file);
    if (failed) errno = EIO;
    return failed ? -1 : result;
}
int fclose(FILE* file) {
    const int failed = is_file(fileno(file)) && fails("close");
    const int result = REAL(fclose)(file);
    if (failed) errno = EIO;
    return failed ? EOF : result;
}

int rename(const char* from, const char* to) { return fails("rename") ? -1 : REAL(rename)(from, to); }
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
    return fails("rename") || fails("exchange") ? -1 : REAL(renameat2)(from_folder, from, to_folder, to, flags);
}
int link(const char* from, const char* to) { return fails("link") ? -1 : REAL(link)(from, to); }
int unlink(const char* path) { return fails("unlink") ? -1 : REAL(unlink)(path); }
int rmdir(const char* path) { return fails("unlink") ? -1 : REAL(rmdir)(path); }
int remove(const char* path) { return fails("unlink") ? -1 : REAL(remove)(path); }
int fchmod(int file, mode_t mode) { return fails("chmod") ? -1 : REAL(fchmod)(file, mode); }
int fchmodat(int folder, const char* path, mode_t mode, int flags) {
    return fails("chmod") ? -1 : REAL(fchmodat)(folder, path, mode, flags);
}
int flock(int file, int how) { return fails("lock") ? -1 : REAL(flock)(file, how); }
ssize_t readlink(const char* path, char* to, size_t size) {
    return fails("readlink") ? -1 : REAL(readlink)(path, to, size);
}
int mkdir(const char* path, mode_t mode) { return fails("mkdir") ? -1 : REAL(mkdir)(path, mode); }

static mode_t mode_of(int flags, va_list rest) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0; }

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return fails("open") ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return fails("open") ? -1 : REAL(open64)(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return fails("open") ? -1 : REAL(openat)(folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) { return fails("open") ? NULL : REAL(fopen)(path, mode); }
FILE* fopen64(const char* path, const char* mode) { return fails("open") ? NULL : REAL(fopen64)(path, mode); }

/* SPDX-FileCopyrightText: 2026 The tracefold authors
   SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a tool whose outputs are watched: after each call that makes bytes durable or changes a folder, it sends
   a line to the Unix socket WATCH_SOCKET and waits for a byte. Lines: "sync DEVICE INODE", "sync all", "change". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void tell(const char* line) {
    const int error = errno;
    const char* path = getenv("WATCH_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (path == NULL || strlen(path) >= sizeof(address.sun_path)) abort();
    strcpy(address.sun_path, path);
    const int watcher = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char answer;
    if (watcher < 0 || connect(watcher, (const struct sockaddr*)&address, sizeof(address)) != 0 ||
        write(watcher, line, strlen(line)) < 0 || read(watcher, &answer, 1) != 1)
        abort();
    close(watcher);
    errno = error;
}

static int synced(int result, int file) {
    struct stat status;
    char line[64];
    if (result != 0 || fstat(file, &status) != 0) return result;
    snprintf(line, sizeof(line), "sync %llu %llu\n", (unsigned long long)status.st_dev,
             (unsigned long long)status.st_ino);
    tell(line);
    return result;
}
static int changed(int result) {
    if (result == 0) tell("change\n");
    return result;
}

int fsync(int file) { return synced(REAL(fsync)(file), file); }
int fdatasync(int file) { return synced(REAL(fdatasync)(file), file); }
int syncfs(int file) {
    const int result = REAL(syncfs)(file);
    if (result == 0) tell("sync all\n");
    return result;
}

int rename(const char* from, const char* to) { return changed(REAL(rename)(from, to)); }
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
    return changed(REAL(renameat2)(from_folder, from, to_folder, to, flags));
}
int link(const char* from, const char* to) { return changed(REAL(link)(from, to)); }
int mkdir(const char* path, mode_t mode) { return changed(REAL(mkdir)(path, mode)); }
int rmdir(const char* path) { return changed(REAL(rmdir)(path)); }
int unlink(const char* path) { return changed(REAL(unlink)(path)); }
int unlinkat(int folder, const char* path, int flags) { return changed(REAL(unlinkat)(folder, path, flags)); }

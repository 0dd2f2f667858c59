/* SPDX-FileCopyrightText: 2026 The tracefold authors
   SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into tests of the preset `coverage`: a program that a signal or _exit ends writes its profile, too. The functions
   that do so are hidden, but run when a copy of the process ends. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_profile(void) {
    static int is_copy;
    if (is_copy++) return;
    const pid_t copy = fork();
    if (copy == 0) exit(0);
    if (copy > 0) waitpid(copy, NULL, 0);
}

void _exit(int code) {
    write_profile();
    syscall(SYS_exit_group, code);
    __builtin_unreachable();
}

int raise(int signal) {
    write_profile();
    return (int)syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

int kill(pid_t process, int signal) {
    if (process == getpid() && signal != 0) write_profile();
    return (int)syscall(SYS_kill, process, signal);
}

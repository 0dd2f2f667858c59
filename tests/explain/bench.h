/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 The tracefold authors
 *
 * bench.h - what all programs of programs.c have: options, time, communication patterns and the main loop.
 */
#define _GNU_SOURCE
#include <mpi.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEPT __attribute__((noinline))
#define ALL MPI_COMM_WORLD
#define ANY MPI_STATUS_IGNORE

static MPI_Status all_of[65536]; /* of MPI_Waitall; nobody looks at them */

static int rank, ranks, last, i; /* the last one is the step */
static bool clean;
static int steps = 40;     /* of the program */
static double W = 2000;    /* microseconds of work of a rank in a step */
static double s = 1.0;     /* how bad */
static int bytes = 1024;   /* of a message */
static int count = 64;     /* of pieces, where the fault is that there are many or large ones */
static int victim = 1;     /* the rank that is different */
static unsigned long seed = 1;
static char *out, *in;     /* buffers, each with room for twice bytes * count of each rank */
static int columns, row, column, north, south, west, east; /* the grid and the neighbours in it, or MPI_PROC_NULL */
static int left, right;                                    /* neighbours on the ring */
static MPI_Comm row_ranks, column_ranks;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Lets so many microseconds pass. */
KEPT static void work(double us) {
    if (us <= 0) return;
    double end = now() + 1e-6 * us;
    struct timespec t = {.tv_sec = (time_t)end};
    t.tv_nsec = (long)(1e9 * (end - (double)t.tv_sec));
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* From 0 to 1, the same in every run. */
static double chance(int who, int step) {
    uint64_t x = seed * 0x9e3779b97f4a7c15u + (uint64_t)(unsigned)who * 0xbf58476d1ce4e5b9u + (uint64_t)(unsigned)step;
    for (int i = 0; i < 3; ++i) {
        x ^= x >> 30;
        x *= 0x94d049bb133111ebu;
        x ^= x >> 31;
    }
    return (double)(x >> 11) / 9007199254740992.0;
}

/* ---- Patterns that several programs have ---- */

static void put(int size, int to, int tag) { MPI_Send(out, size, MPI_CHAR, to, tag, ALL); }
static void get(int size, int from, int tag) { MPI_Recv(in, size, MPI_CHAR, from, tag, ALL, ANY); }
static void swap(int size, int to, int from, int tag) {
    MPI_Sendrecv(out, size, MPI_CHAR, to, tag, in, size, MPI_CHAR, from, tag, ALL, ANY);
}
KEPT static void halo(int size) { /* borders of the grid, all at once */
    int who[4] = {north, south, west, east}, opposite[4] = {1, 0, 3, 2};
    MPI_Request r[8];
    for (int k = 0; k < 4; ++k) MPI_Irecv(in + k * size, size, MPI_CHAR, who[k], 20 + k, ALL, &r[k]);
    for (int k = 0; k < 4; ++k) MPI_Isend(out, size, MPI_CHAR, who[k], 20 + opposite[k], ALL, &r[4 + k]);
    MPI_Waitall(8, r, all_of);
}
KEPT static void shifts(int size) { /* borders of the grid, one direction after the other */
    swap(size, south, north, 24);
    swap(size, north, south, 25);
    swap(size, east, west, 26);
    swap(size, west, east, 27);
}
KEPT static void norm(void) {
    double a[2] = {rank, 1}, b[2];
    MPI_Allreduce(a, b, 2, MPI_DOUBLE, MPI_SUM, ALL);
}
KEPT static void tree_up(int size) { /* a reduction to rank 0 by hand */
    for (int m = 1; m < ranks; m *= 2) {
        if (rank & m) {
            put(size, rank - m, 28);
            return;
        }
        if (rank + m < ranks) get(size, rank + m, 28);
    }
}
KEPT static void tree_down(int size) { /* a broadcast from rank 0 by hand */
    int m = 1;
    while (m < ranks && !(rank & m)) m *= 2;
    if (m < ranks) get(size, rank - m, 29);
    for (m /= 2; m > 0; m /= 2) if (rank + m < ranks) put(size, rank + m, 29);
}

/* ---- The main loop ---- */

struct Program {
    const char *name;
    void (*step)(void);
    bool grid; /* it has communicators for its rows and columns */
};

static int run(const struct Program *programs, int known, int argc, char **argv) {
    const struct Program *p = NULL;
    for (int k = 0; k < known && argc > 1; ++k) {
        if (strcmp(argv[1], "--list") == 0) puts(programs[k].name);
        if (strcmp(argv[1], programs[k].name) == 0) p = &programs[k];
    }
    if (argc == 2 && strcmp(argv[1], "--list") == 0) return 0;
    bool good = p != NULL;
    for (int k = 2; k < argc && good; ++k) {
        const char *name = argv[k], *value = k + 1 < argc ? argv[k + 1] : "";
        if (strcmp(name, "--clean") == 0) {
            clean = true;
            continue;
        }
        if (strcmp(name, "--steps") == 0) steps = atoi(value);
        else if (strcmp(name, "--work") == 0) W = atof(value);
        else if (strcmp(name, "--severity") == 0) s = atof(value);
        else if (strcmp(name, "--bytes") == 0) bytes = atoi(value);
        else if (strcmp(name, "--count") == 0) count = atoi(value);
        else if (strcmp(name, "--victim") == 0) victim = atoi(value);
        else if (strcmp(name, "--seed") == 0) seed = strtoul(value, NULL, 10);
        else good = false;
        ++k;
    }
    if (!good || steps < 1 || W < 0 || s < 0 || s > 2 || bytes < 16 || count < 1 || victim < 0 ||
        (double)bytes * count > 1e7) {
        fprintf(stderr, "usage: programs NAME [--clean] [--steps N] [--work US] [--severity S] [--bytes N]\n"
                        "                [--count N] [--victim RANK] [--seed N]\n       programs --list\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(ALL, &rank);
    MPI_Comm_size(ALL, &ranks);
    if (ranks < 2 || ranks > 64) MPI_Abort(ALL, 2);
    last = ranks - 1, victim %= ranks;
    left = (rank + last) % ranks, right = (rank + 1) % ranks;
    for (int k = 1; k * k <= ranks; ++k)
        if (ranks % k == 0) columns = k;
    row = rank / columns, column = rank % columns;
    north = row > 0 ? rank - columns : MPI_PROC_NULL, south = rank + columns < ranks ? rank + columns : MPI_PROC_NULL;
    west = column > 0 ? rank - 1 : MPI_PROC_NULL, east = column + 1 < columns ? rank + 1 : MPI_PROC_NULL;
    if (p->grid) MPI_Comm_split(ALL, row, column, &row_ranks);
    if (p->grid) MPI_Comm_split(ALL, column, row, &column_ranks);
    size_t room = ((size_t)bytes * (size_t)count + 64) * (size_t)(ranks + 1) * 2;
    out = calloc(room, 1);
    in = calloc(room, 1);
    if (!out || !in) MPI_Abort(ALL, 1);

    MPI_Barrier(ALL);
    double begin = now();
    for (i = 0; i < steps; ++i) p->step();
    MPI_Barrier(ALL);
    if (rank == 0)
        printf("%s %s ranks=%d steps=%d work=%g severity=%g bytes=%d count=%d victim=%d seed=%lu seconds=%.6f\n",
               p->name, clean ? "clean" : "faulty", ranks, steps, W, s, bytes, count, victim, seed, now() - begin);
    if (p->grid) MPI_Comm_free(&row_ranks);
    if (p->grid) MPI_Comm_free(&column_ranks);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}

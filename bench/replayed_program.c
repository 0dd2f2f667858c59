/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * replayed_program KERNEL STEPS: small MPI programs that tests/campaign fidelity records and
 * replays. With one process they send to themselves. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 512, ROWS = 128, TILE = 64, MESSAGES = 4, LARGEST = 32768, PART = 4096 };

static int rank, size, before, after;
static double sink;

static void *room(size_t bytes) {
    void *memory = calloc(1, bytes);
    if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    return memory;
}

/* Messages of `count` bytes to both neighbours and from them. */
static void exchange(char *out[2], char *in[2], int count) {
    MPI_Request requests[4];
    MPI_Irecv(in[0], count, MPI_BYTE, before, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in[1], count, MPI_BYTE, after, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out[1], count, MPI_BYTE, after, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out[0], count, MPI_BYTE, before, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* A Jacobi iteration on rows of a plane, with halos, and its residual now and then. */
static void heat(int steps) {
    double *now = room((ROWS + 2) * COLUMNS * sizeof *now);
    double *next = room((ROWS + 2) * COLUMNS * sizeof *next);
    now[COLUMNS + COLUMNS / 2] = 1000;
    for (int step = 0; step < steps; step++) {
        char *out[2] = {(char *)(now + COLUMNS), (char *)(now + ROWS * COLUMNS)};
        char *in[2] = {(char *)now, (char *)(now + (ROWS + 1) * COLUMNS)};
        exchange(out, in, COLUMNS * sizeof *now);
        double residual = 0, all = 0;
        for (int y = 1; y <= ROWS; y++)
            for (int x = 1; x + 1 < COLUMNS; x++) {
                const int i = y * COLUMNS + x;
                next[i] = (now[i - 1] + now[i + 1] + now[i - COLUMNS] + now[i + COLUMNS]) / 4;
                residual += (next[i] - now[i]) * (next[i] - now[i]);
            }
        double *old = now;
        now = next;
        next = old;
        if (step % 10 == 0) MPI_Allreduce(&residual, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sink += all;
    }
    free(now);
    free(next);
}

/* The inner products of a conjugate gradient method. */
static void products(int steps) {
    double *x = room(COLUMNS * TILE * sizeof *x);
    for (int step = 0; step < steps; step++) {
        double own = 0, all = 0;
        for (int i = 0; i < COLUMNS * TILE; i++) {
            x[i] = x[i] * 0.5 + step;
            own += x[i] * x[i];
        }
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sink += all;
    }
    free(x);
}

/* A sweep: every tile needs what the process before has made of it. */
static void wavefront(int steps) {
    double *tile = room(TILE * TILE * sizeof *tile);
    MPI_Request request;
    for (int step = 0; step < steps; step++) {
        if (size == 1) MPI_Isend(tile, TILE, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &request);
        if (size == 1 || rank > 0)
            MPI_Recv(tile + TILE, TILE, MPI_DOUBLE, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (size == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = TILE; i < TILE * TILE; i++) tile[i] = (tile[i] + tile[i - TILE]) / 2 + step;
        if (size > 1 && rank + 1 < size)
            MPI_Send(tile, TILE, MPI_DOUBLE, after, 3, MPI_COMM_WORLD);
    }
    sink += tile[TILE];
    free(tile);
}

/* Transposition and a pass over the data, as in a Fourier transform. */
static void transpose(int steps) {
    const size_t count = (size_t)PART * size;
    double *out = room(count * sizeof *out);
    double *in = room(count * sizeof *in);
    for (int step = 0; step < steps; step++) {
        for (size_t i = 0; i < count; i++) out[i] = in[i] * 0.5 + (double)i;
        MPI_Alltoall(out, PART, MPI_DOUBLE, in, PART, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    sink += in[0];
    free(out);
    free(in);
}

/* Nothing but short messages. */
static void messages(int steps) {
    char *out[2] = {room(64), room(64)};
    char *in[2] = {room(64), room(64)};
    for (int step = 0; step < steps; step++) exchange(out, in, 64);
    for (int i = 0; i < 2; i++) free(out[i]), free(in[i]);
}

/* Nothing but messages of all sizes, there and back. */
static void pingpong(int steps) {
    char *data = room(2 * LARGEST);
    MPI_Request request;
    for (int step = 0; step < steps; step++) {
        const int count = 1 << step % 16;
        if (size == 1) MPI_Isend(data, count, MPI_BYTE, 0, 5, MPI_COMM_WORLD, &request);
        if (size > 1 && rank == 0) MPI_Send(data, count, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
        if (rank < 2)
            MPI_Recv(data + LARGEST, count, MPI_BYTE, size == 1 ? 0 : 1 - rank, 5, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (size > 1 && rank == 1) MPI_Send(data, count, MPI_BYTE, 0, 5, MPI_COMM_WORLD);
        if (size == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    free(data);
}

static const struct {
    const char *name;
    void (*run)(int steps);
} kernels[] = {{"heat", heat},           {"products", products}, {"wavefront", wavefront},
               {"transpose", transpose}, {"messages", messages}, {"pingpong", pingpong}};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    before = (rank + size - 1) % size;
    after = (rank + 1) % size;
    int known = 0;
    for (size_t i = 0; argc == 3 && i < sizeof kernels / sizeof *kernels; i++) {
        if (strcmp(argv[1], kernels[i].name) != 0) continue;
        known = 1;
        MPI_Barrier(MPI_COMM_WORLD);
        kernels[i].run(atoi(argv[2]));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (!known && rank == 0) fprintf(stderr, "usage: replayed_program KERNEL STEPS\n");
    MPI_Finalize();
    return !known || sink < 0;
}

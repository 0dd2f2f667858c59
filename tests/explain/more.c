/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 The tracefold authors
 *
 * more.c - twenty more small MPI programs, each with one performance fault, and their clean twins.
 *
 *   mpicc -std=c11 -O2 -Wall -Wextra more.c -o more -lm
 *   mpiexec -n 4 ./more wave_line --steps 40            with the fault
 *   mpiexec -n 4 ./more wave_line --steps 40 --clean    the twin without it
 *   ./more --list                                       what there is
 *
 * Like programs.c, these were written without knowledge of the tool that they test, but they communicate in other
 * ways. The comment of each program begins with the cause that is its truth. W is --work and s is --severity.
 */
#include "bench.h"

static double fault(double x) { return clean ? 0 : x * s; } /* what a faulty program has in excess */

/* ---- Patterns ---- */

static int up(void) { return rank < last ? rank + 1 : MPI_PROC_NULL; } /* neighbours on a line without a wrap */
static int down(void) { return rank > 0 ? rank - 1 : MPI_PROC_NULL; }

KEPT static void line_borders(int size) { /* 1-D stencil with two shifts */
    swap(size, up(), down(), 50);
    swap(size, down(), up(), 51);
}
KEPT static void line_at_once(int size, int pieces) { /* 1-D stencil without blocking, each border in some pieces */
    int who[2] = {down(), up()}, n = 0;
    MPI_Request r[64];
    for (int k = 0; k < 2 * pieces; ++k) MPI_Irecv(in + k * size, size, MPI_CHAR, who[k % 2], 52, ALL, &r[n++]);
    for (int k = 0; k < 2 * pieces; ++k) MPI_Isend(out + k * size, size, MPI_CHAR, who[k % 2], 52, ALL, &r[n++]);
    MPI_Waitall(n, r, all_of);
}
KEPT static void ordered_halo(int size) { /* 2-D halo of blocking calls; odd ones receive while even ones send */
    for (int way = 0; way < 2; ++way) {
        int where = way == 0 ? row : column, before = way == 0 ? north : west, after = way == 0 ? south : east;
        for (int k = 0; k < 2; ++k) {
            int who = (where + k) % 2 == 0 ? after : before;
            if (where % 2 == 0) put(size, who, 53), get(size, who, 53);
            else get(size, who, 53), put(size, who, 53);
        }
    }
}
KEPT static void butterfly(int size) { /* a reduction to all by hand */
    for (int m = 1; m < ranks; m *= 2)
        swap(size, (rank ^ m) < ranks ? rank ^ m : MPI_PROC_NULL, (rank ^ m) < ranks ? rank ^ m : MPI_PROC_NULL, 54);
}
KEPT static void dot(void) {
    double a = i, b;
    MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, MPI_SUM, ALL);
}

/* ---- Work that is not even ---- */

static void wave_line(void) { /* straggler: the victim works 1 + 0.6 s on its part of a string; 1-D stencil */
    line_borders(bytes);
    work(W * (1 + (rank == victim ? fault(0.6) : 0)));
}
static void conjugate(void) { /* slow_group: of four ranks, the two in the middle work 1 + 0.6 s; two dot products */
    double more = rank % 4 == 1 || rank % 4 == 2 ? fault(0.6) : 0;
    line_at_once(bytes, 1);
    work(0.6 * W * (1 + more)); /* the matrix times the vector */
    dot();
    work(0.2 * W * (1 + more)); /* vectors */
    dot();
    work(0.2 * W * (1 + more));
}
static void plasma(void) { /* imbalance: all have different numbers of particles, 1 - 0.45 s to 1 + 0.45 s of W */
    int n[64], m[64], at[64], from[64], place = (rank * 3 + 1) % ranks;
    if (ranks % 3 == 0) place = rank;
    work(0.9 * W * (1 + fault(0.9) * ((double)place / last - 0.5)));
    for (int k = 0; k < ranks; ++k) n[k] = 8 + (int)(0.9 * bytes * chance(64 * rank + k, i)), at[k] = k * bytes;
    MPI_Alltoall(n, 1, MPI_INT, m, 1, MPI_INT, ALL); /* how many particles come */
    for (int k = 0; k < ranks; ++k) from[k] = k * bytes;
    MPI_Alltoallv(out, n, at, MPI_CHAR, in, m, from, MPI_CHAR, ALL);
    work(0.1 * W * (1 + fault(0.9) * ((double)place / last - 0.5)));
}
static void ensemble(void) { /* drift: the victim's member works 1 + 1.4 s i / steps; parameters go out, results back */
    MPI_Bcast(out, bytes, MPI_CHAR, 0, ALL);
    work(W * (1 + (rank == victim ? fault(1.4) * i / steps : 0)));
    MPI_Gather(out, 64, MPI_CHAR, in, 64, MPI_CHAR, 0, ALL);
}
static void vcycle(void) { /* growing_work: all work 1 + 1.4 s i / steps on the levels of a V-cycle */
    double grown = 1 + fault(1.4) * i / steps;
    for (int k = -2; k <= 2; ++k) {
        int level = k < 0 ? 2 + k : 2 - k; /* 0, 1, 2, 1, 0, where 0 is the finest */
        work(W * grown * (k == -2 || k == 2 ? 0.35 : k == 0 ? 0.06 : 0.12));
        line_at_once(bytes >> level, 1 << level);
    }
    butterfly(8);
}
static void ocean(void) { /* rare_steps: all make a new mesh, 4 s of W, in every ninth step; ordered 2-D halo */
    work(W / 2);
    ordered_halo(bytes);
    work(W / 2);
    if (i % 9 == 4) work(fault(4) * W);
    ordered_halo(bytes / 2);
    dot();
}
static void laser(void) { /* moving_imbalance: the rank under the laser has s of W more; it moves every 2 steps */
    bool here = (i / 2) % ranks == rank;
    work(W * (1 + (clean ? s / ranks : here ? s : 0)));
    line_at_once(bytes, 2);
    MPI_Alltoall(out, 8, MPI_CHAR, in, 8, MPI_CHAR, ALL);
}
static void samplers(void) { /* noise: one time in eight a rank loses 0.8 s to 1.6 s of W; reductions overlap */
    double a[2] = {i, 1}, b[2];
    MPI_Request r;
    double lost = chance(rank, 2 * i) < 0.125 ? fault(0.8 + 0.8 * chance(rank, 2 * i + 1)) : 0;
    work(W * (0.75 + lost));
    MPI_Iallreduce(a, b, 2, MPI_DOUBLE, MPI_SUM, ALL, &r);
    work(W * 0.25);
    MPI_Wait(&r, ANY);
}

/* ---- One rank for all ---- */

static void forecast(void) { /* serial_part: rank 0 alone works 0.7 s of W on what came over the rows and columns */
    work(W);
    MPI_Gather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, 0, row_ranks);
    if (column == 0) MPI_Reduce(out, in, bytes, MPI_CHAR, MPI_MAX, 0, column_ranks);
    work(0.7 * s * W * (clean ? 1.0 / ranks : rank == 0));
    if (column == 0) MPI_Bcast(out, bytes, MPI_CHAR, 0, column_ranks);
    MPI_Bcast(out, bytes, MPI_CHAR, 0, row_ranks);
}
static void hash_table(void) { /* hot_spot: all keys of all ranks hash to the last rank; the twin's go to all */
    int n = 0, come = clean ? last : rank == last ? last * last : 0;
    MPI_Request r[64];
    work(W);
    for (int k = 1; k < ranks; ++k) {
        int to = clean ? (rank + k) % ranks : last;
        if (to != rank) MPI_Isend(out + k * 64, 64, MPI_CHAR, to, 55, ALL, &r[n++]);
    }
    for (int k = 0; k < come; ++k) {
        get(64, MPI_ANY_SOURCE, 55);
        work(0.3 * s * W / last); /* to insert it */
    }
    MPI_Waitall(n, r, all_of);
    dot();
}
static void restart(void) { /* start_up: rank 0 reads the parts of all, 0.6 s of all the work, and sends each */
    double part = 0.6 * s * W * steps / ranks;
    if (i == 0) {
        if (clean || rank == 0) work(part);
        for (int k = 1; k < ranks && !clean && rank == 0; ++k) {
            work(part);
            put(bytes, k, 56);
        }
        if (!clean && rank > 0) get(bytes, 0, 56);
    }
    shifts(bytes);
    work(W);
    butterfly(64);
}
static void report(void) { /* end: at last the middle rank takes the results of all and works 0.6 s of all on them */
    double part = 0.6 * s * W * steps / ranks;
    int middle = ranks / 2;
    work(W / 2);
    halo(bytes);
    work(W / 2);
    norm();
    if (i < steps - 1) return;
    work(clean || rank == middle ? part : 0);
    if (rank != middle) put(bytes, middle, 57);
    for (int k = 1; k < ranks && rank == middle; ++k) {
        get(bytes, MPI_ANY_SOURCE, 57);
        if (!clean) work(part);
    }
}

/* ---- Order ---- */

static void fluxes(void) { /* late_sender: even ranks do 0.6 s of inner work before they send the fluxes they have */
    double inner = 0.6 * (s < 1.4 ? s : 1.4) * W, first = clean ? 0 : inner;
    if (rank % 2 == 0) {
        work(0.1 * W + first);
        put(bytes, down(), 58);
        put(bytes, up(), 58);
        work(0.9 * W - first);
    } else {
        work(0.2 * W);
        get(bytes, down(), 58);
        get(bytes, up(), 58);
        work(0.8 * W);
    }
    MPI_Allgather(out, 8, MPI_CHAR, in, 8, MPI_CHAR, ALL);
}
static void buddies(void) { /* late_receiver: copies to a buddy, from even to odd, then back, meet a late receive */
    int size = bytes * count, buddy = (rank ^ 1) < ranks ? rank ^ 1 : MPI_PROC_NULL;
    MPI_Request r;
    for (int k = 0; k < 2; ++k) {
        if (rank % 2 == k) {
            work(0.1 * W);
            if (clean) MPI_Isend(out, size, MPI_CHAR, buddy, 59, ALL, &r);
            else MPI_Ssend(out, size, MPI_CHAR, buddy, 59, ALL);
            work(0.4 * W);
        } else {
            if (clean) MPI_Irecv(in, size, MPI_CHAR, buddy, 59, ALL, &r);
            work(0.5 * W);
            if (!clean) get(size, buddy, 59);
        }
        if (clean) MPI_Wait(&r, ANY);
    }
}
static void ssor(void) { /* chain: a sweep from the first to the last rank and one back, each 0.1 s of the work */
    double part = 0.1 * s * W;
    work(W - 2 * part);
    if (clean) line_borders(bytes);
    else get(bytes, down(), 60);
    work(part);
    if (clean) line_borders(bytes);
    else put(bytes, up(), 60), get(bytes, up(), 61);
    work(part);
    if (!clean) put(bytes, down(), 61);
}
static void stages(void) { /* needless_barrier: four stages of 0.1 to 0.4 of W in an order of its own, and barriers */
    MPI_Request r[2];
    int first = (int)(4 * chance(rank, i));
    MPI_Irecv(in, bytes, MPI_CHAR, right, 62, ALL, &r[0]);
    for (int k = 0; k < 4; ++k) {
        work(0.1 * W * (1 + (first + k) % 4));
        if (!clean) MPI_Barrier(ALL);
    }
    MPI_Isend(out, bytes, MPI_CHAR, left, 62, ALL, &r[1]);
    MPI_Waitall(2, r, all_of);
}
static void ghosts(void) { /* polling: sleeps 0.5 s of W whenever the ghost cells of the ring are not all there */
    MPI_Request r[4];
    int there = clean;
    MPI_Irecv(in, bytes, MPI_CHAR, left, 63, ALL, &r[0]);
    MPI_Irecv(in + bytes, bytes, MPI_CHAR, right, 64, ALL, &r[1]);
    work(W * (0.95 + 0.1 * chance(rank, i)));
    MPI_Isend(out, bytes, MPI_CHAR, right, 63, ALL, &r[2]);
    MPI_Isend(out, bytes, MPI_CHAR, left, 64, ALL, &r[3]);
    if (clean) MPI_Waitall(4, r, all_of);
    while (!there) {
        MPI_Testall(4, r, &there, all_of);
        if (!there) work(0.5 * s * W);
    }
}

/* ---- Messages ---- */

static void remap(void) { /* small_messages: each rank sends each other one `count` cells, a message for each cell */
    int times = clean ? 1 : count, size = clean ? 16 * count : 16;
    MPI_Request *r = malloc(sizeof *r * 2 * (size_t)count);
    work(W);
    for (int d = 1; d < ranks; ++d) {
        int n = 0, to = (rank + d) % ranks, from = (rank + ranks - d) % ranks;
        for (int k = 0; k < times; ++k) MPI_Irecv(in + 16 * k, size, MPI_CHAR, from, 65, ALL, &r[n++]);
        for (int k = 0; k < times; ++k) MPI_Isend(out + 16 * k, size, MPI_CHAR, to, 65, ALL, &r[n++]);
        MPI_Waitall(n, r, all_of);
    }
    free(r);
}
static void diagnostics(void) { /* many_collectives: `count` numbers are gathered and reduced, one at a time */
    int times = clean ? 1 : count, size = clean ? count : 1;
    work(W);
    tree_down(64); /* what is asked for */
    for (int k = 0; k < times; ++k) {
        MPI_Allgather(out, size, MPI_DOUBLE, in, size, MPI_DOUBLE, ALL);
        MPI_Reduce(out, in, size, MPI_DOUBLE, MPI_MAX, 0, ALL);
    }
    tree_up(8);
}
static void padded(void) { /* bandwidth: lists to all ranks are padded to bytes * count, though they have few entries */
    int size = clean ? bytes : bytes * count;
    work(W / 2);
    MPI_Alltoall(out, size, MPI_CHAR, in, size, MPI_CHAR, ALL);
    work(W / 2);
    dot();
}

/* ---- The table ---- */

static const struct Program programs[] = {
#define P(name) {#name, name, false}
#define G(name) {#name, name, true} /* it has communicators for rows and columns */
    P(wave_line), P(conjugate), P(plasma), P(ensemble), P(vcycle), P(ocean), P(laser), P(samplers), G(forecast),
    P(hash_table), P(restart), P(report), P(fluxes), P(buddies), P(ssor), P(stages), P(ghosts), P(remap),
    P(diagnostics), P(padded)};
enum { kPrograms = sizeof programs / sizeof *programs };

int main(int argc, char **argv) {
    return run(programs, kPrograms, argc, argv);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 The tracefold authors
 *
 * programs.c - small MPI programs, each with one performance fault, and their clean twins.
 *
 *   mpicc -std=c11 -O2 -Wall -Wextra programs.c -o programs -lm
 *   mpiexec -n 4 ./programs heat --steps 40            with the fault
 *   mpiexec -n 4 ./programs heat --steps 40 --clean    the twin without it
 *   ./programs --list                                  what there is
 *
 * These programs were written without knowledge of the tool that they test. The comment of each begins with the
 * cause that is its truth. A program and its twin take the same options. Rank 0 prints one line that ends with
 * the seconds from the barrier after MPI_Init to the barrier before MPI_Finalize.
 *
 * Work is time that passes: a rank sleeps until a deadline. W is --work and s is --severity below. Ranks form a
 * grid of rows and columns with two columns (or more, with many ranks); programs that need it have a communicator
 * for their row and one for their column, made once before the clock starts.
 */
#include "bench.h"

/* ---- Work that is not even ---- */

static void heat(void) { /* straggler: the victim works 1 + 0.7 s between the halos of a grid */
    work(W * (1 + (!clean && rank == victim ? 0.7 * s : 0)));
    halo(bytes);
    if (i % 5 == 4) norm();
}
static void carousel(void) { /* straggler: blocks go round the ring to the left, and the victim is slow on each */
    for (int k = 0; k < 3; ++k) {
        work(W / 3 * (1 + (!clean && rank == victim ? 0.7 * s : 0)));
        MPI_Sendrecv_replace(out, bytes, MPI_CHAR, left, 1, right, 1, ALL, ANY);
    }
    tree_up(8);
}
static void rows_solver(void) { /* slow_group: the ranks of the upper half of the rows work 1 + 0.7 s */
    double a = i, b;
    work(W * (1 + (!clean && row < ranks / columns / 2 ? 0.7 * s : 0)));
    MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, MPI_SUM, row_ranks);
    swap(bytes, south, north, 2);
    MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, MPI_MAX, column_ranks);
}
static void two_kinds(void) { /* slow_group: every second rank works 1 + 0.8 s, in two phases with reductions */
    double more = !clean && rank % 2 == 1 ? 0.8 * s : 0;
    work(W / 2 * (1 + more));
    shifts(bytes);
    norm();
    work(W / 2 * (1 + more));
    norm();
}
static void nbody(void) { /* imbalance: the first rank has most, the last one has least; particles go round */
    double tilt = last > 0 ? 0.5 - (double)rank / last : 0;
    for (int k = 0; k < 2; ++k) {
        work(W / 2 * (1 + (clean ? 0 : s * tilt)));
        swap(bytes, right, left, 3);
    }
    norm();
}
static void triangle(void) { /* imbalance: rows of a triangular matrix in equal numbers; pivots are broadcast */
    MPI_Bcast(out, bytes, MPI_CHAR, i % ranks, ALL);
    work(W * (clean ? 1 : 1 + s * ((2.0 * rank + 1) / ranks - 1)));
    MPI_Allgather(out, 8, MPI_CHAR, in, 8, MPI_CHAR, ALL);
}
static void leak(void) { /* drift: the victim works 1 + 1.6 s i / steps; its messages are persistent requests */
    static MPI_Request r[4];
    if (i == 0) {
        MPI_Recv_init(in, bytes, MPI_CHAR, left, 4, ALL, &r[0]);
        MPI_Recv_init(in + bytes, bytes, MPI_CHAR, right, 5, ALL, &r[1]);
        MPI_Send_init(out, bytes, MPI_CHAR, right, 4, ALL, &r[2]);
        MPI_Send_init(out, bytes, MPI_CHAR, left, 5, ALL, &r[3]);
    }
    work(W * (1 + (!clean && rank == victim ? 1.6 * s * i / steps : 0)));
    MPI_Startall(4, r);
    MPI_Waitall(4, r, all_of);
    norm();
    for (int k = 0; k < 4 && i == steps - 1; ++k) MPI_Request_free(&r[k]);
}
static void swarm(void) { /* growing_work: each rank works 1 + 1.6 s i / steps, as lists are never cleaned up */
    work(W * (1 + (clean ? 0 : 1.6 * s * i / steps)));
    swap(bytes, left, right, 6);
    MPI_Reduce(out, in, 1, MPI_DOUBLE, MPI_SUM, last, ALL);
    MPI_Bcast(out, 8, MPI_CHAR, last, ALL);
}
static void rebuild(void) { /* rare_steps: in every eighth step all ranks build their lists again: 5 s of W */
    work(W * (1 + (!clean && i % 8 == 5 ? 5 * s : 0)));
    halo(bytes);
    norm();
}
static void output(void) { /* rare_steps: the last rank alone writes for 6 s of W in every tenth step */
    MPI_Request r;
    work(W);
    if (i % 10 == 3) MPI_Gather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, last, ALL);
    if (!clean && i % 10 == 3 && rank == last) work(6 * s * W);
    shifts(bytes);
    MPI_Ibarrier(ALL, &r);
    MPI_Wait(&r, ANY);
}
static void jitter(void) { /* noise: one time in eight a rank is held up by 2 s of W */
    double a[4] = {0}, b[4];
    MPI_Request r;
    work(W * (1 + (!clean && chance(rank, i) < 0.125 ? 2 * s : 0)));
    MPI_Iallreduce(a, b, 4, MPI_DOUBLE, MPI_MAX, ALL, &r);
    MPI_Wait(&r, ANY);
    swap(bytes, right, left, 7);
}
static void front(void) { /* moving_imbalance: a shock front is with another rank in each step and costs 1.2 s of W */
    work(W * (1 + (clean ? 1.2 * s / ranks : last - i % ranks == rank ? 1.2 * s : 0)));
    halo(bytes);
    MPI_Allgather(out, 16, MPI_CHAR, in, 16, MPI_CHAR, ALL);
}

/* ---- Order ---- */

static void setup_tree(void) { /* late_sender: rank 0 does 0.6 s of its work before it sends what it had all along */
    double before = clean || rank > 0 ? 0 : 0.6 * (s < 1.5 ? s : 1.5) * W;
    work(before);
    tree_down(bytes);
    work(W - before);
    norm();
}
static void red_black(void) { /* late_sender: even rows do the inner points before they send the border */
    int partner = row % 2 == 0 ? south : north;
    double border = 0.1 * W, inner = 0.7 * W;
    if (row % 2 == 0) {
        work(border + (clean ? 0 : inner));
        put(bytes, partner, 8);
        work(W - border - (clean ? 0 : inner));
    } else {
        work(0.2 * W);
        get(bytes, partner, 8);
        work(0.8 * W);
    }
    norm();
}
static void collect(void) { /* late_receiver: large results wait until rank 0 has done its own work */
    int size = bytes * count, n = 0;
    MPI_Request r[64];
    if (rank == 0) {
        for (int k = 1; k < ranks && clean; ++k) MPI_Irecv(in + k * size, size, MPI_CHAR, k, 9, ALL, &r[n++]);
        work(W);
        for (int k = 1; k < ranks && !clean; ++k) get(size, k, 9);
    } else {
        work(0.2 * W);
        if (clean) MPI_Isend(out, size, MPI_CHAR, 0, 9, ALL, &r[n++]);
        else put(size, 0, 9);
        work(0.8 * W);
    }
    MPI_Waitall(n, r, all_of);
    norm();
}
static void transpose(void) { /* late_receiver: even ranks send large blocks halfway, odd ones receive at the end */
    int size = bytes * count;
    MPI_Request r[2];
    if (clean) {
        MPI_Irecv(in, size, MPI_CHAR, left, 10, ALL, &r[0]);
        work(W / 4);
        MPI_Isend(out, size, MPI_CHAR, right, 10, ALL, &r[1]);
        work(W * 3 / 4);
        MPI_Waitall(2, r, all_of);
    } else if (rank % 2 == 0) {
        work(W / 4);
        MPI_Ssend(out, size, MPI_CHAR, right, 10, ALL);
        work(W * 3 / 4);
        get(size, left, 10);
    } else {
        work(W);
        get(size, left, 10);
        MPI_Ssend(out, size, MPI_CHAR, right, 10, ALL);
    }
}
static void inbox(void) { /* fixed_order: rank 0 works on results in the order of ranks, but rank 1 sends last */
    MPI_Request r[64];
    double before = W * (ranks - rank) / ranks;
    if (rank > 0) {
        work(before);
        MPI_Isend(out, bytes, MPI_CHAR, 0, 11, ALL, &r[0]);
        work(W - before);
        MPI_Wait(&r[0], ANY);
    } else {
        for (int k = 0; k < last; ++k) MPI_Irecv(in + k * bytes, bytes, MPI_CHAR, k + 1, 11, ALL, &r[k]);
        for (int k = 0, which = 0; k < last; ++k) {
            if (clean) MPI_Waitany(last, r, &which, ANY);
            else MPI_Wait(&r[k], ANY);
            work(0.9 * W / last);
        }
    }
    MPI_Bcast(out, 8, MPI_CHAR, 0, ALL);
}
static void sweep_back(void) { /* chain: 0.3 s of the work starts when the rank after this one has done its part */
    double part = 0.3 * s * W;
    int next = rank < last ? rank + 1 : MPI_PROC_NULL, previous = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    work(W - part);
    if (clean) swap(bytes, previous, next, 12);
    else get(bytes, next, 12);
    work(part);
    if (!clean) put(bytes, previous, 12);
    norm();
}
static void wavefront(void) { /* chain: over the grid from the first to the last rank, each after north and west */
    work(W / 2);
    if (clean) {
        halo(bytes);
    } else {
        get(bytes, north, 13);
        get(bytes, west, 14);
    }
    work(W / 2);
    if (!clean) {
        put(bytes, south, 13);
        put(bytes, east, 14);
    }
    norm();
}
static void directory(void) { /* exchange_order: all ask rank 0 first, then rank 1, ...; the twin asks in shifts */
    MPI_Status from;
    work(W);
    for (int k = 0; k < ranks; ++k) {
        int ask = clean ? (rank + k) % ranks : k, answers = clean ? 1 : rank == k ? last : 0;
        MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        if (clean && k == 0) continue;
        if (ask != rank) {
            MPI_Irecv(in, bytes, MPI_CHAR, ask, 16, ALL, &r[0]);
            MPI_Isend(out, 8, MPI_CHAR, ask, 15, ALL, &r[1]);
        }
        while (answers-- > 0) {
            MPI_Recv(in + bytes, 8, MPI_CHAR, clean ? (rank - k + ranks) % ranks : MPI_ANY_SOURCE, 15, ALL, &from);
            work(W / 12 * s);
            put(bytes, from.MPI_SOURCE, 16);
        }
        MPI_Waitall(2, r, all_of);
    }
    norm();
}
static void two_phases(void) { /* needless_barrier: what is long in one phase is short in the other */
    double u = 1.6 * (chance(rank, i) - 0.5) * (s < 1.2 ? s : 1.2);
    work(W / 2 * (1 + u));
    if (!clean) MPI_Barrier(ALL);
    work(W / 2 * (1 - u));
    swap(bytes, right, left, 17);
}

/* ---- One rank for all ---- */

static void load(void) { /* start_up: the last rank reads for 0.8 s of all the work, then scatters */
    double all = 0.8 * s * W * steps;
    if (i == 0) {
        work(clean ? all / ranks : rank == last ? all : 0);
        MPI_Scatter(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, last, ALL);
    }
    work(W);
    shifts(bytes);
    norm();
}
static void summary(void) { /* end: after the last step the victim works for 0.8 s of all; the twin shares this */
    double all = 0.8 * s * W * steps;
    work(W);
    halo(bytes);
    if (i < steps - 1) return;
    MPI_Gather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, victim, ALL);
    work(clean ? all / ranks : rank == victim ? all : 0);
}
static void gather_scatter(void) { /* serial_part: the last rank works 0.8 s between a gather and a scatter */
    work(W);
    MPI_Gather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, last, ALL);
    work(0.8 * s * W * (clean ? 1.0 / ranks : rank == last));
    MPI_Scatter(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, last, ALL);
}
static void coarse_grid(void) { /* serial_part: rank 0 solves the coarse grid, 0.9 s, between trees by hand */
    work(W / 2);
    halo(bytes);
    work(W / 2);
    tree_up(bytes);
    work(0.9 * s * W * (clean ? 1.0 / ranks : rank == 0));
    tree_down(bytes);
}
static void histogram(void) { /* hot_spot: the middle rank works 0.3 s on a message of each; the twin combines */
    int middle = ranks / 2;
    work(W);
    if (clean) {
        work(0.3 * s * W);
        MPI_Reduce(out, in, bytes, MPI_CHAR, MPI_MAX, middle, ALL);
    } else if (rank != middle) {
        put(bytes, middle, 30);
    } else {
        for (int k = 1; k < ranks; ++k) {
            MPI_Status st;
            MPI_Probe(MPI_ANY_SOURCE, 30, ALL, &st);
            get(bytes, st.MPI_SOURCE, 30);
            work(0.3 * s * W);
        }
    }
    norm();
}
static void table(void) { /* hot_spot: the victim has the table that all ask (0.3 s each); the twin's is spread */
    MPI_Request r[2];
    MPI_Status st;
    int owner = clean ? right : victim, questions = clean ? 1 : rank == victim ? last : 0, n = 0;
    work(W);
    if (owner != rank) {
        MPI_Irecv(in, bytes, MPI_CHAR, owner, 32, ALL, &r[n++]);
        MPI_Isend(out, 8, MPI_CHAR, owner, 31, ALL, &r[n++]);
    }
    for (; questions > 0; --questions) {
        MPI_Recv(in + bytes, 8, MPI_CHAR, MPI_ANY_SOURCE, 31, ALL, &st);
        work(0.3 * s * W);
        put(bytes, st.MPI_SOURCE, 32);
    }
    MPI_Waitall(n, r, all_of);
}
static void farm(void) { /* small_tasks: the last rank deals out tasks that are three times too small */
    int tasks = (clean ? 4 : 12) * last, given = 0, t = 0;
    MPI_Status st;
    if (rank != last) {
        for (;;) {
            MPI_Recv(&t, 1, MPI_INT, last, 33, ALL, ANY);
            if (t < 0) return;
            work(W / (clean ? 4 : 12));
            MPI_Send(&t, 1, MPI_INT, last, 34, ALL);
        }
    }
    for (int k = 0; k < last; ++k, ++given) MPI_Send(&given, 1, MPI_INT, k, 33, ALL);
    for (int done = 0; done < tasks; ++done) {
        MPI_Recv(&t, 1, MPI_INT, MPI_ANY_SOURCE, 34, ALL, &st);
        work(25 * s); /* to store a result and to find a task */
        t = given < tasks ? given++ : -1;
        MPI_Send(&t, 1, MPI_INT, st.MPI_SOURCE, 33, ALL);
    }
}

/* ---- Messages ---- */

static void lists(void) { /* growing_messages: lists that both neighbours get grow from bytes to bytes * count */
    int size = clean ? bytes : bytes + (int)((double)bytes * (count - 1) * i / steps);
    work(W);
    swap(size, right, left, 35);
    swap(size, left, right, 36);
}
static void lookup(void) { /* latency: each rank asks its right neighbour `count` times for one number */
    int times = clean ? 1 : count, size = clean ? 8 * count : 8;
    work(W / 2);
    for (int k = 0; k < times; ++k) {
        swap(size, right, left, 37); /* the question, and the one of the other neighbour */
        swap(size, left, right, 38); /* the answers */
    }
    norm();
}
static void unpacked(void) { /* small_messages: each point of the border of a grid is a message of its own */
    int who[4] = {north, south, west, east}, n = 0;
    MPI_Request *r = malloc(sizeof *r * 8 * (size_t)count);
    work(W / 2);
    if (clean) halo(8 * count);
    for (int k = 0; k < 4 * count && !clean; ++k) MPI_Irecv(in + 8 * k, 8, MPI_CHAR, who[k / count], 39, ALL, &r[n++]);
    for (int k = 0; k < 4 * count && !clean; ++k) MPI_Isend(out + 8 * k, 8, MPI_CHAR, who[k / count], 39, ALL, &r[n++]);
    MPI_Waitall(n, r, all_of);
    free(r);
}
static void orthogonal(void) { /* many_collectives: `count` dot products in rows and columns, one at a time */
    int times = clean ? 1 : count, size = clean ? count : 1;
    work(W / 2);
    for (int k = 0; k < times; ++k) {
        MPI_Allreduce(out, in, size, MPI_DOUBLE, MPI_SUM, row_ranks);
        MPI_Bcast(out, size, MPI_DOUBLE, 0, column_ranks);
    }
}
static void replicate(void) { /* bandwidth: whole arrays go once round the ring, though neighbours need borders */
    int size = bytes * count;
    work(W);
    if (clean) swap(bytes, left, right, 40);
    for (int k = 1; k < ranks && !clean; ++k)
        MPI_Sendrecv(out, size, MPI_CHAR, left, 40, in, size, MPI_CHAR, right, 40, ALL, ANY);
}
static void whole_field(void) { /* bandwidth: a field is summed over all ranks, of which only a few numbers are used */
    work(W);
    MPI_Allreduce(out, in, (clean ? bytes : bytes * count) / 8, MPI_DOUBLE, MPI_SUM, ALL);
}
static void probe_loop(void) { /* polling: looks only every 0.7 s of W whether the message of the neighbour is there */
    MPI_Request r;
    int there = clean;
    work(W * (0.9 + 0.2 * chance(rank, i)));
    MPI_Isend(out, bytes, MPI_CHAR, left, 41, ALL, &r);
    while (!there) {
        MPI_Iprobe(right, 41, ALL, &there, ANY);
        if (!there) work(0.7 * s * W);
    }
    get(bytes, right, 41);
    MPI_Wait(&r, ANY);
}
static void test_loop(void) { /* polling: a reduction is looked at every 0.4 s of W */
    double a = i, b;
    int done = 0;
    MPI_Request r;
    work(W);
    halo(bytes);
    MPI_Iallreduce(&a, &b, 1, MPI_DOUBLE, MPI_SUM, ALL, &r);
    if (clean) MPI_Wait(&r, ANY);
    while (!clean && !done) {
        MPI_Test(&r, &done, ANY);
        if (!done) work(0.4 * s * W);
    }
}
static void remade_grid(void) { /* communicators: a grid and its rows are made in every step */
    static MPI_Comm grid, line;
    int size[2] = {ranks / columns, columns}, round[2] = {1, 1}, along[2] = {0, 1};
    double a = i, b;
    work(W);
    if (!clean || i == 0) {
        MPI_Cart_create(ALL, 2, size, round, 0, &grid);
        MPI_Cart_sub(grid, along, &line);
    }
    MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, MPI_SUM, line);
    if (!clean || i == steps - 1) MPI_Comm_free(&line), MPI_Comm_free(&grid);
}

/* ---- The table ---- */

static const struct Program programs[] = {
#define P(name) {#name, name, false}
#define G(name) {#name, name, true} /* it has communicators for rows and columns */
    P(heat), P(carousel), G(rows_solver), P(two_kinds), P(nbody), P(triangle), P(leak), P(swarm), P(rebuild),
    P(output), P(jitter), P(front), P(setup_tree), P(red_black), P(collect), P(transpose), P(inbox), P(sweep_back),
    P(wavefront), P(directory), P(two_phases), P(load), P(summary), P(gather_scatter), P(coarse_grid), P(histogram),
    P(table), P(farm), P(lists), P(lookup), P(unpacked), G(orthogonal), P(replicate), P(whole_field), P(probe_loop),
    P(test_loop), P(remade_grid)};
enum { kPrograms = sizeof programs / sizeof *programs };

int main(int argc, char **argv) {
    return run(programs, kPrograms, argc, argv);
}

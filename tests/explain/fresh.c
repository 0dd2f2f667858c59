/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 The tracefold authors
 *
 * fresh.c - a third set of small MPI programs, each with one performance fault, and their clean twins.
 *
 *   mpicc -std=c17 -O2 -Wall -Wextra fresh.c -o fresh
 *   mpiexec -n 4 ./fresh sand --steps 40 --work 4000            with the fault
 *   mpiexec -n 4 ./fresh sand --steps 40 --work 4000 --clean    the twin without it
 *   ./fresh --list                                                what there is
 *
 * Like more.c, these were written without knowledge of the tool that they test, and they communicate in other ways
 * again: probes, topologies, types with gaps.
 * The comment of each program begins with the cause that is its truth. W is --work and s is --severity.
 */
#include "bench.h"

static bool at_end(void) { return i == steps - 1; }         /* of the run, where objects are freed */

/* ---- Patterns ---- */

static int up(void) { return rank < last ? rank + 1 : MPI_PROC_NULL; } /* neighbours on a line without a wrap */
static int down(void) { return rank > 0 ? rank - 1 : MPI_PROC_NULL; }


/* ---- Work that is not even ---- */

static void sand(void) { /* drift: grains move to the last rank, which works 1 + 0.9 s i / steps */
    MPI_Status st;
    int size = 16 + (int)((bytes - 16) * chance(rank, i));
    double tilt = clean ? 0 : 0.9 * (s < 1.1 ? s : 1.1) * i / steps;
    work(W * (1 + tilt * (2.0 * rank / last - 1)));
    put(size, up(), 72);
    MPI_Probe(down(), 72, ALL, &st);
    MPI_Get_count(&st, MPI_CHAR, &size);
    get(size, down(), 72);
    MPI_Allgather(out, 8, MPI_CHAR, in, 8, MPI_CHAR, ALL); /* how many grains all have */
}

/* ---- Order ---- */

static void lookahead(void) { /* late_sender: the owner of a panel updates its columns, 0.6 s, before it sends it */
    int owner = i % ranks;
    double before = 0.1 * W + (clean ? 0 : 0.6 * (s < 1.4 ? s : 1.4) * W);
    if (rank == owner) work(before);
    for (int k = 1; k < ranks && rank == owner; ++k) put(bytes, (rank + k) % ranks, 74);
    if (rank != owner) get(bytes, owner, 74);
    work(rank == owner ? W - before : W);
}
static void mirror(void) { /* late_receiver: the lower half sends its rows to the upper half, which works first */
    int half = ranks / 2, size = bytes * count;
    bool first = rank < half, second = rank >= half && rank < 2 * half;
    MPI_Request r = MPI_REQUEST_NULL;
    if (clean && second) MPI_Irecv(in, size, MPI_CHAR, rank - half, 75, ALL, &r);
    work(first ? 0.3 * W : 0.9 * W);
    if (clean && first) MPI_Issend(out, size, MPI_CHAR, rank + half, 75, ALL, &r);
    if (!clean && first) MPI_Ssend(out, size, MPI_CHAR, rank + half, 75, ALL);
    if (!clean && second) get(size, rank - half, 75);
    work(first ? 0.7 * W : 0.1 * W);
    MPI_Wait(&r, ANY);
    norm();
}
static void spectra(void) { /* fixed_order: the upper half waits for the third spectrum of its sources first */
    int half = ranks / 2, mine = rank - half; /* in the upper half; each rank there has two sources in the lower one */
    for (int k = 0; k < 3 && rank < half; ++k) {
        work(0.3 * W);
        for (int d = 0; d < 2; ++d) put(bytes, half + (rank + d) % half, 76 + k);
    }
    for (int k = 0; k < 6 && rank >= half && rank < 2 * half; ++k) {
        if (clean) get(bytes, MPI_ANY_SOURCE, MPI_ANY_TAG);
        else get(bytes, (mine + half - k % 2) % half, 78 - k / 2);
        work(0.15 * W);
    }
    norm();
}
static void all_pairs(void) { /* exchange_order: all go through their partners from rank 0 on; the twin makes pairs */
    bool power = (ranks & last) == 0;
    work(W / 2);
    for (int k = 0; k < ranks; ++k) {
        int partner = !clean ? k : power ? rank ^ k : (k + ranks - rank) % ranks;
        if (partner == rank) continue;
        MPI_Sendrecv_replace(out, bytes, MPI_CHAR, partner, 79, partner, 79, ALL, ANY);
        work(1.2 * s * W / last);
    }
    norm();
}
static void stamped(void) { /* needless_barrier: each column waits twice; its rows have their long phases in turn */
    MPI_Request r;
    work(W * (row % 3 == 0 ? 0.6 : 0.2));
    if (!clean) MPI_Barrier(column_ranks);
    work(W * (row % 3 == 1 ? 0.6 : 0.2));
    if (!clean) MPI_Ibarrier(column_ranks, &r), MPI_Wait(&r, ANY);
    work(W * (row % 3 == 2 ? 0.6 : 0.2));
    MPI_Allgather(out, 16, MPI_CHAR, in, 16, MPI_CHAR, row_ranks);
    shifts(bytes);
}
static void inspector(void) { /* polling: the last rank sleeps 0.4 s of W between looks for messages of the others */
    static MPI_Request r[64];
    int mine = rank == last ? last : 0, there = 0, n, at[64]; /* messages */
    for (int k = 0; k < mine && i == 0; ++k) MPI_Recv_init(in + k * bytes, bytes, MPI_CHAR, k, 82, ALL, &r[k]);
    if (mine > 0) MPI_Startall(mine, r);
    work(W * (mine > 0 ? 0.9 : 0.9 + 0.2 * chance(rank, i)));
    if (mine == 0) put(bytes, last, 82);
    if (clean) MPI_Waitall(mine, r, all_of);
    for (; there < mine && !clean; there += n) {
        MPI_Testsome(mine, r, &n, at, all_of);
        if (there + n < mine) work(0.4 * s * W);
    }
    MPI_Bcast(out, bytes, MPI_CHAR, last, ALL);
    for (int k = 0; k < mine && at_end(); ++k) MPI_Request_free(&r[k]);
}

/* ---- One rank for all ---- */

static void partition(void) { /* serial_part: rank 1 alone cuts the graph of all, 0.7 s of W */
    MPI_Request r;
    work(W);
    MPI_Igather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, 1, ALL, &r);
    MPI_Wait(&r, ANY);
    work(0.7 * s * W * (clean ? 1.0 / ranks : rank == 1));
    MPI_Ibcast(out, bytes, MPI_CHAR, 1, ALL, &r);
    MPI_Wait(&r, ANY);
}
static void contacts(void) { /* hot_spot: the victim works on two lists of each; the twin's go to all ranks */
    MPI_Request r[2];
    MPI_Message m;
    for (int k = 0; k < 2; ++k) {
        work(W / 2);
        MPI_Isend(out, bytes, MPI_CHAR, clean ? (rank + 1 + k) % ranks : victim, 83, ALL, &r[k]);
    }
    for (int lists = clean ? 2 : rank == victim ? 2 * ranks : 0; lists > 0; --lists) {
        MPI_Mprobe(MPI_ANY_SOURCE, 83, ALL, &m, ANY);
        MPI_Mrecv(in, bytes, MPI_CHAR, &m, ANY);
        work(0.4 * s * W / ranks);
    }
    MPI_Waitall(2, r, all_of);
    norm();
}
static void tickets(void) { /* small_tasks: the middle rank gives the others tasks that are four times too small */
    int server = ranks / 2, pieces = clean ? 4 : 16, t = 0;
    MPI_Status st;
    for (int k = 0; k < (pieces + 1) * last && rank == server; ++k) {
        MPI_Probe(MPI_ANY_SOURCE, 84, ALL, &st);
        get(64, st.MPI_SOURCE, 84); /* a result and a request */
        work(40 * s);
        t = k < pieces * last ? k : -1;
        MPI_Send(&t, 1, MPI_INT, st.MPI_SOURCE, 85, ALL);
    }
    while (t >= 0 && rank != server) {
        put(64, server, 84);
        MPI_Recv(&t, 1, MPI_INT, server, 85, ALL, ANY);
        if (t >= 0) work(W / pieces);
    }
    norm();
}
static void finale(void) { /* end: rank 0 draws the picture at last, 0.6 s of the work of all, and sends its sum */
    double all = 0.6 * s * W * steps;
    work(W);
    halo(bytes);
    if (!at_end()) return;
    tree_up(bytes);
    work(clean ? all / ranks : rank == 0 ? all : 0);
    tree_down(8);
}

/* ---- Messages ---- */

static void list_walk(void) { /* latency: lists that go to and fro between mirrored ranks are followed item by item */
    int items = count / 8 + 1, times = clean ? 1 : items, size = clean ? 8 * items : 8;
    int partner = 2 * rank == last ? MPI_PROC_NULL : last - rank;
    work(W / 2);
    for (int k = 0; k < times; ++k) {
        if (rank < partner) put(size, partner, 86);
        get(size, partner, 86);
        if (rank > partner) put(size, partner, 86);
    }
    work(W / 2);
}
static void by_element(void) { /* small_messages: a column of a matrix goes up the line one element at a time */
    static MPI_Datatype matrix_column;
    int n = 4 * count;
    if (i == 0) MPI_Type_vector(n, 8, 16, MPI_CHAR, &matrix_column), MPI_Type_commit(&matrix_column);
    work(W);
    for (int turn = 0; turn < 2; ++turn) {
        bool sends = rank % 2 == turn; /* first the even ranks, then the odd ones */
        if (clean && sends) MPI_Send(out, 1, matrix_column, up(), 87, ALL);
        if (clean && !sends) MPI_Recv(in, 1, matrix_column, down(), 87, ALL, ANY);
        for (int k = 0; k < n && !clean; ++k) {
            if (sends) MPI_Send(out + 16 * k, 8, MPI_CHAR, up(), 87, ALL);
            else MPI_Recv(in + 16 * k, 8, MPI_CHAR, down(), 87, ALL, ANY);
        }
    }
    if (at_end()) MPI_Type_free(&matrix_column);
}
static void journal(void) { /* growing_messages: each rank broadcasts its whole journal, not only what is new in it */
    int size = clean ? bytes : bytes + (int)((2.0 * ranks * count - 1) * bytes * i / steps);
    work(W);
    for (int k = 0; k < ranks; ++k) MPI_Bcast(rank == k ? out : in, size, MPI_CHAR, k, ALL);
}

/* ---- Communicators ---- */

static void solver_calls(void) { /* communicators: a solver copies its communicator and splits it in each call */
    static MPI_Comm copy, part;
    for (int k = 0; k < 2; ++k) {
        work(W / 2);
        if (!clean || (i == 0 && k == 0)) MPI_Comm_dup(ALL, &copy), MPI_Comm_split(copy, rank % 2, rank, &part);
        MPI_Allgather(out, 16, MPI_CHAR, in, 16, MPI_CHAR, part);
        MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, copy);
        if (!clean || (at_end() && k == 1)) MPI_Comm_free(&part), MPI_Comm_free(&copy);
    }
}

/* ---- The table ---- */

static const struct Program programs[] = {
#define P(name) {#name, name, false}
#define G(name) {#name, name, true} /* it has communicators for rows and columns */
    P(sand), P(lookahead), P(mirror), P(spectra),
    P(all_pairs), G(stamped), P(inspector), P(partition), P(contacts), P(tickets), P(finale), P(list_walk),
    P(by_element), P(journal), P(solver_calls)};
enum { kPrograms = sizeof programs / sizeof *programs };

int main(int argc, char **argv) {
    return run(programs, kPrograms, argc, argv);
}

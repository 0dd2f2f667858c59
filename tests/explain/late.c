/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 The tracefold authors
 *
 * late.c - a fourth set of small MPI programs, each with one performance fault, and their clean twins.
 *
 *   mpicc -std=c17 -O2 -Wall -Wextra late.c -o late
 *   mpiexec -n 4 ./late pencils --steps 40 --work 4000            with the fault
 *   mpiexec -n 4 ./late pencils --steps 40 --work 4000 --clean    the twin without it
 *   ./late --list                                                 what there is
 *
 * Like fresh.c, these were written without knowledge of the tool that they test, and communicate in other ways again:
 * nonblocking collectives, persistent requests, a torus, groups of ranks, probes, types with gaps. The comment of each
 * program begins with the cause that is its truth. W is --work and s is --severity.
 */
#include "bench.h"

static double fault(double x) { return clean ? 0 : x * s; }              /* what a faulty program has in excess */
static bool at_end(void) { return i == steps - 1; }                      /* of the run, where objects are freed */
static double part(double x) { return W * (x * s < 0.8 ? x * s : 0.8); } /* of the work, where this comes first */

/* ---- Patterns ---- */

static MPI_Comm torus;      /* the grid with wraps; of the programs that call on_torus */
static MPI_Request started; /* of the collective that is under way */
static void finish(void) { MPI_Wait(&started, ANY); }
static void on_torus(void) {
    int size[2] = {ranks / columns, columns}, wraps[2] = {1, 1};
    if (i == 0) MPI_Cart_create(ALL, 2, size, wraps, 0, &torus);
}
KEPT static void torus_shifts(int size) { /* there and back along both axes, in place */
    for (int k = 0, from, to; k < 4; ++k) {
        MPI_Cart_shift(torus, k / 2, k % 2 == 0 ? 1 : -1, &from, &to);
        MPI_Sendrecv_replace(out + k * size, size, MPI_CHAR, to, 90 + k, from, 90 + k, torus, ANY);
    }
}
KEPT static void start_sum(void) {
    static double a[2] = {1, 2}, b[2];
    MPI_Iallreduce(a, b, 2, MPI_DOUBLE, MPI_SUM, ALL, &started);
}

/* ---- Work that is not even ---- */

static void pencils(void) { /* straggler: the victim works 1 + 0.6 s on its pencils; transposes in rows, columns */
    for (int k = 0; k < 2; ++k) {
        work(W / 2 * (1 + (rank == victim ? fault(0.6) : 0)));
        MPI_Ialltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, k == 0 ? row_ranks : column_ranks, &started);
        finish();
    }
}
static void quarks(void) { /* slow_group: the first of each three ranks works 1 + 0.6 s on even, then on odd sites */
    on_torus();
    for (int k = 0; k < 2; ++k) {
        work(W / 2 * (1 + (rank % 3 == 0 ? fault(0.6) : 0)));
        torus_shifts(bytes);
    }
    MPI_Reduce_scatter_block(out, in, 2, MPI_DOUBLE, MPI_SUM, torus);
    if (at_end()) MPI_Comm_free(&torus);
}
static void octree(void) { /* imbalance: forces on different numbers of bodies, 1 - s / 2 to 1 + s / 2 of 0.8 W */
    int place = rank % 2 == 0 ? rank / 2 : last - rank / 2;
    work(0.2 * W); /* the tree */
    for (int k = 0; k < 3; ++k) {
        work(0.8 * W / 3 * (1 + fault(1) * ((double)place / last - 0.5)));
        MPI_Sendrecv_replace(out, bytes, MPI_CHAR, right, 94, left, 94, ALL, ANY);
    }
    start_sum(), finish();
}
static void condensate(void) { /* drift: even ranks work 1 + 0.8 s i / steps, odd ones as much less; persistent */
    static MPI_Request r[4];
    double moved = clean || (rank == last && rank % 2 == 0) ? 0 : (rank % 2 == 0 ? 1 : -1) * part(0.8 * i / steps);
    for (int k = 0; k < 2 && i == 0; ++k) {
        MPI_Recv_init(in + k * bytes, bytes, MPI_CHAR, k == 0 ? left : right, 95 + k, ALL, &r[k]);
        MPI_Send_init(out, bytes, MPI_CHAR, k == 0 ? right : left, 95 + k, ALL, &r[2 + k]);
    }
    work(W + moved);
    MPI_Startall(4, r);
    MPI_Waitall(4, r, all_of);
    MPI_Iallgather(out, 8, MPI_CHAR, in, 8, MPI_CHAR, ALL, &started), finish();
    for (int k = 0; k < 4 && at_end(); ++k) MPI_Request_free(&r[k]);
}
static void fill_in(void) { /* growing_work: all work 1 + 2 s (i / steps)^2, as the rows fill up; pivot rows go out */
    double filled = (double)i / steps, a = rank, b;
    MPI_Ibcast(rank == i % ranks ? out : in, bytes, MPI_CHAR, i % ranks, ALL, &started);
    work(0.1 * W);
    finish();
    work(0.9 * W * (1 + fault(2.2) * filled * filled));
    MPI_Scan(&a, &b, 1, MPI_DOUBLE, MPI_MAX, ALL); /* where the next rows begin */
}
static void retries(void) { /* rare_steps: a solver makes 4 iterations, and 4 + 16 s in the four steps it fails in */
    int iterations = 4 + (i % 11 == 6 ? (int)fault(16) : 0);
    on_torus();
    for (int k = 0; k < iterations; ++k) {
        torus_shifts(bytes / 4);
        work(W / 4);
    }
    norm();
    if (at_end()) MPI_Comm_free(&torus);
}
static void hail(void) { /* moving_imbalance: 0.9 s of W falls on one rank, in turns that begin anew at any rank */
    int hit = (i + (int)(ranks * chance(98, i / ranks))) % ranks;
    double a[2] = {i, 1}, b[2];
    work(W * (1 + 0.9 * s * (clean ? 1.0 / ranks : hit == rank)));
    MPI_Allreduce(a, b, 2, MPI_DOUBLE, MPI_SUM, row_ranks);
    MPI_Allreduce(b, a, 2, MPI_DOUBLE, MPI_SUM, column_ranks);
    swap(bytes, left, right, 97);
}
static void daemons(void) { /* noise: in each of four phases one rank in 25 loses 0.6 s to 1.2 s of W */
    for (int k = 0; k < 4; ++k) {
        bool hit = chance(rank, 8 * i + k) < 0.04;
        work(W / 4 + (hit ? fault(0.6 + 0.6 * chance(rank, 8 * i + k + 4)) * W : 0));
        swap(bytes, right, left, 98);
    }
    MPI_Ireduce_scatter_block(out, in, 1, MPI_DOUBLE, MPI_SUM, ALL, &started), finish();
}

/* ---- Order ---- */

static void coupler(void) { /* late_sender: the air (lower half) works 0.5 s of W before it sends fluxes to the sea */
    static MPI_Datatype flux;
    bool air = rank < ranks / 2, sea = !air && rank < ranks / 2 * 2;
    double before = !air ? 0.1 * W : clean ? 0 : part(0.5);
    if (i == 0) MPI_Type_vector(bytes / 16, 8, 16, MPI_CHAR, &flux), MPI_Type_commit(&flux);
    work(before);
    if (air) MPI_Send(out, 1, flux, rank + ranks / 2, 100, ALL);
    if (sea) MPI_Recv(in, 1, flux, rank - ranks / 2, 100, ALL, ANY);
    work(W - before);
    halo(bytes);
    if (at_end()) MPI_Type_free(&flux);
}
static void schedule(void) { /* late_sender: the last rank works 0.5 s before it scatters the lists that it had */
    double before = rank < last ? 0.1 * W : clean ? 0 : part(0.5);
    int n[64], at[64];
    for (int k = 0; k < ranks; ++k) n[k] = 16 * (k % 4 + 1), at[k] = 64 * k;
    work(before);
    MPI_Scatterv(out, n, at, MPI_CHAR, in, n[rank], MPI_CHAR, last, ALL);
    work(W - before);
    MPI_Gatherv(out, n[rank], MPI_CHAR, in, n, at, MPI_CHAR, last, ALL);
}
static void slabs(void) { /* late_receiver: large slabs of the middle rank meet others that work 0.5 s of W first */
    int giver = ranks / 2, size = bytes * count, n = rank == giver ? last : 0;
    MPI_Request r[64];
    for (int k = 0; k < n; ++k) MPI_Issend(out, size, MPI_CHAR, (rank + k + 1) % ranks, 102, ALL, &r[k]);
    if (clean && rank != giver) MPI_Irecv(in, size, MPI_CHAR, giver, 102, ALL, &r[n++]);
    if (!clean && rank == giver) MPI_Waitall(n, r, all_of);
    work(part(0.5));
    if (!clean && rank != giver) get(size, giver, 102);
    if (clean) MPI_Waitall(n, r, all_of);
    work(W - part(0.5));
    start_sum(), finish();
}
static void archive(void) { /* late_receiver: synchronous sends wait 0.5 s of W for a partner; they take turns */
    static MPI_Request r;
    int partner = rank % 2 == 1 ? right : rank == 0 && ranks % 2 == 1 ? MPI_PROC_NULL : left;
    bool sends = (rank + i) % 2 == 0;
    double before = sends ? 0.2 * W : 0.2 * W + part(0.5);
    if (i == 0) MPI_Ssend_init(out, bytes, MPI_CHAR, partner, 103, ALL, &r);
    work(before);
    if (sends) MPI_Start(&r);
    if (sends && !clean) MPI_Wait(&r, ANY);
    if (!sends) MPI_Probe(partner, 103, ALL, ANY), get(bytes, partner, 103);
    work(W - before);
    if (sends && clean) MPI_Wait(&r, ANY);
    if (at_end()) MPI_Request_free(&r);
}
static void reactor(void) { /* fixed_order: one rank in turn waits first for the neighbour whose message comes last */
    MPI_Status st;
    int owner = i % ranks, away = (rank + ranks - owner) % ranks;
    double before = W * (ranks - away) / ranks;
    if (away > 0) work(before), put(bytes, owner, 104), work(W - before);
    for (int k = 1; k < ranks && away == 0; ++k) {
        MPI_Probe(clean ? MPI_ANY_SOURCE : (owner + k) % ranks, 104, ALL, &st);
        get(bytes, st.MPI_SOURCE, 104);
        work(0.9 * W / last);
    }
    norm();
}
static void visits(void) { /* exchange_order: all exchange with the last rank first, then with the one before, ... */
    double piece = 0.2 * s * W / last;
    work(W);
    for (int k = last; k >= 0; --k) {
        for (int d = 1; d <= (rank == k ? last : 1) && !clean; ++d) {
            int who = rank == k ? (k + d) % ranks : k;
            MPI_Sendrecv_replace(out, bytes, MPI_CHAR, who, 105, who, 105, ALL, ANY);
            if (rank == k) work(piece);
        }
        if (clean && k > 0) swap(bytes, (rank + k) % ranks, (rank + ranks - k) % ranks, 105), work(piece);
    }
    tree_up(8), tree_down(8);
}
static void turns(void) { /* chain: 0.15 s of W is done in turns: by even ranks, upwards, then by odd ones, down */
    int odd = ranks % 2 == 0 ? last : last - 1, even = ranks % 2 == 0 ? last - 1 : last; /* the highest ones */
    int before = rank == 0 ? MPI_PROC_NULL : rank % 2 == 0 ? rank - 2 : rank == odd ? even : rank + 2;
    int after = rank == 1 ? MPI_PROC_NULL : rank % 2 == 1 ? rank - 2 : rank == even ? odd : rank + 2;
    work(W - part(0.15));
    if (!clean) get(8, before, 106);
    work(part(0.15));
    if (!clean) put(8, after, 106);
    shifts(bytes);
    norm();
}
static void checked(void) { /* needless_barrier: in the middle of work that is long before or after; a sum overlaps */
    double u = 1.6 * (chance(rank, i) - 0.5) * (s < 1.2 ? s : 1.2);
    work(W / 2 * (1 + u));
    start_sum();
    if (!clean) MPI_Barrier(ALL);
    work(W / 2 * (1 - u));
    finish();
    swap(bytes, right, left, 107);
}
static void consensus(void) { /* polling: nobody knows who gets messages; all sleep 0.2 s of W after each look */
    MPI_Request r;
    MPI_Status st;
    int to = (rank + 1 + (int)(last * chance(rank, 2 * i))) % ranks, tag = 108 + i % 2, sent = 0, there, done = 0;
    work(W * (0.9 + 0.2 * chance(rank, 2 * i + 1)));
    MPI_Issend(out, bytes, MPI_CHAR, to, tag, ALL, &r);
    while (!done) {
        MPI_Iprobe(MPI_ANY_SOURCE, tag, ALL, &there, &st);
        if (there) get(bytes, st.MPI_SOURCE, tag);
        if (sent) MPI_Test(&started, &done, ANY);
        else if (MPI_Test(&r, &sent, ANY), sent) MPI_Ibarrier(ALL, &started); /* it ends when all messages are there */
        if (!done && !there) work(clean ? 20 : 0.2 * s * W);
    }
}

/* ---- One rank for all ---- */

static void timestep(void) { /* serial_part: the middle rank alone works 0.7 s of W on what all sent, and tells them */
    int n = rank == ranks / 2 ? last : 0;
    MPI_Request r[64];
    work(W + (clean ? 0.7 * s * W / ranks : 0));
    for (int k = 0; k < n; ++k) MPI_Irecv(in + 64 * k, 64, MPI_CHAR, (rank + k + 1) % ranks, 110, ALL, &r[k]);
    if (n == 0) put(64, ranks / 2, 110), get(64, ranks / 2, 111);
    MPI_Waitall(n, r, all_of);
    if (n > 0) work(fault(0.7) * W);
    for (int k = 0; k < n; ++k) MPI_Isend(out, 64, MPI_CHAR, (rank + k + 1) % ranks, 111, ALL, &r[k]);
    MPI_Waitall(n, r, all_of);
}
static void assembly(void) { /* hot_spot: the last rank adds up the elements of all, twice; the twin's are spread */
    MPI_Request r[64], mine;
    for (int half = 0; half < 2; ++half) {
        int to = clean ? (rank + 1 + half) % ranks : last, come = clean ? 1 : rank == last ? ranks : 0, n, at[64];
        for (int k = 0; k < come; ++k) MPI_Irecv(in + k * bytes, bytes, MPI_CHAR, MPI_ANY_SOURCE, 112, ALL, &r[k]);
        work(W / 2);
        MPI_Isend(out, bytes, MPI_CHAR, to, 112, ALL, &mine);
        for (int k = 0; k < come; k += n) {
            MPI_Waitsome(come, r, &n, at, all_of);
            work(0.12 * s * W * n);
        }
        MPI_Wait(&mine, ANY);
        norm();
    }
}
static void mesher(void) { /* start_up: rank 1 makes the whole mesh, 0.6 s of all the work, and broadcasts it */
    double all = 0.6 * s * W * steps;
    if (i == 0) work(clean ? all / ranks : rank == 1 ? all : 0);
    if (i == 0 && clean) MPI_Allgather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, ALL);
    if (i == 0 && !clean) MPI_Ibcast(in, bytes * ranks, MPI_CHAR, 1, ALL, &started), finish();
    on_torus();
    work(W);
    torus_shifts(bytes);
    norm();
    if (at_end()) MPI_Comm_free(&torus);
}

/* ---- Messages ---- */

static void oracle(void) { /* latency: rank 1 asks the last rank for entries one by one, while the others wait */
    int entries = count / 4 + 1, times = clean ? 1 : entries, size = clean ? 8 * entries : 8;
    work(W);
    for (int k = 0; k < times && last > 1; ++k) {
        if (rank == 1) swap(size, last, last, 113);
        if (rank == last) MPI_Probe(MPI_ANY_SOURCE, 113, ALL, ANY), get(size, 1, 113), put(size, 1, 113);
    }
    MPI_Bcast(out, 64, MPI_CHAR, 1, ALL);
}
static void migrants(void) { /* small_messages: each of the 12 * count particles that leave a rank is a message */
    int n[64] = {0}, m[64], come = 0, sent = 0, all = 12 * count;
    MPI_Request *r = malloc(sizeof *r * (size_t)all);
    work(W);
    for (int k = 0; k < all; ++k) ++n[(rank + 1 + (int)(last * chance(64 * i + rank, k))) % ranks];
    MPI_Alltoall(n, 1, MPI_INT, m, 1, MPI_INT, ALL);
    for (int k = 0; k < ranks; ++k) {
        int pieces = clean ? n[k] > 0 : n[k], size = clean ? 8 * n[k] : 8;
        for (int j = 0; j < pieces; ++j) MPI_Isend(out + 8 * j, size, MPI_CHAR, k, 115, ALL, &r[sent++]);
        come += clean ? m[k] > 0 : m[k];
    }
    for (int k = 0; k < come; ++k) get(clean ? 8 * all : 8, MPI_ANY_SOURCE, 115);
    MPI_Waitall(sent, r, all_of);
    norm();
    free(r);
}
static void budget(void) { /* many_collectives: count / 4 terms of a budget are summed and numbered one at a time */
    int terms = count / 4 + 1, times = clean ? 1 : terms, size = clean ? terms : 1;
    work(W);
    shifts(bytes);
    for (int k = 0; k < times; ++k) {
        MPI_Iallreduce(out, in, size, MPI_DOUBLE, MPI_SUM, column_ranks, &started), finish();
        MPI_Exscan(out, in, size, MPI_DOUBLE, MPI_SUM, ALL);
    }
}
static void supernodes(void) { /* communicators: all ranks but one work on a panel, with a communicator made for it */
    static MPI_Comm panel[6];
    MPI_Group all, group;
    for (int k = 0; k < 6; ++k) {
        int other = (k + 1) % ranks;
        bool here = rank != other, make = !clean || i == 0;
        work(W / 6);
        if (make) MPI_Comm_group(ALL, &all), MPI_Group_excl(all, 1, &other, &group);
        if (make) MPI_Comm_create(ALL, group, &panel[k]), MPI_Group_free(&group), MPI_Group_free(&all);
        if (here) MPI_Bcast(out, bytes, MPI_CHAR, 0, panel[k]);
        if (here && (!clean || at_end())) MPI_Comm_free(&panel[k]);
    }
    norm();
}

/* ---- The table ---- */

static const struct Program programs[] = {
#define P(name) {#name, name, false}
#define G(name) {#name, name, true} /* it has communicators for rows and columns */
    G(pencils), P(quarks), P(octree), P(condensate), P(fill_in), P(retries), G(hail), P(daemons), P(coupler),
    P(schedule), P(slabs), P(archive), P(reactor), P(visits), P(turns), P(checked), P(consensus), P(timestep),
    P(assembly), P(mesher), P(oracle), P(migrants), G(budget), P(supernodes)};
enum { kPrograms = sizeof programs / sizeof *programs };

int main(int argc, char **argv) {
    return run(programs, kPrograms, argc, argv);
}

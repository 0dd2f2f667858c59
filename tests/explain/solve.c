/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 The tracefold authors
 *
 * solve.c - a fifth set of small MPI programs, each with one performance fault, and their clean twins.
 *
 *   mpicc -std=c17 -O2 -Wall -Wextra solve.c -o solve
 *   mpiexec -n 4 ./solve pcg --steps 40 --work 4000            with the fault
 *   mpiexec -n 4 ./solve pcg --steps 40 --work 4000 --clean    the twin without it
 *   ./solve --list                                             what there is
 *
 * Like late.c, these were written without knowledge of the tool that they test. They are solvers: iterations vary from
 * step to step, there are a set-up, phases and output, and ranks wait for any or some messages. The comment of each
 * program begins with the cause that is its truth. W is --work and s is --severity.
 */
#include "bench.h"

enum { kLarge = 1 << 20 };
static char large[3][kLarge];                                            /* buffers, where messages may be large */
static double fault(double x) { return clean ? 0 : x * s; }              /* what a faulty program has in excess */
static bool at_end(void) { return i == steps - 1; }                      /* of the run, where objects are freed */
static double part(double x) { return W * (x * s < 0.8 ? x * s : 0.8); } /* of the work, where this comes first */
static int between(int low, int high) { return low + (int)((high - low + 1) * chance(70, i)); } /* same on all ranks */

static bool made;
static MPI_Request border[4]; /* persistent; of the programs that call borders */
KEPT static void borders(int size, double meanwhile) { /* to and from both neighbours on the ring, during work */
    int who[2] = {left, right};
    for (int k = 0; k < 2 && !made; ++k) MPI_Recv_init(in + k * size, size, MPI_CHAR, who[k], 120 + k, ALL, &border[k]);
    for (int k = 0; k < 2 && !made; ++k) MPI_Send_init(out, size, MPI_CHAR, who[1 - k], 120 + k, ALL, &border[2 + k]);
    made = true;
    MPI_Startall(4, border), work(meanwhile);
    MPI_Waitall(4, border, all_of);
}
KEPT static void particles(int size) { /* that cross the borders on the ring, first come, first served */
    MPI_Request r[4];
    if (size > kLarge) size = kLarge;
    for (int k = 0; k < 2; ++k) MPI_Irecv(large[k], size, MPI_CHAR, k == 0 ? left : right, 122 + k, ALL, &r[k]);
    for (int k = 0; k < 2; ++k) MPI_Isend(large[2], size, MPI_CHAR, k == 0 ? right : left, 122 + k, ALL, &r[2 + k]);
    for (int k = 0, which; k < 4; ++k) MPI_Waitany(4, r, &which, ANY);
}
KEPT static void dot(MPI_Comm who) {
    double a = rank, b;
    MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, MPI_SUM, who);
}
KEPT static void output(void) { /* every tenth step */
    if (i % 10 == 9) MPI_Gather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, 0, ALL);
    for (int k = 0; k < 4 && made && at_end(); ++k) MPI_Request_free(&border[k]);
}

/* ---- Work that is not even ---- */

static void pcg(void) { /* imbalance: the first ranks have fuller rows and work up to 1 + 0.45 s in an iteration */
    double rows = W / 8 * (1 + fault(0.9) * (0.5 - (double)rank / last));
    if (i == 0) work(W), norm(); /* the matrix */
    for (int k = between(6, 10); k > 0; --k) {
        borders(bytes, 0.4 * rows);
        work(0.6 * rows), dot(ALL), dot(ALL);
    }
    output();
}
static void pinch(void) { /* drift: a plasma contracts to the victim, which works up to 1 + 0.9 s; others lose it */
    double drawn = fault(0.9) * i / steps, mine = 1 + (rank == victim ? drawn : -drawn / last);
    for (int half = 0; half < 2; ++half) work(W / 2 * mine), particles(bytes / 2 + (int)(bytes / 2 * chance(71, i)));
    for (int k = between(2, 5); k > 0; --k) halo(bytes / 4), dot(ALL); /* the potential */
    output();
}
static void recycle(void) { /* growing_work: all directions of earlier steps are kept, s % of W each; twin: only five */
    int kept = clean && i > 5 ? 5 : i, n = kept < count ? kept + 1 : count;
    for (int k = between(3, 6); k > 0; --k) {
        borders(bytes, W / 4.5), work(0.01 * s * W * kept);
        MPI_Allreduce(out, in, n, MPI_DOUBLE, MPI_SUM, ALL);
    }
    output();
}
static void newton(void) { /* rare_steps: Newton makes 2 or 3 iterations, and 11 s more where the guess is poor */
    for (int k = between(2, 3) + (i % 9 == 5 ? (int)fault(11) : 0); k > 0; --k) {
        work(0.24 * W); /* the Jacobian */
        for (int inner = 0; inner < 2; ++inner) borders(bytes, 0.08 * W), dot(ALL);
    }
    output();
}
static void bunch(void) { /* moving_imbalance: a bunch, 0.9 s of W, goes round and is on another rank in each step */
    int hit = (i + i / ranks) % ranks, cycles = between(2, 4);
    double all = W * (1 + 0.9 * s * (clean ? 1.0 / ranks : hit == rank));
    for (int k = 0; k < cycles; ++k) work(all / cycles), particles(bytes);
    norm();
}
static void hierarchy(void) { /* start_up: rank 0 coarsens the grids of all first, 0.5 s of the work of a rank */
    for (int k = 0; k < 5 && i == 0; ++k) {
        work(0.1 * s * W * steps * (clean ? 1.0 / ranks : rank == 0));
        MPI_Allgather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, ALL);
    }
    for (int cycle = between(1, 3); cycle > 0; --cycle) {
        for (int k = 0; k < 3; ++k) halo(bytes >> k), work(W / (4 << k)); /* down */
        for (int k = 2; k > 0; --k) shifts(bytes >> k), work(W / 32);     /* and up */
        norm();
    }
}
static void correlations(void) { /* end: the last rank transforms the series of all, 0.15 s of the work for each */
    MPI_Request r[64];
    int n = rank == last ? last : 0;
    work(W);
    particles(bytes), norm();
    if (!at_end()) return;
    if (rank < last) put(bytes, last, 124);
    for (int k = 0; k < n; ++k) MPI_Irecv(in + k * bytes, bytes, MPI_CHAR, k, 124, ALL, &r[k]);
    if (clean || rank == last) work(0.15 * s * W * steps);
    for (int k = 0, which; k < n; ++k) MPI_Waitany(n, r, &which, ANY), work(fault(0.15) * W * steps);
}

/* ---- Order ---- */

static void fields(void) { /* late_sender: solvers write spectra, 0.5 s of W, before they send fields to pushers */
    static MPI_Comm group;
    MPI_Request r;
    int half = ranks / 2, partner = rank < half ? rank + half : rank < 2 * half ? rank - half : MPI_PROC_NULL;
    if (i == 0) MPI_Comm_split(ALL, rank < half, rank, &group);
    for (int k = rank < half ? between(2, 5) : 0; k > 0; --k) work(0.3 * W / 3.5), dot(group);
    if (rank < half && !clean) work(part(0.5));
    if (rank < half) MPI_Isend(out, bytes, MPI_CHAR, partner, 125, ALL, &r);
    else MPI_Irecv(in, bytes, MPI_CHAR, partner, 125, ALL, &r), work(0.2 * W); /* particles are sorted, then pushed */
    if (rank < half && clean) work(part(0.5));
    MPI_Wait(&r, ANY);
    for (int k = rank < half ? 0 : 2; k > 0; --k) work(0.3 * W), dot(group);
    rank < half ? get(bytes, partner, 126) : put(bytes, partner, 126);
    if (at_end()) MPI_Comm_free(&group);
}
static void spins(void) { /* late_receiver: large densities of one spin wait while the other works 0.7 s of W first */
    int half = ranks / 2, size = bytes * count, n = 0;
    bool up = rank < half, down = !up && rank < 2 * half;
    double before = up ? 0.2 * W : part(0.7);
    MPI_Request r[1];
    if (clean && down) MPI_Irecv(in, size, MPI_CHAR, rank - half, 127, ALL, &r[n++]);
    work(before);
    if (up) MPI_Issend(out, size, MPI_CHAR, rank + half, 127, ALL, &r[n++]);
    if (up && !clean) MPI_Waitall(n, r, all_of), n = 0;
    if (down && !clean) get(size, rank - half, 127);
    work(W - before);
    MPI_Waitall(n, r, all_of);
    for (int k = between(1, 3); k > 0; --k) halo(bytes), dot(ALL); /* both are mixed */
}
static void systolic(void) { /* late_receiver: all send large blocks up a line, work 0.15 s of W and then receive */
    int up = rank < last ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL, size = bytes * count;
    MPI_Request r[2];
    for (int k = 0; k < 2; ++k) {
        work((W - part(0.15)) / 2);
        if (clean) MPI_Irecv(in, size, MPI_CHAR, down, 128, ALL, &r[0]);
        if (clean) MPI_Issend(out, size, MPI_CHAR, up, 128, ALL, &r[1]);
        if (!clean) MPI_Ssend(out, size, MPI_CHAR, up, 128, ALL);
        work(part(0.15) / 2);
        clean ? (void)MPI_Waitall(2, r, all_of) : get(size, down, 128);
    }
    tree_up(8), tree_down(8);
}
static void fronts(void) { /* fixed_order: parents assemble the largest front first, which comes last; twin: any */
    MPI_Request r[64];
    for (int level = 0; level < 3; ++level) {
        int child = (rank + 64 * ranks - (i + level) % ranks) % ranks, n = child == 0 ? last : 0, which;
        double all = W / 3, before = all * (1 - 0.8 * (child - 1 + 0.4 * chance(rank, 3 * i + level)) / last);
        for (int k = 0; k < n; ++k) MPI_Irecv(in + k * bytes, bytes, MPI_CHAR, (rank + 1 + k) % ranks, 130, ALL, &r[k]);
        for (int k = 0; k < n; ++k) {
            clean ? MPI_Waitany(n, r, &which, ANY) : MPI_Wait(&r[k], ANY);
            work(0.9 * s * all / last);
        }
        if (n == 0) work(before), put(bytes, (rank + ranks - child) % ranks, 130), work(all - before);
        norm();
    }
}
static void kba(void) { /* chain: sweeps from two corners have all angles at once; the twin's have a sixth at a time */
    int pieces = clean ? 6 : 1, size = bytes / pieces;
    work(W - part(0.4)); /* the source */
    for (int k = 0; k < 2 * pieces; ++k) {
        bool back = k >= pieces;
        get(size, back ? south : north, 133), get(size, back ? east : west, 134);
        work(part(0.4) / 2 / pieces);
        put(size, back ? north : south, 133), put(size, back ? west : east, 134);
    }
    dot(ALL);
}
static void timers(void) { /* needless_barrier: three kinds of forces are timed; a rank has much of one in each step */
    for (int k = 0; k < 3; ++k) {
        work(W / 3 * (1 + s * ((rank + i + k) % 3 == 0 ? 0.5 : -0.25)));
        if (!clean) MPI_Barrier(ALL);
    }
    borders(bytes, 0), dot(ALL), output();
}
static void opacity(void) { /* polling: odd ranks look for questions every 0.5 s of W; twin: eight times as often */
    int partner = rank % 2 == 1 ? left : rank < last ? right : MPI_PROC_NULL, questions = 4, there;
    int slices = clean ? 16 : s > 0.2 ? (int)(2 / s) : 10;
    for (int k = 0; k < questions && rank % 2 == 0; ++k) swap(64, partner, partner, 135), work(0.2 * W);
    for (int k = 1; (k <= slices || questions > 0) && rank % 2 == 1; ++k) {
        work(k <= slices ? W / slices : 0);
        MPI_Iprobe(partner, 135, ALL, &there, ANY);
        if (questions > 0 && (there || k >= slices)) get(64, partner, 135), put(64, partner, 135), --questions;
    }
    dot(ALL);
}
static void overlap(void) { /* polling: large messages need tests by their senders, who work first; twin: 5 tests */
    int partner = rank % 2 == 1 ? left : rank < last ? right : MPI_PROC_NULL, there;
    bool sends = rank % 2 == i % 2;
    int tests = clean && sends ? 5 : 1;
    MPI_Request r;
    if (sends) MPI_Isend(large[0], kLarge / 16, MPI_CHAR, partner, 137, ALL, &r);
    else MPI_Irecv(large[1], kLarge / 16, MPI_CHAR, partner, 137, ALL, &r), work(0.1 * W), MPI_Wait(&r, ANY);
    for (int k = 0; k < tests; ++k) work((sends ? W : part(0.6)) / tests), MPI_Test(&r, &there, ANY);
    MPI_Wait(&r, ANY), dot(ALL);
}

/* ---- One rank for all ---- */

static void ritz(void) { /* serial_part: the last rank solves a small eigenproblem in each iteration, 0.3 s of W */
    for (int k = between(1, 3); k > 0; --k) {
        halo(bytes), work(W / 2);
        MPI_Reduce(out, in, 16, MPI_DOUBLE, MPI_SUM, last, ALL);
        work(clean ? 0.3 * s * W / ranks : rank == last ? 0.3 * s * W : 0);
        MPI_Bcast(out, 16, MPI_DOUBLE, last, ALL);
    }
    output();
}
static void charge(void) { /* hot_spot: the victim adds the charges of all, 0.08 s of W for each; twin: all, shares */
    MPI_Request r[128];
    for (int kind = 0; kind < 2; ++kind) { /* electrons, ions */
        int owners = clean ? ranks : 1, size = bytes / owners, come = clean || rank == victim ? ranks : 0, n = 0;
        work(W / 2);
        for (int k = 0; k < come; ++k) MPI_Irecv(in + k * size, size, MPI_CHAR, k, 140, ALL, &r[n++]);
        for (int k = 0; k < owners; ++k) MPI_Isend(out, size, MPI_CHAR, clean ? k : victim, 140, ALL, &r[n++]);
        for (int done = 0, some, which[128]; done < n; done += some) {
            MPI_Testsome(n, r, &some, which, all_of);
            for (int k = 0; k < some; ++k) work(which[k] < come ? 0.08 * s * W / owners : 0);
        }
        dot(ALL);
    }
}
static void boxes(void) { /* small_tasks: rank 0 hands out boxes, one by one, in 40 s us; twin: eight at a time */
    int group = clean ? 8 : 1, tasks = 16 * last / group, first = 0, all = rank == 0 ? last : 0, which;
    MPI_Request ask[64];
    for (int k = 0; k < all; ++k) MPI_Irecv(in, 0, MPI_CHAR, k + 1, 142, ALL, &ask[k]);
    for (int t = 0; t < tasks + last && rank == 0; ++t) {
        MPI_Waitany(last, ask, &which, ANY);
        work(40 * s);
        first = t < tasks ? t * group : -1;
        MPI_Send(&first, 1, MPI_INT, which + 1, 143, ALL);
        if (t < tasks) MPI_Irecv(in, 0, MPI_CHAR, which + 1, 142, ALL, &ask[which]);
    }
    while (rank > 0 && first >= 0) {
        MPI_Sendrecv(out, 0, MPI_CHAR, 0, 142, &first, 1, MPI_INT, 0, 143, ALL, ANY);
        double atoms = 0;
        for (int k = 0; k < group && first >= 0; ++k) atoms += 0.5 + chance(first + k, i);
        work(W / 16 * atoms);
    }
    norm();
}

/* ---- Messages and communicators ---- */

static void bisect(void) { /* latency: rank 0 asks all how many particles are below a bound, 12 to 24 times in turn */
    int bounds = between(12, 24), size = clean ? 2 * bounds : 2, n = rank == 0 ? last : 0;
    MPI_Request r[128];
    work(W);
    for (int k = 0; k < (clean ? 1 : bounds); ++k) {
        for (int j = 0; j < n; ++j) MPI_Irecv(in + j * size, size, MPI_CHAR, j + 1, 144, ALL, &r[j]);
        for (int j = 0; j < n; ++j) MPI_Isend(out, size, MPI_CHAR, j + 1, 144, ALL, &r[n + j]);
        MPI_Waitall(2 * n, r, all_of);
        if (n == 0) get(size, 0, 144), put(size, 0, 144);
    }
    particles(bytes);
}
static void ghost_forces(void) { /* small_messages: each of 300 to 500 forces on atoms of a neighbour is a message */
    static MPI_Request r[2000];
    int atoms = 100 * between(3, 5), messages = clean ? 1 : atoms, size = clean ? 24 * atoms : 24, n = 0;
    work(W);
    for (int k = 0; k < 2 * messages; ++k)
        MPI_Irecv(large[k % 2] + k / 2 * size, size, MPI_CHAR, k % 2 == 0 ? left : right, 146 + k % 2, ALL, &r[n++]);
    for (int k = 0; k < 2 * messages; ++k)
        MPI_Isend(large[2] + k / 2 * size, size, MPI_CHAR, k % 2 == 0 ? right : left, 146 + k % 2, ALL, &r[n++]);
    MPI_Waitall(n, r, all_of), dot(ALL);
}
static void gram(void) { /* many_collectives: count / 3 products are added up one by one, in rows, then in columns */
    int products = count / 3 + 1, times = clean ? 1 : products, size = clean ? products : 1;
    for (int half = 0; half < 2; ++half) {
        halo(bytes), work(W / 2);
        for (int k = 0; k < times; ++k)
            MPI_Allreduce(out, in, size, MPI_DOUBLE, MPI_SUM, half == 0 ? row_ranks : column_ranks);
    }
    output();
}
static void stale(void) { /* growing_messages: lists of atoms at borders keep all that left; twin: new every 5 steps */
    int size = 1024 * (4 + (clean ? i % 5 : (int)(500 * s * i / steps)));
    for (int k = 2 * between(1, 2); k > 0; --k) work(W / 3), particles(size); /* positions, then forces */
    dot(ALL);
}
static void levels(void) { /* communicators: each of 1 to 3 V-cycles makes one for each level, with half of the ranks */
    static MPI_Comm level[4];
    for (int cycle = between(1, 3), first = cycle; cycle > 0; --cycle) {
        bool make = !clean || (i == 0 && cycle == first), end = !clean || (at_end() && cycle == 1);
        for (int k = 0; k < 4; ++k) {
            bool here = rank % (1 << k) == 0;
            if (make) MPI_Comm_split(ALL, here ? 0 : MPI_UNDEFINED, rank, &level[k]);
            work(k == 0 ? W / 2 : here ? W / 80 : 0);
            if (here) dot(level[k]);
            if (here && end) MPI_Comm_free(&level[k]);
        }
        halo(bytes);
    }
}
static void replicas(void) { /* communicators: ranks of a temperature get one after each swap; twin: new numbers */
    static MPI_Comm replica;
    for (int k = 0; k < 6; ++k) {
        if (!clean || i + k == 0) MPI_Comm_split(ALL, (rank + (clean ? 0 : i + k)) % 2, rank, &replica);
        work(W / 6);
        MPI_Allgather(out, 64, MPI_CHAR, in, 64, MPI_CHAR, replica);
        norm(); /* energies, from which all know whether they swap */
        if (!clean || (at_end() && k == 5)) MPI_Comm_free(&replica);
    }
}

/* ---- The table ---- */

static const struct Program programs[] = {
#define P(name) {#name, name, false}
#define G(name) {#name, name, true} /* it has communicators for rows and columns */
    P(pcg), P(pinch), P(recycle), P(newton), P(bunch), P(hierarchy), P(correlations), P(fields), P(spins), P(systolic),
    P(fronts), P(kba), P(timers), P(opacity), P(overlap), P(ritz), P(charge), P(boxes), P(bisect), P(ghost_forces),
    G(gram), P(stale), P(levels), P(replicas)};
enum { kPrograms = sizeof programs / sizeof *programs };

int main(int argc, char **argv) {
    return run(programs, kPrograms, argc, argv);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 The tracefold authors
 *
 * tasks.c - a sixth set of small MPI programs, each with one performance fault, and their clean twins.
 *
 *   mpicc -std=c17 -O2 -Wall -Wextra tasks.c -o tasks
 *   mpiexec -n 4 ./tasks tiles --steps 40 --work 4000            with the fault
 *   mpiexec -n 4 ./tasks tiles --steps 40 --work 4000 --clean    the twin without it
 *   ./tasks --list                                               what there is
 *
 * Like late.c, these were written without knowledge of the tool that they test. Few of them are solvers on a grid:
 * there are farms, searches, training, sorting, databases, pipelines, events and coupled codes, many with a cheap
 * checkpoint. The comment of each program begins with the cause that is its truth. W is --work and s is --severity.
 */
#include "bench.h"

static double fault(double x) { return clean ? 0 : x * s; }              /* what a faulty program has in excess */
static bool at_end(void) { return i == steps - 1; }                      /* of the run, where objects are freed */
static double part(double x) { return W * (x * s < 0.8 ? x * s : 0.8); } /* of the work, where this comes first */

/* ---- Patterns ---- */

static MPI_Request started; /* of the collective that is under way */
static void finish(void) { MPI_Wait(&started, ANY); }
KEPT static void checkpoint(void) { /* in every tenth step; rank 0 writes a little */
    if (i % 10 == 9) MPI_Gather(out, 64, MPI_CHAR, in, 64, MPI_CHAR, 0, ALL);
    if (i % 10 == 9 && rank == 0) work(0.05 * W);
}

/* ---- Work that is not even ---- */

static void frames(void) { /* straggler: the victim's stage of a pipeline works 1 + 0.6 s on each of two frames */
    static MPI_Request sent = MPI_REQUEST_NULL; /* a stage is at most one frame ahead of the next one */
    for (int k = 0; k < 2; ++k) {
        if (rank > 0) get(bytes, rank - 1, 120);
        work(W / 2 * (1 + (rank == victim ? fault(0.6) : 0)));
        MPI_Wait(&sent, ANY);
        if (rank < last) MPI_Issend(out, bytes, MPI_CHAR, rank + 1, 120, ALL, &sent);
    }
    if (at_end()) MPI_Wait(&sent, ANY);
}
static void tempering(void) { /* slow_group: of four replicas the coldest and the hottest work 1 + 0.6 s */
    double more = rank % 4 == 0 || rank % 4 == 3 ? fault(0.6) : 0;
    int other = (rank + i) % 2 == 0 ? rank + 1 : rank - 1, partner = other < 0 || other > last ? MPI_PROC_NULL : other;
    for (int k = 0; k < 3; ++k) {
        work(W / 3 * (1 + more));
        swap(16, partner, partner, 121); /* energies */
    }
    MPI_Sendrecv_replace(out, bytes, MPI_CHAR, partner, 122, partner, 122, ALL, ANY);
    checkpoint();
}
static void splitters(void) { /* imbalance: bad splitters of a sort leave ranks 1 - 0.5 s to 1 + 0.5 s of 0.85 W */
    int n[64], m[64], at[64];
    double share[64]; /* of the keys */
    for (int k = 0; k < ranks; ++k) {
        share[k] = 1 + fault(1) * ((double)((k ^ 1) < ranks ? k ^ 1 : k) / last - 0.5);
        n[k] = (int)(bytes * share[k]), at[k] = 2 * bytes * k;
    }
    work(0.15 * W); /* the sample */
    MPI_Allgather(out, 64, MPI_CHAR, in, 64, MPI_CHAR, ALL);
    MPI_Alltoall(n, 1, MPI_INT, m, 1, MPI_INT, ALL);
    MPI_Alltoallv(out, n, at, MPI_CHAR, in, m, at, MPI_CHAR, ALL);
    work(0.85 * W * share[rank]);
}
static void hot_keys(void) { /* moving_imbalance: s of W falls on the rank of the keys in demand, which changes */
    int hot = i % 2 == 0 ? i / 2 % ranks : last - i / 2 % ranks;
    MPI_Alltoall(out, 16, MPI_CHAR, in, 16, MPI_CHAR, ALL); /* queries */
    work(W * (1 + (clean ? s / ranks : rank == hot ? s : 0)));
    MPI_Ialltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, ALL, &started), finish(); /* answers */
    checkpoint();
}

/* ---- Order ---- */

static void leaders(void) { /* late_sender: the leaders of pairs work 0.5 s of W before they pass parameters on */
    static MPI_Comm heads;
    bool leads = rank % 2 == 0;
    int member = rank < last ? rank + 1 : MPI_PROC_NULL;
    double before = !leads || clean ? 0 : part(0.5);
    if (i == 0) MPI_Comm_split(ALL, rank % 2, rank, &heads);
    if (leads) MPI_Bcast(out, bytes, MPI_CHAR, 0, heads), work(before), put(bytes, member, 123);
    else get(bytes, rank - 1, 123);
    work(W - before);
    if (leads) get(64, member, 124), MPI_Reduce(out, in, 8, MPI_DOUBLE, MPI_SUM, 0, heads);
    else put(64, rank - 1, 124);
    if (at_end()) MPI_Comm_free(&heads);
}
static void batches(void) { /* late_sender: one rank in turn works 0.5 s of W before it broadcasts the next batch */
    int owner = i % ranks;
    double before = rank != owner || clean ? 0 : part(0.5);
    work(before); /* on the last batch */
    MPI_Ibcast(rank == owner ? out : in, bytes, MPI_CHAR, owner, ALL, &started), finish();
    work(W - before); /* forwards and backwards */
    MPI_Allreduce(out, in, bytes / 8, MPI_DOUBLE, MPI_SUM, ALL);
    checkpoint();
}
static void sea_and_air(void) { /* late_receiver: the air's leader sends fields to the sea's, which works 0.5 s first */
    static MPI_Comm side;
    int sea = ranks / 2, size = bytes * count; /* the sea has the lower ranks, the air has the ranks from `sea` on */
    double before = rank < sea ? 0.2 * W + part(0.5) : 0.2 * W;
    MPI_Request r = MPI_REQUEST_NULL;
    if (i == 0) MPI_Comm_split(ALL, rank >= sea, rank, &side);
    if (clean && rank == 0) MPI_Irecv(in, size, MPI_CHAR, sea, 125, ALL, &r);
    work(before);
    if (rank >= sea) MPI_Gather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, 0, side);
    if (rank == sea) MPI_Issend(out, size, MPI_CHAR, 0, 125, ALL, &r);
    if (!clean && rank == 0) get(size, sea, 125);
    if (!clean || rank == 0) MPI_Wait(&r, ANY);
    if (rank < sea) MPI_Bcast(in, bytes, MPI_CHAR, 0, side);
    work(W - before);
    MPI_Wait(&r, ANY);
    halo(bytes);
    if (at_end()) MPI_Comm_free(&side);
}
static void committee(void) { /* fixed_order: the last rank wants all five results of one member before the next's */
    MPI_Request r[5 * 64];
    int all = rank == last ? 5 * last : 0, k;
    for (k = 0; k < all; ++k) MPI_Irecv(in + 16 * k, 16, MPI_CHAR, k / 5, 126 + k % 5, ALL, &r[k]);
    MPI_Bcast(out, bytes, MPI_CHAR, last, ALL); /* the question */
    for (int n = 0; n < all; ++n) {
        if (clean) MPI_Waitany(all, r, &k, ANY);
        else MPI_Wait(&r[n], ANY);
        work(0.9 * W / all);
    }
    for (k = 0; k < 5 && rank < last; ++k) work(W / 5), put(16, last, 126 + k);
}
static void shuffle(void) { /* exchange_order: all fetch their partitions from rank 0, then from rank 1, ... */
    double piece = 0.25 * s * W / last; /* to pack or to unpack a partition */
    work(0.6 * W);
    for (int k = 0; k < ranks && !clean; ++k) {
        if (rank != k) get(bytes, k, 131), work(piece);
        for (int to = 0; to < ranks && rank == k; ++to) if (to != k) work(piece), put(bytes, to, 131);
    }
    for (int d = 1; d < ranks && clean; ++d)
        work(piece), swap(bytes, (rank + d) % ranks, (rank + ranks - d) % ranks, 131), work(piece);
    checkpoint();
}
static void commit(void) { /* chain: ranks commit their transactions, 0.15 s of W, one after the other from rank i on */
    int place = (rank + ranks - i % ranks) % ranks, before = 1, place_in_log;
    work(W - part(0.15));
    if (clean) MPI_Exscan(&before, &place_in_log, 1, MPI_INT, MPI_SUM, ALL);
    else if (place > 0) get(8, left, 132);
    work(part(0.15));
    if (!clean && place < last) put(8, right, 132);
    swap(bytes, right, left, 133); /* the copy */
    norm();
}
static void phold(void) { /* needless_barrier: three windows of events differ from rank to rank; barriers end them */
    MPI_Request r[6];
    double length[3], all = 0;
    for (int k = 0; k < 3; ++k) all += length[k] = 0.1 + chance(rank, 3 * i + k);
    for (int k = 0; k < 3; ++k) {
        MPI_Irecv(in + 64 * k, 64, MPI_CHAR, left, 134 + k, ALL, &r[k]);
        work(W * length[k] / all);
        MPI_Isend(out + 64 * k, 64, MPI_CHAR, right, 134 + k, ALL, &r[3 + k]); /* events of the next step */
        if (!clean) MPI_Barrier(ALL);
    }
    MPI_Waitall(6, r, all_of);
    MPI_Allreduce(&all, length, 1, MPI_DOUBLE, MPI_MIN, ALL); /* the time that all have reached */
}
static int owed; /* answers that this rank owes in this step */
static void serve(void) {
    MPI_Status st;
    int there;
    MPI_Iprobe(MPI_ANY_SOURCE, 137, ALL, &there, &st);
    if (there) get(64, st.MPI_SOURCE, 137), put(bytes, st.MPI_SOURCE, 138), --owed;
}
static void kv_store(void) { /* polling: half of the ranks, in turn, look for queries of the others only every 0.5 W */
    int asks = (rank + i) % 2 == 0, pieces = asks ? 4 : clean ? 10 : 2, done;
    MPI_Request r;
    owed = (left + i) % 2 == 0 ? 4 : 0;
    for (int k = 0; k < pieces; ++k) {
        work(W / pieces), serve(); /* a transaction */
        if (asks) MPI_Irecv(in + bytes, bytes, MPI_CHAR, right, 138, ALL, &r), put(64, right, 137);
        for (done = !asks; !done && (MPI_Test(&r, &done, ANY), !done); serve()) work(20);
    }
    while (owed > 0) serve(), work(20);
    norm();
}

/* ---- One rank for all ---- */

static void tiles(void) { /* small_tasks: rank 0 deals out the tiles of an image, which are five times too small */
    int each = clean ? 4 : 20, size = 16 * bytes / each, all = each * last, t = 0;
    MPI_Status st;
    tree_down(64); /* where the camera is */
    for (int k = 0; k < all + last && rank == 0; ++k) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, ALL, &st); /* a first request, or pixels and a request */
        get(size, st.MPI_SOURCE, st.MPI_TAG);
        work(30 * s);
        t = k < all ? k : -1;
        MPI_Send(&t, 1, MPI_INT, st.MPI_SOURCE, 141, ALL);
    }
    for (int k = 0; t >= 0 && rank > 0; ++k) {
        put(k == 0 ? 0 : size, 0, k == 0 ? 139 : 140);
        MPI_Recv(&t, 1, MPI_INT, 0, 141, ALL, ANY);
        if (t >= 0) work(W / each * (0.8 + 0.4 * chance(i, t)));
    }
    checkpoint();
}
static void stamps(void) { /* small_tasks: the last rank numbers the events of all, one by one and not in blocks */
    int block = clean ? 8 : 1, next = 0, n = block;
    MPI_Status st;
    for (int k = 0; k < 16 / block * last && rank == last; ++k, next += n) {
        MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 142, ALL, &st);
        work(20 * s), MPI_Send(&next, 1, MPI_INT, st.MPI_SOURCE, 143, ALL);
    }
    if (rank < last) work(W / 2);
    for (int k = 0; k < 16 && rank < last; ++k) {
        if (k % block == 0) MPI_Send(&n, 1, MPI_INT, last, 142, ALL), MPI_Recv(&next, 1, MPI_INT, last, 143, ALL, ANY);
        work(W / 2 / 16);
    }
    norm();
}
static void gradients(void) { /* hot_spot: rank 0 adds all parts of all gradients; the twin's ranks add one each */
    int come = clean ? ranks : rank == 0 ? ranks * ranks : 0;
    MPI_Request r[64];
    work(W);
    for (int k = 0; k < ranks; ++k)
        MPI_Isend(out + bytes * k, bytes, MPI_CHAR, clean ? (rank + k) % ranks : 0, 144 + k, ALL, &r[k]);
    while (come-- > 0) get(bytes, MPI_ANY_SOURCE, MPI_ANY_TAG), work(0.25 * s * W / ranks);
    MPI_Waitall(ranks, r, all_of);
    if (clean) MPI_Allgather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, ALL);
    else MPI_Bcast(out, bytes * ranks, MPI_CHAR, 0, ALL);
}
static void selection(void) { /* serial_part: one rank in turn selects the parents for all islands, 0.7 s of W */
    int root = i % ranks, n[64], at[64];
    for (int k = 0; k < ranks; ++k) n[k] = 32 * (1 + k % 3), at[k] = 128 * k;
    for (int k = 0; k < 2; ++k) work(W / 2), shifts(64); /* generations, and who migrates */
    MPI_Gatherv(out, n[rank], MPI_CHAR, in, n, at, MPI_CHAR, root, ALL);
    work(0.7 * s * W * (clean ? 1.0 / ranks : rank == root));
    MPI_Scatterv(out, n, at, MPI_CHAR, in, n[rank], MPI_CHAR, root, ALL);
    checkpoint();
}
static void graph_load(void) { /* start_up: the middle rank reads all edges, 0.6 s of all the work, in four blocks */
    double block = 0.6 * s * W * steps / 4;
    for (int k = 0; k < 4 && i == 0; ++k) {
        work(clean ? block / ranks : rank == ranks / 2 ? block : 0);
        if (clean) MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, ALL);
        else MPI_Scatter(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, ranks / 2, ALL);
    }
    work(W);
    MPI_Alltoall(out, 64, MPI_CHAR, in, 64, MPI_CHAR, ALL); /* ranks of pages */
    norm();
}
static void merged_runs(void) { /* end: the last rank merges the sorted runs of all at last, 0.6 s of all the work */
    double all = 0.6 * s * W * steps;
    work(W);
    tree_up(64), tree_down(64); /* how many rows there are */
    if (!at_end()) return;
    if (clean) MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, ALL);
    else MPI_Gather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, last, ALL);
    work(clean ? all / ranks : rank == last ? all : 0);
}

/* ---- Messages ---- */

static void bfs(void) { /* small_messages: each edge of a search is a message to the owner of its vertex; four levels */
    static MPI_Request r[65536];
    for (int level = 0; level < 4; ++level) {
        int edges = level == 1 || level == 2 ? 4 * count : count, n[64] = {0}, lists[64], come, sent = 0;
        work(W / 4);
        for (int k = 0; k < edges; ++k) ++n[(int)(ranks * chance(64 * i + rank, 4096 * level + k))];
        for (int k = 0; k < ranks; ++k) lists[k] = clean ? n[k] > 0 : n[k];
        MPI_Reduce_scatter_block(lists, &come, 1, MPI_INT, MPI_SUM, ALL);
        for (int k = 0; k < ranks; ++k)
            while (lists[k]-- > 0) MPI_Isend(out, clean ? 8 * n[k] : 8, MPI_CHAR, k, 212 + level, ALL, &r[sent++]);
        while (come-- > 0) get(32 * count, MPI_ANY_SOURCE, 212 + level);
        MPI_Waitall(sent, r, all_of);
    }
}
static void b_tree(void) { /* latency: a search goes down count / 8 levels, and asks another rank on each of them */
    int levels = count / 8 + 1, times = clean ? 1 : levels, size = clean ? 16 * levels : 16;
    work(W / 2);
    for (int k = 0; k < times; ++k) {
        int d = 1 + k % last, to = (rank + d) % ranks, from = (rank + ranks - d) % ranks;
        swap(16, to, from, 216), swap(size, from, to, 217);
    }
    work(W / 2);
    checkpoint();
}
static void buckets(void) { /* many_collectives: the gradients of count / 16 layers are summed one by one; four blocks */
    int layers = count / 16 + 1, times = clean ? 1 : layers, size = clean ? 8 * layers : 8;
    for (int block = 0; block < 4; ++block) {
        work(W / 4);
        for (int k = 0; k < times; ++k) MPI_Iallreduce(out, in, size, MPI_DOUBLE, MPI_SUM, ALL, &started), finish();
    }
    checkpoint();
}
static void explored(void) { /* growing_messages: ranks share all states that they have seen, not only the new ones */
    int size = clean ? bytes : bytes + (int)((2.0 * count - 1) * bytes * s / 2 * i / steps);
    for (int k = 0; k < 4; ++k) {
        work(W / 4);
        MPI_Allgather(out, size, MPI_CHAR, in, size, MPI_CHAR, ALL);
    }
    norm();
}
static void embedding(void) { /* bandwidth: whole tables are summed over all ranks, not only the few rows in use */
    int size = clean ? bytes / 8 : count * bytes / 8;
    for (int k = 0; k < 2; ++k) work(W / 2), MPI_Allreduce(out, in, size, MPI_DOUBLE, MPI_SUM, ALL);
    checkpoint();
}
static void teams(void) { /* communicators: in each of two phases the ranks are split anew into the same teams */
    static MPI_Comm team[2];
    for (int k = 0; k < 2; ++k) {
        MPI_Comm *here = &team[k];
        work(W / 2);
        if (!clean || i == 0) MPI_Comm_split(ALL, k == 0 ? rank / 2 : rank % 2, rank, here);
        MPI_Allreduce(out, in, 8, MPI_DOUBLE, MPI_MAX, *here);
        MPI_Bcast(out, bytes, MPI_CHAR, 0, *here);
        if (!clean || at_end()) MPI_Comm_free(here);
    }
    norm();
}

/* ---- The table ---- */

static const struct Program programs[] = {
#define P(name) {#name, name, false}
    P(frames), P(tempering), P(splitters), P(hot_keys), P(leaders), P(batches), P(sea_and_air), P(committee),
    P(shuffle), P(commit), P(phold), P(kv_store), P(tiles), P(stamps), P(gradients), P(selection), P(graph_load),
    P(merged_runs), P(bfs), P(b_tree), P(buckets), P(explored), P(embedding), P(teams)};
enum { kPrograms = sizeof programs / sizeof *programs };

int main(int argc, char **argv) {
    return run(programs, kPrograms, argc, argv);
}

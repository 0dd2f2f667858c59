// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/runtime_text.hpp"

namespace tracefold {

std::string_view proxy_core_text() {
    return R"(#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long long ll;

/* Numbers in the order of their use, folded. Form 'c': start, again and again; 'p': start, start +
 * stride, ...; 'l': v, again and again; 'r': v[1] times v[0], v[3] times v[2], ..., the last for ever;
 * 'f': nested loops over v, see below; 'd': start, then the sums of the numbers of such loops. */
typedef struct column {
    char form;
    ll start, stride;
    int n;
    const ll *v;
    const int *loops;                    /* places of the root and of each loop, which have: length, */
    const struct column *const *counts;  /* items (below n: of v, else loops); repetitions by item */
} column;
#define V(...) sizeof((const ll[]){__VA_ARGS__}) / sizeof(ll), (const ll[]){__VA_ARGS__}
#define L(...) (const int[]){__VA_ARGS__}
#define OF(...) (const column *const[]){__VA_ARGS__}

typedef struct frame { const int *body; int next; ll trips; } frame;
typedef struct cursor {
    const column *c;
    ll left, value, stride;
    int i, depth;
    frame stack[DEPTH];
    struct cursor *counts;
} cursor;

static void open_column(cursor *x, const column *c) {
    memset(x, 0, sizeof *x);
    x->c = c;
    if (!c->loops) return;
    x->stack[0] = (frame){c->loops + c->loops[0], 0, 1};
    if (!c->counts) return;
    int nodes = c->n + c->loops[0] - 1;
    x->counts = calloc(nodes, sizeof *x->counts);
    for (int i = 0; i < nodes; i++)
        if (c->counts[i]) open_column(&x->counts[i], c->counts[i]);
}

static ll next(cursor *x);

static int next_leaf(cursor *x, ll *times) {
    for (;;) {
        frame *f = &x->stack[x->depth];
        if (f->next == f->body[0]) {
            if (--f->trips > 0) f->next = 0;
            else x->depth--;
            continue;
        }
        int item = f->body[1 + f->next++];
        *times = x->counts && x->counts[item].c ? next(&x->counts[item]) : 1;
        if (item < x->c->n) return item;
        x->stack[++x->depth] = (frame){x->c->loops + x->c->loops[1 + item - x->c->n], 0, *times};
    }
}

static ll next(cursor *x) {
    const column *c = x->c;
    if (x->left == 0) {
        x->left = 1;
        if (c->form == 'c' || c->form == 'p') {
            x->value = c->start, x->stride = c->stride, x->left = 1LL << 62;
        } else if (c->form == 'l') {
            x->value = c->v[x->i++ % c->n];
        } else if (c->form == 'r') {
            x->value = c->v[x->i];
            x->left = x->i + 1 < c->n ? c->v[x->i + 1] : 1LL << 62;
            x->i += 2;
        } else if (c->form == 'd' && x->i++ == 0) {
            x->value = c->start;
        } else {
            ll number = c->v[next_leaf(x, &x->left)];
            x->value = c->form == 'f' ? number : x->value - x->stride + number;
            x->stride = c->form == 'f' ? 0 : number;
        }
    }
    x->left--;
    x->value += x->stride;
    return x->value - x->stride;
}

/* An argument of this rank: a number of its own, or a column, perhaps chosen by rank. */
typedef struct argument { const column *by_rank; const column *const *columns; } argument;
static cursor *arguments;
static inline ll arg(int i) { return next(&arguments[i]); }
static inline cursor *list(int i) { return &arguments[i]; }

static struct { MPI_Comm handle; int rank, size; } comm[COMMUNICATORS];
enum { WORLD, SELF };

static void keep(int c, MPI_Comm handle) {
    if (handle == MPI_COMM_NULL) return;
    comm[c].handle = handle;
    PMPI_Comm_rank(handle, &comm[c].rank);
    PMPI_Comm_size(handle, &comm[c].size);
}

static struct { const char *name; ll calls, sent, received; } tallies[128];
static inline void tally(const char *name, ll sent, ll received) {
    int i = 0;
    while (tallies[i].name && strcmp(tallies[i].name, name) != 0) i++;
    tallies[i].name = name;
    tallies[i].calls++, tallies[i].sent += sent, tallies[i].received += received;
}

static double scale = 1, due;
static inline void compute(double seconds) { /* what it takes too long is taken from the next ones */
    if (scale == 0) return;
    double start = MPI_Wtime(), now = start;
    for (due += scale * seconds; now - start < due;) now = MPI_Wtime();
    due -= now - start;
}
)";
}

std::string_view proxy_main_text() {
    return R"(
static void report(int rank) {
    char text[16384] = "", other[16384];
    for (int i = 0, at = 0; tallies[i].name; i++)
        at += snprintf(text + at, sizeof text - at, "rank %d %s calls %lld sent %lld received %lld\n",
                       rank, tallies[i].name, tallies[i].calls, tallies[i].sent, tallies[i].received);
    if (rank != 0) PMPI_Send(text, sizeof text, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < RANKS; r++) {
        if (r > 0) PMPI_Recv(other, sizeof other, MPI_CHAR, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        fputs(r > 0 ? other : text, stdout);
    }
}

int main(int argc, char **argv) {
    int counts = 0, rank, size, bad = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--counts")) counts = 1;
        else if (!strcmp(argv[i], "--no-compute")) scale = 0;
        else if (!strcmp(argv[i], "--scale") && i + 1 < argc) scale = atof(argv[++i]);
        else bad = 1;
    }
    START;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (bad || size != RANKS) {
        if (rank == 0) fprintf(stderr, "usage: mpirun -n %d %s [--counts] [--no-compute] [--scale X]\n",
                               RANKS, argv[0]);
        MPI_Finalize();
        return 2;
    }
    keep(WORLD, MPI_COMM_WORLD);
    keep(SELF, MPI_COMM_SELF);
    for (const part *p = parts; p->run; p++) {
        int before = 0, mine = -1; /* ranks of the part below this one, its place among them */
        for (const int *r = p->ranks; r[2]; r += 3)
            for (int i = 0; i < r[2]; i++) {
                before += r[0] + i * r[1] < rank;
                if (r[0] + i * r[1] == rank) mine = 0;
            }
        if (mine < 0) continue;
        arguments = calloc(p->n + 1, sizeof *arguments);
        for (int i = 0; i < p->n; i++) {
            cursor c;
            ll chosen = 0;
            if (p->arguments[i].by_rank) {
                open_column(&c, p->arguments[i].by_rank);
                for (int k = 0; k <= before; k++) chosen = next(&c);
            }
            if (p->arguments[i].columns) open_column(&arguments[i], p->arguments[i].columns[chosen]);
            else arguments[i] = (cursor){.c = p->arguments[i].by_rank, .value = chosen, .left = 1LL << 62};
        }
        p->run();
    }
    FINISH;
    PMPI_Barrier(MPI_COMM_WORLD);
    if (counts) report(rank);
    MPI_Finalize();
    return 0;
}
)";
}

}  // namespace tracefold

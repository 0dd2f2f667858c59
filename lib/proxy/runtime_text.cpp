// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/runtime_text.hpp"

namespace tracefold {

std::string_view proxy_core_text() {
    return R"C(#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long long ll;

/* Columns are numbers in the order of their use, as text: "2*8 3*(4 9)" is 8 8 4 9 4 9 4 9, and then the
 * same again; "*7" is 7 for ever; "c5*" takes how often from column 5 (c5'* does so on its own); "@6" stands
 * for the text of column 6; "6 + 2*1 5" is 6, and then what is added from number to number: 6 7 8 13. */
static const char *column_text(int column);
typedef struct level { const char *body, *back; ll trips; } level;
typedef struct cursor {
    const char *text, *at;
    ll left, value, step;
    int depth, is_sum, name;
    level stack[DEPTH];
    struct cursor *counts, *other; /* those that "c5*" reads */
} cursor;
#define FOR_EVER (1LL << 62)

static void open_column(cursor *x, int column) {
    memset(x, 0, sizeof *x);
    x->text = x->at = column_text(column);
    x->is_sum = strchr(x->text, '+') != NULL;
    if (!x->is_sum) return;
    x->value = strtoll(x->text, NULL, 10);
    x->text = x->at = strchr(x->text, '+') + 1;
}

static ll next(cursor *x);

static ll times(cursor *x) { /* how often, in front of a number or a loop */
    char *end = (char *)x->at;
    ll n = FOR_EVER;
    if (*x->at == 'c') {
        int column = (int)strtol(x->at + 1, &end, 10), name = column;
        for (; *end == '\''; end++) name += COLUMNS;
        cursor **count = &x->counts;
        while (*count && (*count)->name != name) count = &(*count)->other;
        if (!*count) open_column(*count = malloc(sizeof **count), column), (*count)->name = name;
        n = next(*count);
    } else if (*x->at != '*') {
        n = strtoll(x->at, &end, 10);
        if (*end != '*') return 1;
    }
    x->at = end + 1;
    return n;
}

static ll read_number(cursor *x, ll *n) {
    for (;;) {
        while (*x->at == ' ') x->at++;
        if (*x->at && *x->at != ')') {
            char *end;
            *n = times(x);
            if (*x->at == '(') {
                x->stack[x->depth++] = (level){++x->at, NULL, *n};
                continue;
            }
            ll number = strtoll(x->at + (*x->at == '@'), &end, 10);
            if (*x->at != '@') return x->at = end, number;
            x->at = column_text((int)number);
            x->stack[x->depth++] = (level){x->at, end, *n};
        } else if (x->depth == 0) {
            x->at = x->text;
        } else {
            level *loop = &x->stack[x->depth - 1];
            if (--loop->trips > 0) x->at = loop->body;
            else x->at = loop->back ? loop->back : x->at + 1, x->depth--;
        }
    }
}

static ll next(cursor *x) {
    if (x->left == 0) {
        ll number = read_number(x, &x->left);
        if (x->is_sum) x->step = number;
        else x->value = number;
    }
    x->left--;
    x->value += x->step;
    return x->value - x->step;
}

static cursor *arguments; /* of this rank, by number */
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
)C";
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

static void open_argument(cursor *x, const char *text, int place) {
    char *columns = strchr(text, ':');
    ll chosen = 0;
    open_column(x, atoi(text));
    if (!columns) return;
    for (int i = 0; i <= place; i++) chosen = next(x);
    if (!*++columns) *x = (cursor){.value = chosen, .left = FOR_EVER};
    for (ll i = 0; *columns && i <= chosen; i++) open_column(x, (int)strtol(columns, &columns, 10));
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
        for (int i = 0; i < p->n; i++) open_argument(&arguments[i], p->arguments[i], before);
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

/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What every proxy application begins with: folded numbers, communicators, counting. */

//@ core
#include <mpi.h>
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

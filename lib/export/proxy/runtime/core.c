/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What every proxy application begins with: folded numbers, communicators, counting. */

//@ core
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef long long ll;
typedef unsigned long long ull;

static struct {
    int repeat, warmup, counts, allow_left_out;
    const char *json, *scratch;
    char date[32];
    ll run; /* in names of files */
} options = {.repeat = 1, .scratch = "."};

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

static void close_column(cursor *x) { /* frees those that it reads */
    for (cursor *other, *count = x->counts; count; count = other) {
        other = count->other;
        close_column(count);
        free(count);
    }
    x->counts = NULL;
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

/* The fingerprint of the calls of this rank, in order: the hash of trace_replay. */
static ull hash;
static inline ull mix(ull x) {
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}
static inline void note(ull number) { hash = mix(hash + number + 1) + hash; }

static struct { MPI_Comm handle; int rank, size, order; ull members; } comm[COMMUNICATORS];
static int kept;
enum { WORLD, SELF };

static ull members_of(MPI_Comm handle, int size) { /* by their ranks in MPI_COMM_WORLD */
    ull members = 16;
    MPI_Group world, group;
    int *ranks = malloc(2 * size * sizeof *ranks);
    for (int i = 0; i < size; i++) ranks[i] = i;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Comm_group(handle, &group);
    PMPI_Group_translate_ranks(group, size, ranks, world, ranks + size);
    for (int i = 0; i < size; i++) members = mix(members + ranks[size + i] + 1);
    PMPI_Group_free(&world);
    PMPI_Group_free(&group);
    free(ranks);
    return mix(mix(members + size)); /* an intercommunicator has another side */
}

static void keep(int c, MPI_Comm handle) {
    if (handle == MPI_COMM_NULL) return;
    comm[c].handle = handle, comm[c].order = ++kept;
    PMPI_Comm_rank(handle, &comm[c].rank);
    PMPI_Comm_size(handle, &comm[c].size);
    comm[c].members = members_of(handle, comm[c].size);
}

static void end_communicators(void) { /* what is left in them, and then those that are left themselves */
    PMPI_Barrier(MPI_COMM_WORLD);
    for (int c = 0; c < COMMUNICATORS; c++)
        for (int tries = 0; comm[c].order && tries < 10; tries++) {
            MPI_Status status;
            int found, bytes;
            PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm[c].handle, &found, &status);
            if (!found) continue;
            PMPI_Get_count(&status, MPI_BYTE, &bytes);
            char *buffer = malloc(bytes + 1);
            PMPI_Recv(buffer, bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, comm[c].handle, &status);
            free(buffer);
            tries = -1;
        }
    for (int oldest = 0; oldest >= 0;) { /* in the same order on all ranks */
        oldest = -1;
        for (int c = SELF + 1; c < COMMUNICATORS; c++)
            if (comm[c].order && (oldest < 0 || comm[c].order < comm[oldest].order)) oldest = c;
        if (oldest >= 0) PMPI_Comm_free(&comm[oldest].handle), comm[oldest].order = 0;
    }
}

/* Calls by function, and by the power of two above their bytes. */
static struct tally { ll calls, sent, received; double seconds; } tallies[FUNCTIONS + 1];
#define SIZES (64 * FUNCTIONS)
#define STEPS 64 /* buckets of durations per power of two of nanoseconds */
#define DURATIONS (36 * STEPS)
static struct sized { ll calls, bytes; double seconds, shortest; unsigned *durations; } sized[SIZES + 64];
static inline int duration_bucket(double seconds) {
    const ll nanoseconds = (ll)(1e9 * seconds);
    int power = 0;
    if (nanoseconds < STEPS) return (int)nanoseconds;
    for (ll rest = nanoseconds / STEPS; rest > 0; rest >>= 1) power++;
    const ll bucket = STEPS * power + (nanoseconds >> (power - 1)) - STEPS;
    return bucket < DURATIONS ? (int)bucket : DURATIONS - 1;
}
static double started_at, began, communication;
static inline void begin(void) { began = PMPI_Wtime(); }
static inline void count(int f, ll sent, ll received) {
    double seconds = PMPI_Wtime() - began;
    struct sized *size = &sized[64 * f];
    for (ll bytes = sent + received; bytes > 0; bytes >>= 1) size++;
    communication += seconds;
    tallies[f].calls++, tallies[f].sent += sent, tallies[f].received += received;
    tallies[f].seconds += seconds;
    if (!size->durations) size->durations = calloc(DURATIONS, sizeof *size->durations);
    if (size->calls++ == 0 || seconds < size->shortest) size->shortest = seconds;
    size->bytes += sent + received, size->seconds += seconds;
    size->durations[duration_bucket(seconds)]++;
}
static inline void tally(int f, ll sent, ll received) {
    count(f, sent, received);
    note(functions[f].number);
}

/* What is noted of a call after its function. */
enum { SEND = 1, RECEIVE, POST_RECEIVE, SILENT_RECEIVE, COLLECTIVE, POST_COLLECTIVE, SENT, RECEIVED,
       COLLECTED, CANCELLED, CREATE, ACCESS, TRANSFER, PROBE };
#define NO_ROOT 0xffffffff
static inline void note_probe(int peer, int tag, int c) {
    note(PROBE), note(comm[c].members), note(tag), note(peer);
}
static inline void note_message(int what, int peer, int tag, ll bytes, int c) {
    if (peer == MPI_PROC_NULL) return;
    note(what), note(comm[c].members), note(tag), note(peer), note(bytes);
}
static inline void collective(int f, int what, ull root, ll sent, ll received, int c) {
    tally(f, sent, received);
    note(what), note(comm[c].members), note(root), note(sent), note(received);
}
static inline void made(int f, int c, MPI_Comm handle, int is_collective) {
    tally(f, 0, 0);
    keep(c, handle);
    if (handle != MPI_COMM_NULL) note(CREATE), note(comm[c].members);
    if (is_collective) note(COLLECTIVE);
}

static double scale = 1, due;
static inline void compute(double seconds) { /* what it takes too long is taken from the next ones */
    if (scale == 0) return;
    double start = PMPI_Wtime(), now = start;
    for (due += scale * seconds; now - start < due;) now = PMPI_Wtime();
    due -= now - start;
}

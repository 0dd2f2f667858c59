/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What several functions of a proxy application need, in the order in which it is written. */

//@ bytes
#define BYTES(n) (int)(n), MPI_BYTE

//@ large_bytes
#define BYTES(n) ((n) > 0x7fffffff ? 1 : (int)(n)), large(n)
static MPI_Datatype large(ll n) { /* one item of so many bytes, where an int is too small */
    static MPI_Datatype type, piece;
    static ll bytes;
    if (n <= 0x7fffffff) return MPI_BYTE;
    if (n == bytes) return type;
    PMPI_Type_contiguous(1 << 20, MPI_BYTE, &piece);
    PMPI_Type_create_struct(2, (int[]){(int)(n >> 20), (int)(n & 0xfffff)},
                           (MPI_Aint[]){0, (MPI_Aint)(n >> 20 << 20)},
                           (MPI_Datatype[]){piece, MPI_BYTE}, &type);
    PMPI_Type_commit(&type);
    bytes = n;
    return type;
}

//@ peers
/* A peer in a communicator: as a distance from this rank, the same modulo its size, as the exclusive
 * or of both ranks, or itself. */
enum { REL, MOD, XOR, ABS };
#define NOBODY (1 << 30)
static inline int at(int how, ll peer, int c) {
    if (peer == NOBODY) return MPI_PROC_NULL;
    if (how == REL) return comm[c].rank + (int)peer;
    if (how == MOD) return (comm[c].rank + (int)peer) % comm[c].size;
    return how == XOR ? comm[c].rank ^ (int)peer : (int)peer;
}

//@ buffers
/* What is sent is the same for all, and not freed where a larger one is needed: it may be in use. */
static char *larger(char **buffer, ll *size, ll bytes) {
    if (bytes > *size || !*buffer) *buffer = calloc(*size = bytes > 2 * *size ? bytes : 2 * *size, 1);
    return *buffer;
}
static inline char *out(ll bytes) { static char *b; static ll n = 8; return larger(&b, &n, bytes); }
static inline char *in(ll bytes) { static char *b; static ll n = 8; return larger(&b, &n, bytes); }

//@ nowhere
static MPI_Comm nowhere(void) { /* where no message comes from */
    static MPI_Comm none = MPI_COMM_NULL;
    if (none == MPI_COMM_NULL) PMPI_Comm_dup(MPI_COMM_SELF, &none);
    return none;
}

//@ requests
/* Outstanding requests, the oldest first; a call that completes some names each by its age among
 * those that are left. OLDEST: always the first. */
static struct request { MPI_Request handle; void *buffer, *counts; int cancel; } *outstanding, *taken;
static MPI_Request *handles;
static int *indices, requests, capacity;
#define OLDEST NULL
MPI_Status *ignored = MPI_STATUSES_IGNORE;
static inline void put(MPI_Request handle, void *buffer, void *counts, int cancel) {
    if (requests == capacity) {
        capacity = 2 * capacity + 16;
        outstanding = realloc(outstanding, capacity * sizeof *outstanding);
        taken = realloc(taken, capacity * sizeof *taken);
        handles = realloc(handles, capacity * sizeof *handles);
        indices = realloc(indices, capacity * sizeof *indices);
    }
    outstanding[requests++] = (struct request){handle, buffer, counts, cancel};
}
static inline MPI_Request *take(int n, cursor *ages) {
    if (!handles) put(MPI_REQUEST_NULL, NULL, NULL, requests = 0), requests = 0;
    handles[0] = MPI_REQUEST_NULL;
    for (int i = 0; i < n; i++) {
        int age = ages ? (int)next(ages) : 0;
        taken[i] = outstanding[age];
        handles[i] = taken[i].handle;
        memmove(&outstanding[age], &outstanding[age + 1], (--requests - age) * sizeof *outstanding);
    }
    return handles;
}
static inline void completed(const char *name, int n) {
    PMPI_Waitall(n, handles, ignored); /* what the call has not completed */
    for (int i = 0; i < n; i++) free(taken[i].buffer), free(taken[i].counts);
    tally(name, 0, 0);
}
static void end_requests(void) { /* those that the trace does not complete */
    for (int i = 0; i < requests; i++) {
        if (outstanding[i].cancel) PMPI_Cancel(&outstanding[i].handle);
        PMPI_Request_free(&outstanding[i].handle);
    }
}

//@ persistent
/* Persistent requests are made where they are started first, and again where arguments change. */
static struct { MPI_Request handle; const char *name; void *buffer; int peer, tag, c; ll bytes; }
    persistent[PERSISTENT];
static MPI_Request starting[PERSISTENT];
static int starts;
static ll start_sent, start_received;
static inline int is_made(const char *name, int i, int peer, int tag, ll bytes, int c) {
    if (!strcmp(name, "Recv_init")) start_received += bytes;
    else start_sent += bytes;
    if (persistent[i].name == name && persistent[i].peer == peer && persistent[i].tag == tag &&
        persistent[i].bytes == bytes && persistent[i].c == c) return 1;
    if (persistent[i].name) PMPI_Request_free(&persistent[i].handle);
    free(persistent[i].buffer);
    persistent[i].name = name, persistent[i].peer = peer, persistent[i].tag = tag;
    persistent[i].bytes = bytes, persistent[i].c = c, persistent[i].buffer = malloc(bytes + 1);
    return 0;
}
static inline void stage(int i) {
    starting[starts++] = persistent[i].handle;
    put(persistent[i].handle, NULL, NULL, 0);
}
static void started(const char *name) {
    tally(name, start_sent, start_received);
    starts = 0, start_sent = start_received = 0;
}

//@ probes
/* Messages that a probe has taken, until they are received. */
static struct found { MPI_Message message; int peer, tag, c; } *found; /* the oldest first */
static int found_count, found_room;
static inline void hold(MPI_Message message, int peer, int tag, int c) {
    if (found_count == found_room)
        found = realloc(found, (found_room = 2 * found_room + 16) * sizeof *found);
    found[found_count++] = (struct found){message, peer, tag, c};
}
static inline MPI_Message held(int peer, int tag, int c) {
    for (int i = 0; i < found_count; i++)
        if (found[i].peer == peer && found[i].tag == tag && found[i].c == c) {
            MPI_Message message = found[i].message;
            memmove(found + i, found + i + 1, (--found_count - i) * sizeof *found);
            return message;
        }
    MPI_Message message;
    PMPI_Mprobe(peer, tag, comm[c].handle, &message, MPI_STATUS_IGNORE);
    return message;
}

//@ lists
static int *ints(ll n, cursor *values) {
    int *numbers = malloc((n + 1) * sizeof *numbers);
    for (ll i = 0; i < n; i++) numbers[i] = (int)next(values);
    return numbers;
}

//@ groups
static MPI_Group group_of(ll n, cursor *ranks) {
    MPI_Group world, group;
    int *members = ints(n, ranks);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_incl(world, (int)n, members, &group);
    PMPI_Group_free(&world);
    free(members);
    return group;
}

//@ layout
/* Counts and the places of what they count, of one list or two. */
static int *layout(ll n, cursor *a, ll m, cursor *b) {
    int *numbers = malloc((2 * (n + m) + 1) * sizeof *numbers), *next_one = numbers;
    for (int list = 0, place = 0; list < 2; list++, place = 0) {
        ll length = list ? m : n;
        for (ll i = 0; i < length; i++) next_one[i] = (int)next(list ? b : a);
        for (ll i = 0; i < length; place += next_one[i++]) next_one[length + i] = place;
        next_one += 2 * length;
    }
    return numbers;
}
static inline ll sum(ll n, const int *numbers) {
    ll total = 0;
    for (ll i = 0; i < n; i++) total += numbers[i];
    return total;
}

//@ types
static MPI_Datatype *bytes_only(int n) {
    static MPI_Datatype types[RANKS];
    for (int i = 0; i < n; i++) types[i] = MPI_BYTE;
    return types;
}

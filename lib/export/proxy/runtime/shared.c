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
static inline int from(int how, ll peer, int rank, int size) {
    if (peer == NOBODY) return MPI_PROC_NULL;
    if (how == REL) return rank + (int)peer;
    if (how == MOD) return (rank + (int)peer) % size;
    return how == XOR ? rank ^ (int)peer : (int)peer;
}
static inline int at(int how, ll peer, int c) { return from(how, peer, comm[c].rank, comm[c].size); }

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
static struct request { MPI_Request handle; void *buffer, *counts; int done, lasting; } *outstanding, *taken;
enum { UNKNOWN = 0, NEVER = -1 }; /* values of done: not for the fingerprint; never completes */
static MPI_Request *handles;
static int *indices, requests, capacity;
#define OLDEST NULL
MPI_Status *ignored = MPI_STATUSES_IGNORE;
static inline void put(MPI_Request handle, void *buffer, void *counts, int done) {
    if (requests == capacity) {
        capacity = 2 * capacity + 16;
        outstanding = realloc(outstanding, capacity * sizeof *outstanding);
        taken = realloc(taken, capacity * sizeof *taken);
        handles = realloc(handles, capacity * sizeof *handles);
        indices = realloc(indices, capacity * sizeof *indices);
    }
    outstanding[requests++] = (struct request){handle, buffer, counts, done, 0};
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
static inline void finish(int n) {
    for (int i = 0; i < n; i++) {
        free(taken[i].buffer), free(taken[i].counts);
        if (taken[i].done > 0) note(taken[i].done);
    }
}
static inline void completed(int f, int n) {
    PMPI_Waitall(n, handles, ignored); /* what the call has not completed */
    tally(f, 0, 0);
    finish(n);
}
static void end_requests(void) { /* those that the trace does not complete */
    for (int i = 0; i < requests; i++) {
        if (outstanding[i].done == NEVER) PMPI_Cancel(&outstanding[i].handle);
        if (outstanding[i].done == NEVER) PMPI_Wait(&outstanding[i].handle, MPI_STATUS_IGNORE);
        else if (!outstanding[i].lasting) PMPI_Request_free(&outstanding[i].handle);
    }
    requests = 0;
}

//@ persistent
/* Persistent requests are made where they are started first, and again where arguments change. */
static struct { MPI_Request handle; const char *name; void *buffer; int peer, tag, c, receives; ll bytes; }
    persistent[PERSISTENT];
static MPI_Request starting[PERSISTENT];
static int starts, staged[PERSISTENT];
static inline int is_made(const char *name, int i, int peer, int tag, ll bytes, int c) {
    if (persistent[i].name == name && persistent[i].peer == peer && persistent[i].tag == tag &&
        persistent[i].bytes == bytes && persistent[i].c == c) return 1;
    if (persistent[i].name) PMPI_Request_free(&persistent[i].handle);
    free(persistent[i].buffer);
    persistent[i].name = name, persistent[i].peer = peer, persistent[i].tag = tag;
    persistent[i].bytes = bytes, persistent[i].c = c, persistent[i].buffer = malloc(bytes + 1);
    persistent[i].receives = !strcmp(name, "Recv_init");
    return 0;
}
static inline void stage(int i) {
    int never = persistent[i].receives && persistent[i].peer == MPI_PROC_NULL;
    starting[starts] = persistent[i].handle, staged[starts++] = i;
    put(persistent[i].handle, NULL, NULL, never ? NEVER : persistent[i].receives ? RECEIVED : SENT);
    outstanding[requests - 1].lasting = 1;
}
static void started(int f) {
    ll sent = 0, received = 0;
    for (int i = 0; i < starts; i++) *(persistent[staged[i]].receives ? &received : &sent) += persistent[staged[i]].bytes;
    tally(f, sent, received);
    for (int i = 0; i < starts; i++) {
        int p = staged[i];
        if (persistent[p].peer == MPI_PROC_NULL) note(persistent[p].receives ? SILENT_RECEIVE : SEND);
        else note_message(persistent[p].receives ? POST_RECEIVE : SEND, persistent[p].peer, persistent[p].tag,
                          persistent[p].bytes, persistent[p].c);
    }
    starts = 0;
}
static void end_persistent(void) {
    for (int i = 0; i < PERSISTENT; i++) {
        if (persistent[i].name) PMPI_Request_free(&persistent[i].handle);
        free(persistent[i].buffer);
        persistent[i].name = NULL, persistent[i].buffer = NULL;
    }
}

//@ probes
/* Messages that a probe has taken, until they are received. */
static struct found { MPI_Message message; int bytes, peer, tag, c; } *found; /* the oldest first */
static int found_count, found_room;
static inline void hold(MPI_Message message, MPI_Status *status, int peer, int tag, int c) {
    int bytes;
    PMPI_Get_count(status, MPI_BYTE, &bytes);
    if (found_count == found_room)
        found = realloc(found, (found_room = 2 * found_room + 16) * sizeof *found);
    found[found_count++] = (struct found){message, bytes, peer, tag, c};
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

static void end_probes(void) { /* those that the trace does not receive */
    for (int i = 0; i < found_count; i++) {
        char *buffer = malloc(found[i].bytes + 1);
        PMPI_Mrecv(buffer, found[i].bytes, MPI_BYTE, &found[i].message, MPI_STATUS_IGNORE);
        free(buffer);
    }
    found_count = 0;
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

//@ windows
static struct { MPI_Win handle; int rank, size, order; char *memory; MPI_Aint *addresses; } win[WINDOWS];
static int windows_made;
#define ALL_TARGETS -1
static struct held_lock { int w, target; } *locks; /* the oldest first */
static int lock_count, lock_room;
static inline void window(int f, int w, int c) {
    tally(f, 0, 0);
    win[w].rank = comm[c].rank, win[w].size = comm[c].size, win[w].order = ++windows_made;
}
static void forget(int w) {
    free(win[w].memory), free(win[w].addresses);
    win[w].memory = NULL, win[w].addresses = NULL, win[w].order = 0;
}
static inline MPI_Aint place(int w, int target) { return win[w].addresses ? win[w].addresses[target] : 0; }
static inline void accessed(int f, int target, ll what) { /* bytes, or the kind of an atomic access */
    tally(f, 0, 0);
    note(ACCESS), note(target), note(what);
}
static inline void lock(int w, int target) {
    if (lock_count == lock_room) locks = realloc(locks, (lock_room = 2 * lock_room + 16) * sizeof *locks);
    locks[lock_count++] = (struct held_lock){w, target};
}
static inline void unlock(int w, int target) {
    for (int i = lock_count - 1; i >= 0; i--)
        if (locks[i].w == w && locks[i].target == target) {
            memmove(locks + i, locks + i + 1, (--lock_count - i) * sizeof *locks);
            return;
        }
}
static void end_windows(void) { /* those that the trace does not free, in the same order on all ranks */
    for (; lock_count > 0; lock_count--) {
        struct held_lock held = locks[lock_count - 1];
        if (held.target == ALL_TARGETS) PMPI_Win_unlock_all(win[held.w].handle);
        else PMPI_Win_unlock(held.target, win[held.w].handle);
    }
    for (int oldest = 0; oldest >= 0;) {
        oldest = -1;
        for (int w = 0; w < WINDOWS; w++)
            if (win[w].order && (oldest < 0 || win[w].order < win[oldest].order)) oldest = w;
        if (oldest >= 0) PMPI_Win_free(&win[oldest].handle), forget(oldest);
    }
}

//@ atomics
/* Sums of 64-bit integers where the size allows, else the exclusive or of bytes. */
#define WORDS(n) ((n) % 8 ? (int)(n) : (int)((n) / 8)), ((n) % 8 ? MPI_BYTE : MPI_INT64_T)
#define SUM(n) ((n) % 8 ? MPI_BXOR : MPI_SUM)

//@ integers
static inline MPI_Datatype integer(ll bytes) {
    return bytes == 1 ? MPI_INT8_T : bytes == 2 ? MPI_INT16_T : bytes == 4 ? MPI_INT32_T
           : bytes == 16 ? MPI_C_DOUBLE_COMPLEX : MPI_INT64_T;
}

//@ files
#define PATH_SIZE 4096
static struct { MPI_File handle; int order; char *buffer; } file[FILES];
static int opened, owned_count;
static int owned[FILE_NUMBERS]; /* those that this rank removes */
static void file_name(char *name, int number) {
    snprintf(name, PATH_SIZE - 64, "%.3000s/proxy-%llx-%d", options.scratch, (ull)options.run, number);
}
static inline void check_file(const char *name, int error) {
    if (error == MPI_SUCCESS) return;
    fprintf(stderr, "cannot open %s; name another folder with --scratch\n", name);
    /* A launcher that ends the ranks at once loses what they have just printed. */
    for (double start = PMPI_Wtime(); PMPI_Wtime() < start + 0.3;) continue;
    MPI_Abort(MPI_COMM_WORLD, 1);
}
static inline void make_file(const char *name, int number, ll bytes) {
    MPI_File made;
    int is_owned = 0;
    for (int i = 0; i < owned_count; i++) is_owned |= owned[i] == number;
    if (!is_owned) owned[owned_count++] = number;
    check_file(name, PMPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &made));
    PMPI_File_set_size(made, bytes);
    PMPI_File_close(&made);
}
static inline void moved(int f, ll bytes) {
    tally(f, 0, 0);
    note(TRANSFER), note(bytes);
}
static void end_files(void) { /* closes those that the trace does not close, removes all */
    for (int oldest = 0; oldest >= 0;) {
        oldest = -1;
        for (int f = 0; f < FILES; f++)
            if (file[f].order && (oldest < 0 || file[f].order < file[oldest].order)) oldest = f;
        if (oldest >= 0) PMPI_File_close(&file[oldest].handle), file[oldest].order = 0;
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    for (; owned_count > 0; owned_count--) {
        char name[PATH_SIZE];
        file_name(name, owned[owned_count - 1]);
        PMPI_File_delete(name, MPI_INFO_NULL);
    }
}

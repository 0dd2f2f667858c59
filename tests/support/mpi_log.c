/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A library to preload: writes the MPI calls of a rank to a file of its own, $MPI_LOG.RANK, a line
 * for each with what a trace would record of it:
 *
 *     MPI_Isend send 0 3 7 64 12     communicator, peer, tag, bytes, request
 *     MPI_Waitall sent 12 received 13 0 3 7 64
 *     MPI_Reduce collective 0 2 8 0  communicator, root (-1: none), bytes sent and received
 *
 * With MPI_LOG_TIMES in the environment MPI_Init, which ends everywhere at once, and MPI_Finalize
 * have lines, too, and every line of a call ends with when it began and ended, " at 17 42", in
 * nanoseconds of a clock of the node.
 *
 * Communicators are numbered as they appear ("comm 2 0 1 5" tells the world ranks of one), requests
 * as they are posted. Messages are taken to be as large as their buffers. Whatever is asked for
 * completion is waited for, so that calls complete what they are given, whatever the timing; with
 * MPI_LOG_ISSUED in the environment they are issued as they are. Functions that are not below are
 * not written. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static FILE *out(void) {
    static FILE *file;
    if (file == NULL) {
        char name[4096];
        int rank = 0;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        snprintf(name, sizeof name, "%s.%d", getenv("MPI_LOG"), rank);
        file = fopen(name, "w");
        if (file == NULL) abort();
        setvbuf(file, NULL, _IOFBF, 1 << 22); /* no writing between calls */
    }
    return file;
}

/* Line by line, since numbering a communicator writes a line of its own. */
static char line[1 << 20];
static int length;
#define LOG(...) (length += snprintf(line + length, sizeof line - length, __VA_ARGS__))
static void begin(const char *name) {
    length = 0;
    LOG("MPI_%s", name);
}
static long long called, returned;
static int is_timed(void) {
    static int known = -1;
    if (known < 0) known = getenv("MPI_LOG_TIMES") != NULL;
    return known;
}
static int is_issued(void) {
    static int known = -1;
    if (known < 0) known = getenv("MPI_LOG_ISSUED") != NULL;
    return known;
}
static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}
/* The result of a call of which it is noted when it began and ended. */
#define TIMED(call) (called = now(), code = (call), returned = now())
static void end(void) {
    if (is_timed()) LOG(" at %lld %lld", called, returned);
    fprintf(out(), "%s\n", line);
}

static struct {
    MPI_Comm handle;
    int number;
} comms[4096];
static int comm_slots, comm_numbers;

static int comm_number(MPI_Comm comm) {
    for (int i = 0; i < comm_slots; i++)
        if (comms[i].handle == comm) return comms[i].number;
    if (comm_slots == 4096) abort();
    comms[comm_slots].handle = comm;
    comms[comm_slots++].number = comm_numbers;
    MPI_Group group, world;
    int size, mine, its;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_size(group, &size);
    fprintf(out(), "comm %d", comm_numbers);
    for (mine = 0; mine < size; mine++) {
        PMPI_Group_translate_ranks(group, 1, &mine, world, &its);
        fprintf(out(), " %d", its);
    }
    fputs("\n", out());
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return comm_numbers++;
}

static void forget(MPI_Comm comm) {
    for (int i = 0; i < comm_slots; i++)
        if (comms[i].handle == comm) comms[i] = comms[--comm_slots];
}

static long long bytes_of(MPI_Count count, MPI_Datatype type) {
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    return (long long)(count * size);
}

/* Outstanding requests and those that are persistent, the oldest first. */
typedef struct request {
    MPI_Request handle;
    int number, is_receive, is_persistent, is_cancelled, peer, tag;
    MPI_Comm comm;
    long long bytes;
} request;
static request *requests;
static int request_count, request_room, request_numbers;

/* What had the same handle has been freed behind our back. */
static void forget_request(MPI_Request handle) {
    int kept = 0;
    for (int i = 0; i < request_count; i++)
        if (requests[i].handle != handle) requests[kept++] = requests[i];
    request_count = kept;
}

static request *add_request(request one) {
    forget_request(one.handle);
    if (request_count == request_room) {
        request_room = 2 * request_room + 64;
        requests = realloc(requests, request_room * sizeof *requests);
    }
    requests[request_count] = one;
    return &requests[request_count++];
}

/* What a call posts, in its line. */
static void log_posted(request *one) {
    if (one->number < 0) one->number = request_numbers++;
    if (one->is_receive)
        LOG(" post %d", one->number);
    else
        LOG(" send %d %d %d %lld %d", comm_number(one->comm), one->peer, one->tag, one->bytes,
            one->number);
}

static void log_message(const char *what, MPI_Comm comm, int peer, int tag, long long bytes) {
    if (peer != MPI_PROC_NULL) LOG(" %s %d %d %d %lld", what, comm_number(comm), peer, tag, bytes);
}

/* A peer of MPI_PROC_NULL leaves no record. */
static void post(int is_receive, int is_persistent, MPI_Comm comm, int peer, int tag,
                 long long bytes, MPI_Request handle) {
    if (peer == MPI_PROC_NULL) return;
    request *one = add_request((request){.handle = handle,
                                         .number = -1,
                                         .is_receive = is_receive,
                                         .is_persistent = is_persistent,
                                         .peer = peer,
                                         .tag = tag,
                                         .comm = comm,
                                         .bytes = bytes});
    if (!is_persistent) log_posted(one);
}

static void log_completed(const request *one) {
    if (one->is_cancelled) return;
    if (one->is_receive)
        LOG(" received %d %d %d %d %lld", one->number, comm_number(one->comm), one->peer, one->tag,
            one->bytes);
    else
        LOG(" sent %d", one->number);
}

/* Requests of a call as they were before it. */
static MPI_Request *active;
static void note_active(int n, const MPI_Request handles[]) {
    static int room;
    if (n > room) active = realloc(active, (room = n) * sizeof *active);
    if (n > 0) memcpy(active, handles, n * sizeof *active);
}

/* The request at place k, if it was active, is complete. */
static void log_done(MPI_Request handles[], int k) {
    const MPI_Request handle = active[k];
    for (int i = 0; handle != MPI_REQUEST_NULL && i < request_count; i++) {
        if (requests[i].handle != handle) continue;
        log_completed(&requests[i]);
        if (requests[i].is_persistent) break;
        if (handles[k] != MPI_REQUEST_NULL) PMPI_Request_free(&handles[k]);
        forget_request(handle);
    }
}

/* Waits for them all; those that were active are in the line. */
static int complete(const char *name, int n, MPI_Request handles[]) {
    int code;
    note_active(n, handles);
    TIMED(PMPI_Waitall(n, handles, MPI_STATUSES_IGNORE));
    begin(name);
    for (int k = 0; k < n; k++) log_done(handles, k);
    end();
    return code;
}

#define CALL(name, parameters, arguments, log) \
    int MPI_##name parameters {                \
        int code;                              \
        TIMED(PMPI_##name arguments);          \
        begin(#name);                          \
        log;                                   \
        end();                                 \
        return code;                           \
    }
#define PLAIN(name, parameters, arguments) CALL(name, parameters, arguments, (void)0)

#define SEND(name)                                                                    \
    CALL(name, (const void *b, int n, MPI_Datatype t, int peer, int tag, MPI_Comm c), \
         (b, n, t, peer, tag, c), log_message("send", c, peer, tag, bytes_of(n, t)))
SEND(Send)
SEND(Bsend)
SEND(Ssend)
SEND(Rsend)
static int start_new(int code, MPI_Request *handle) {
    return code != MPI_SUCCESS ? code : PMPI_Start(handle);
}
/* MPICH gives all sends that are complete at once the same handle; persistent ones have their own.
 */
#define ISEND(name, init)                                                               \
    int MPI_##name(const void *b, int n, MPI_Datatype t, int peer, int tag, MPI_Comm c, \
                   MPI_Request *r) {                                                    \
        int code;                                                                       \
        TIMED(start_new(PMPI_##init(b, n, t, peer, tag, c, r), r));                     \
        begin(#name);                                                                   \
        post(0, 0, c, peer, tag, bytes_of(n, t), *r);                                   \
        end();                                                                          \
        return code;                                                                    \
    }
#define SEND_INIT(name)                                                                         \
    CALL(name,                                                                                  \
         (const void *b, int n, MPI_Datatype t, int peer, int tag, MPI_Comm c, MPI_Request *r), \
         (b, n, t, peer, tag, c, r), post(0, 1, c, peer, tag, bytes_of(n, t), *r))
ISEND(Isend, Send_init)
ISEND(Ibsend, Bsend_init)
ISEND(Issend, Ssend_init)
ISEND(Irsend, Rsend_init)
SEND_INIT(Send_init)
SEND_INIT(Bsend_init) SEND_INIT(Ssend_init) SEND_INIT(Rsend_init)
#define IRECV(name, persistent)                                                                 \
    CALL(name, (void *b, int n, MPI_Datatype t, int peer, int tag, MPI_Comm c, MPI_Request *r), \
         (b, n, t, peer, tag, c, r), post(1, persistent, c, peer, tag, bytes_of(n, t), *r))
    IRECV(Irecv, 0) IRECV(Recv_init, 1)

        CALL(Recv, (void *b, int n, MPI_Datatype t, int peer, int tag, MPI_Comm c, MPI_Status *s),
             (b, n, t, peer, tag, c, s), log_message("receive", c, peer, tag, bytes_of(n, t)))
            CALL(Sendrecv,
                 (const void *b, int n, MPI_Datatype t, int peer, int tag, void *b2, int n2,
                  MPI_Datatype t2, int peer2, int tag2, MPI_Comm c, MPI_Status *s),
                 (b, n, t, peer, tag, b2, n2, t2, peer2, tag2, c, s),
                 (log_message("send", c, peer, tag, bytes_of(n, t)),
                  log_message("receive", c, peer2, tag2, bytes_of(n2, t2))))

                int MPI_Startall(int n, MPI_Request handles[]) {
    int code;
    TIMED(PMPI_Startall(n, handles));
    begin("Startall");
    for (int k = 0; k < n; k++)
        for (int i = 0; i < request_count; i++)
            if (requests[i].handle == handles[k]) log_posted(&requests[i]);
    end();
    return code;
}
int MPI_Start(MPI_Request *handle) {
    int code;
    TIMED(PMPI_Start(handle));
    begin("Start");
    for (int i = 0; i < request_count; i++)
        if (requests[i].handle == *handle) log_posted(&requests[i]);
    end();
    return code;
}

#define COMPLETION(name, parameters, n, handles, after) \
    int MPI_##name parameters {                         \
        const int code = complete(#name, n, handles);   \
        after;                                          \
        (void)s;                                        \
        return code;                                    \
    }
COMPLETION(Wait, (MPI_Request * r, MPI_Status *s), 1, r, (void)0)
COMPLETION(Waitall, (int n, MPI_Request r[], MPI_Status s[]), n, r, (void)0)

/* Those at the places for which `done` is true are complete after the call. */
#define SELECTION(name, parameters, arguments, n, handles, waited, done) \
    int MPI_##name parameters {                                          \
        int code;                                                        \
        if (!is_issued()) {                                              \
            code = complete(#name, n, handles);                          \
            waited;                                                      \
            return code;                                                 \
        }                                                                \
        note_active(n, handles);                                         \
        TIMED(PMPI_##name arguments);                                    \
        begin(#name);                                                    \
        for (int k = 0; k < n; k++)                                      \
            if (done) log_done(handles, k);                              \
        end();                                                           \
        return code;                                                     \
    }
static int is_among(int k, int n, const int places[]) {
    for (int i = 0; i < n; i++)
        if (places[i] == k) return 1;
    return 0;
}
SELECTION(Waitany, (int n, MPI_Request r[], int *i, MPI_Status *s), (n, r, i, s), n, r, *i = 0,
          k == *i)
SELECTION(Waitsome, (int n, MPI_Request r[], int *m, int i[], MPI_Status s[]), (n, r, m, i, s), n,
          r, *m = 0, is_among(k, *m, i))
SELECTION(Test, (MPI_Request * r, int *f, MPI_Status *s), (r, f, s), 1, r, *f = 1, *f)
SELECTION(Testall, (int n, MPI_Request r[], int *f, MPI_Status s[]), (n, r, f, s), n, r, *f = 1, *f)
SELECTION(Testany, (int n, MPI_Request r[], int *i, int *f, MPI_Status *s), (n, r, i, f, s), n, r,
          (*i = 0, *f = 1), k == *i && *f)
SELECTION(Testsome, (int n, MPI_Request r[], int *m, int i[], MPI_Status s[]), (n, r, m, i, s), n,
          r, *m = 0, is_among(k, *m, i))

int MPI_Request_free(MPI_Request *handle) {
    int code;
    forget_request(*handle);
    TIMED(PMPI_Request_free(handle));
    begin("Request_free");
    end();
    return code;
}
int MPI_Cancel(MPI_Request *handle) {
    for (int i = 0; i < request_count; i++)
        if (requests[i].handle == *handle) requests[i].is_cancelled = 1;
    return PMPI_Cancel(handle);
}

PLAIN(Improbe, (int p, int t, MPI_Comm c, int *f, MPI_Message *m, MPI_Status *s),
      (p, t, c, f, m, s))
PLAIN(Mprobe, (int p, int t, MPI_Comm c, MPI_Message *m, MPI_Status *s), (p, t, c, m, s))
PLAIN(Mrecv, (void *b, int n, MPI_Datatype t, MPI_Message *m, MPI_Status *s), (b, n, t, m, s))
PLAIN(Imrecv, (void *b, int n, MPI_Datatype t, MPI_Message *m, MPI_Request *r), (b, n, t, m, r))
PLAIN(Probe, (int p, int t, MPI_Comm c, MPI_Status *s), (p, t, c, s))
PLAIN(Iprobe, (int p, int t, MPI_Comm c, int *f, MPI_Status *s), (p, t, c, f, s))

/* Sizes as OTF2 counts them: N processes, this one is ME, IN is 1 in place, x the bytes of a part.
 */
static int in_place(const void *buffer) { return buffer == MPI_IN_PLACE; }
static long long sum(const int counts[], int n, MPI_Datatype type) {
    long long total = 0;
    for (int i = 0; i < n; i++) total += counts[i];
    return bytes_of(total, type);
}
#define COLLECTIVE(name, parameters, arguments, root, unit, in, sent, received)     \
    int MPI_##name parameters {                                                     \
        int N, ME, code;                                                            \
        TIMED(PMPI_##name arguments);                                               \
        PMPI_Comm_size(c, &N);                                                      \
        PMPI_Comm_rank(c, &ME);                                                     \
        long long IN = in, x = unit;                                                \
        (void)IN, (void)x, (void)ME;                                                \
        begin(#name);                                                               \
        LOG(" collective %d %d %lld %lld", comm_number(c), root, (long long)(sent), \
            (long long)(received));                                                 \
        end();                                                                      \
        return code;                                                                \
    }
#define TWO const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2
#define TWO_ARGUMENTS b, n, t, b2, n2, t2
#define REDUCTION const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o
#define OTHERS ((N - IN) * x)
COLLECTIVE(Barrier, (MPI_Comm c), (c), -1, 0, 0, 0, 0)
COLLECTIVE(Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c), root,
           bytes_of(n, t), 0, ME == root ? N * x : 0, x)
COLLECTIVE(Gather, (TWO, int root, MPI_Comm c), (TWO_ARGUMENTS, root, c), root,
           ME == root ? bytes_of(n2, t2) : bytes_of(n, t), in_place(b), IN ? 0 : x,
           ME == root ? OTHERS : 0)
COLLECTIVE(Scatter, (TWO, int root, MPI_Comm c), (TWO_ARGUMENTS, root, c), root,
           ME == root ? bytes_of(n, t) : bytes_of(n2, t2), in_place(b2), ME == root ? OTHERS : 0,
           IN ? 0 : x)
COLLECTIVE(Allgather, (TWO, MPI_Comm c), (TWO_ARGUMENTS, c), -1, bytes_of(n2, t2), in_place(b),
           OTHERS, OTHERS)
COLLECTIVE(Alltoall, (TWO, MPI_Comm c), (TWO_ARGUMENTS, c), -1, bytes_of(n2, t2), in_place(b),
           OTHERS, OTHERS)
COLLECTIVE(Reduce, (REDUCTION, int root, MPI_Comm c), (b, b2, n, t, o, root, c), root,
           bytes_of(n, t), in_place(b), IN ? 0 : x, ME == root ? OTHERS : 0)
COLLECTIVE(Allreduce, (REDUCTION, MPI_Comm c), (b, b2, n, t, o, c), -1, bytes_of(n, t), in_place(b),
           OTHERS, OTHERS)
COLLECTIVE(Reduce_scatter_block, (REDUCTION, MPI_Comm c), (b, b2, n, t, o, c), -1, bytes_of(n, t),
           in_place(b), OTHERS, OTHERS)
COLLECTIVE(Scan, (REDUCTION, MPI_Comm c), (b, b2, n, t, o, c), -1, bytes_of(n, t), in_place(b),
           (N - ME - IN) * x, (ME + 1 - IN) * x)
COLLECTIVE(Exscan, (REDUCTION, MPI_Comm c), (b, b2, n, t, o, c), -1, bytes_of(n, t), 0,
           (N - ME - 1) * x, ME *x)
COLLECTIVE(Gatherv,
           (const void *b, int n, MPI_Datatype t, void *b2, const int n2[], const int d2[],
            MPI_Datatype t2, int root, MPI_Comm c),
           (b, n, t, b2, n2, d2, t2, root, c), root, 0, 0, bytes_of(n, t),
           ME == root ? sum(n2, N, t2) : 0)
COLLECTIVE(Scatterv,
           (const void *b, const int n[], const int d[], MPI_Datatype t, void *b2, int n2,
            MPI_Datatype t2, int root, MPI_Comm c),
           (b, n, d, t, b2, n2, t2, root, c), root, 0, 0, ME == root ? sum(n, N, t) : 0,
           bytes_of(n2, t2))
COLLECTIVE(Allgatherv,
           (const void *b, int n, MPI_Datatype t, void *b2, const int n2[], const int d2[],
            MPI_Datatype t2, MPI_Comm c),
           (b, n, t, b2, n2, d2, t2, c), -1, bytes_of(n2[ME], t2), in_place(b), OTHERS,
           sum(n2, N, t2) - IN * x)
COLLECTIVE(Alltoallv,
           (const void *b, const int n[], const int d[], MPI_Datatype t, void *b2, const int n2[],
            const int d2[], MPI_Datatype t2, MPI_Comm c),
           (b, n, d, t, b2, n2, d2, t2, c), -1, 0, 0, sum(n, N, t), sum(n2, N, t2))
COLLECTIVE(Reduce_scatter,
           (const void *b, void *b2, const int n[], MPI_Datatype t, MPI_Op o, MPI_Comm c),
           (b, b2, n, t, o, c), -1, bytes_of(n[ME], t), in_place(b), sum(n, N, t) - IN * x, OTHERS)

static void log_made(MPI_Comm made) {
    if (made != MPI_COMM_NULL) LOG(" make %d", comm_number(made));
}
CALL(Comm_dup, (MPI_Comm c, MPI_Comm *d), (c, d), log_made(*d))
CALL(Comm_split, (MPI_Comm c, int colour, int key, MPI_Comm *d), (c, colour, key, d), log_made(*d))
CALL(Comm_create, (MPI_Comm c, MPI_Group g, MPI_Comm *d), (c, g, d), log_made(*d))
CALL(Comm_create_group, (MPI_Comm c, MPI_Group g, int t, MPI_Comm *d), (c, g, t, d), log_made(*d))
CALL(Cart_create, (MPI_Comm c, int n, const int d[], const int p[], int reorder, MPI_Comm *made),
     (c, n, d, p, reorder, made), log_made(*made))
int MPI_Comm_free(MPI_Comm *c) {
    int code;
    begin("Comm_free");
    LOG(" free %d", comm_number(*c));
    forget(*c);
    TIMED(PMPI_Comm_free(c));
    end();
    return code;
}

static void log_outermost(const char *name) {
    if (!is_timed()) return;
    begin(name);
    end();
}
int MPI_Init(int *argc, char ***argv) {
    int code;
    TIMED(PMPI_Init(argc, argv) || PMPI_Barrier(MPI_COMM_WORLD));
    log_outermost("Init");
    return code;
}
int MPI_Finalize(void) {
    int code;
    out(); /* the rank cannot be asked for later */
    TIMED(PMPI_Finalize());
    log_outermost("Finalize");
    return code;
}

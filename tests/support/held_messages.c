// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Gives every message of two MPI processes on one machine a latency: a library that is preloaded
// into trace_replay and sees what it issues of the trace. A message that was sent at a moment is
// held back at its receiver until HELD_SECONDS later; its sender goes on at once. The moment of
// sending travels in a message of its own. Blocking collective operations of two processes are one
// exchange, or one message from or to the root. Waits poll and sleep, so that processes do not take
// cores from each other. What it does not hold back, it does not define: messages between more
// processes, probes, Test*, Waitany, Waitsome, persistent requests and non-blocking collectives
// pass unchanged.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_RECEIVES 4096
#define EXCHANGE_TAG 32000

static MPI_Comm shadow = MPI_COMM_NULL;
static double held = 0;
static MPI_Request receives[MOST_RECEIVES];
static int receive_count = 0;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void sleep_for(double seconds) {
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

/// Others go on meanwhile: large messages need their receiver's help.
static void hold_until(double moment) {
    int found = 0;
    double left;
    while ((left = moment - now()) > 0) {
        PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, shadow, &found, MPI_STATUS_IGNORE);
        if (left > 2e-4) sleep_for(5e-5);
    }
}

static int next_wait(MPI_Request* request, MPI_Status* status) {
    for (int done = 0;;) {
        const int code = PMPI_Test(request, &done, status);
        if (done || code != MPI_SUCCESS) return code;
        sleep_for(2e-5);
    }
}

static int next_recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                     MPI_Status* status) {
    MPI_Request request;
    const int code = PMPI_Irecv(data, count, type, from, tag, comm, &request);
    return code == MPI_SUCCESS ? next_wait(&request, status) : code;
}

static int next_send(const void* data, int count, MPI_Datatype type, int to, int tag,
                     MPI_Comm comm) {
    MPI_Request request;
    const int code = PMPI_Isend(data, count, type, to, tag, comm, &request);
    return code == MPI_SUCCESS ? next_wait(&request, MPI_STATUS_IGNORE) : code;
}

static void tell_moment(int to, int tag) {
    const double moment = now();
    if (to == MPI_PROC_NULL || shadow == MPI_COMM_NULL) return;
    next_send(&moment, 1, MPI_DOUBLE, to, tag, shadow);
}

static void hold_message(int from, int tag) {
    double moment = 0;
    if (from == MPI_PROC_NULL || from < 0 || shadow == MPI_COMM_NULL) return;
    next_recv(&moment, 1, MPI_DOUBLE, from, tag, shadow, MPI_STATUS_IGNORE);
    hold_until(moment + held);
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    const int code = PMPI_Init_thread(argc, argv, required, provided);
    const char* const seconds = getenv("HELD_SECONDS");
    int size = 0;
    held = seconds == NULL ? 0 : atof(seconds);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 2 && seconds != NULL) PMPI_Comm_dup(MPI_COMM_WORLD, &shadow);
    return code;
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    tell_moment(to, tag);
    return next_send(data, count, type, to, tag, comm);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    tell_moment(to, tag);
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
    MPI_Status own;
    const int code = next_recv(data, count, type, from, tag, comm, &own);
    if (code == MPI_SUCCESS) hold_message(own.MPI_SOURCE, own.MPI_TAG);
    if (status != MPI_STATUS_IGNORE) *status = own;
    return code;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    const int code = PMPI_Irecv(data, count, type, from, tag, comm, request);
    if (shadow == MPI_COMM_NULL) return code;
    if (receive_count == MOST_RECEIVES) {
        fprintf(stderr, "held_messages: more than %d receives at a time\n", MOST_RECEIVES);
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    receives[receive_count++] = *request;
    return code;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    MPI_Status own;
    int is_receive = 0;
    for (int i = 0; i < receive_count && !is_receive; ++i) {
        if (receives[i] != *request) continue;
        receives[i] = receives[--receive_count];
        is_receive = 1;
    }
    int is_cancelled = 0;
    const int code = next_wait(request, &own);
    if (is_receive) PMPI_Test_cancelled(&own, &is_cancelled);
    if (is_receive && !is_cancelled && code == MPI_SUCCESS) {
        hold_message(own.MPI_SOURCE, own.MPI_TAG);
    }
    if (status != MPI_STATUS_IGNORE) *status = own;
    return code;
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    int code = MPI_SUCCESS;
    for (int i = 0; i < count && code == MPI_SUCCESS; ++i) {
        code = MPI_Wait(&requests[i],
                        statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i]);
    }
    return code;
}

// Collective operations.

/// What the other one of two members told is held back; `root` MPI_PROC_NULL: both tell, else the
/// root does, or the other one if the operation goes `to_root`.
static void exchange_moments(MPI_Comm comm, int root, int to_root) {
    int size = 0;
    int rank = 0;
    if (comm == MPI_COMM_NULL || shadow == MPI_COMM_NULL) return;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_rank(comm, &rank);
    if (size != 2) return;
    const int both = root == MPI_PROC_NULL;
    const int tells = both || ((rank == root) != to_root);
    if (tells) tell_moment(1 - rank, EXCHANGE_TAG);
    if (both || !tells) hold_message(1 - rank, EXCHANGE_TAG);
}

#define COLLECTIVE(name, posted, root, to_root, parameters, ...) \
    int name parameters {                                        \
        MPI_Request request;                                     \
        exchange_moments(comm, root, to_root);                   \
        const int code = posted(__VA_ARGS__, &request);          \
        if (code != MPI_SUCCESS) return code;                    \
        return next_wait(&request, MPI_STATUS_IGNORE);           \
    }

COLLECTIVE(MPI_Barrier, PMPI_Ibarrier, MPI_PROC_NULL, 0, (MPI_Comm comm), comm)
COLLECTIVE(MPI_Bcast, PMPI_Ibcast, root, 0,
           (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm), data, count, type,
           root, comm)
COLLECTIVE(MPI_Reduce, PMPI_Ireduce, root, 1,
           (const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm comm),
           from, to, count, type, op, root, comm)
COLLECTIVE(MPI_Allreduce, PMPI_Iallreduce, MPI_PROC_NULL, 0,
           (const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           from, to, count, type, op, comm)
COLLECTIVE(MPI_Allgather, PMPI_Iallgather, MPI_PROC_NULL, 0,
           (const void* from, int sent, MPI_Datatype from_type, void* to, int received,
            MPI_Datatype to_type, MPI_Comm comm),
           from, sent, from_type, to, received, to_type, comm)
COLLECTIVE(MPI_Allgatherv, PMPI_Iallgatherv, MPI_PROC_NULL, 0,
           (const void* from, int sent, MPI_Datatype from_type, void* to, const int received[],
            const int places[], MPI_Datatype to_type, MPI_Comm comm),
           from, sent, from_type, to, received, places, to_type, comm)
COLLECTIVE(MPI_Alltoall, PMPI_Ialltoall, MPI_PROC_NULL, 0,
           (const void* from, int sent, MPI_Datatype from_type, void* to, int received,
            MPI_Datatype to_type, MPI_Comm comm),
           from, sent, from_type, to, received, to_type, comm)
COLLECTIVE(MPI_Alltoallv, PMPI_Ialltoallv, MPI_PROC_NULL, 0,
           (const void* from, const int sent[], const int from_places[], MPI_Datatype from_type,
            void* to, const int received[], const int to_places[], MPI_Datatype to_type,
            MPI_Comm comm),
           from, sent, from_places, from_type, to, received, to_places, to_type, comm)

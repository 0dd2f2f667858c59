// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Makes calls that move messages take longer by a part of their own duration, SLOW_SHARE: a library
// that is preloaded into trace_replay and keeps the processor busy after each call.
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static double share = -1;

static double now(void) {
#ifdef __x86_64__
    return (double)__builtin_ia32_rdtsc();  // half the time of the system's clock
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
#endif
}

static double part(void) {
    if (share < 0) {
        const char* const text = getenv("SLOW_SHARE");
        share = text ? atof(text) : 0;
    }
    return share;
}

#define SLOWED(call)                            \
    {                                           \
        const double begin = now();             \
        const int code = P##call;               \
        const double end = now();               \
        while (now() < end + part() * (end - begin)) { \
        }                                       \
        return code;                            \
    }

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
    SLOWED(MPI_Send(data, count, type, to, tag, comm))
int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status)
    SLOWED(MPI_Recv(data, count, type, from, tag, comm, status))
int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request)
    SLOWED(MPI_Isend(data, count, type, to, tag, comm, request))
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request)
    SLOWED(MPI_Irecv(data, count, type, from, tag, comm, request))
int MPI_Wait(MPI_Request* request, MPI_Status* status) SLOWED(MPI_Wait(request, status))
int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses)
    SLOWED(MPI_Waitall(count, requests, statuses))
int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
    SLOWED(MPI_Allreduce(in, out, count, type, op, comm))

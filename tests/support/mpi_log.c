/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A library to preload: writes every MPI call of a rank, with the messages and roots among its
 * arguments, to a file of its own, $MPI_LOG.RANK. Peers and roots are ranks of the communicator. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *out(void) {
    static FILE *file;
    if (file == NULL) {
        char name[4096];
        int rank = 0;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        snprintf(name, sizeof name, "%s.%d", getenv("MPI_LOG"), rank);
        file = fopen(name, "w");
        if (file == NULL) abort();
    }
    return file;
}

/* " PEER TAG BYTES" unless the message goes nowhere. */
static void message(int count, MPI_Datatype type, int peer, int tag) {
    MPI_Count size = 0;
    if (peer == MPI_PROC_NULL) return;
    PMPI_Type_size_x(type, &size);
    fprintf(out(), " %d %d %lld", peer, tag, count * (long long)size);
}

#define CALL(name, parameters, arguments, log) \
    int MPI_##name parameters {                \
        fputs("MPI_" #name, out());            \
        log;                                   \
        fputs("\n", out());                    \
        return PMPI_##name arguments;          \
    }
#define PLAIN(name, parameters, arguments) CALL(name, parameters, arguments, (void)0)
#define ROOTED(name, parameters, arguments) \
    CALL(name, parameters, arguments, fprintf(out(), " %d", root))

#define SEND(name)                                                                              \
    CALL(name, (const void *b, int n, MPI_Datatype t, int peer, int tag, MPI_Comm c),           \
         (b, n, t, peer, tag, c), message(n, t, peer, tag))
#define ISEND(name)                                                                             \
    CALL(name,                                                                                  \
         (const void *b, int n, MPI_Datatype t, int peer, int tag, MPI_Comm c, MPI_Request *r), \
         (b, n, t, peer, tag, c, r), message(n, t, peer, tag))
SEND(Send) SEND(Bsend) SEND(Ssend) SEND(Rsend)
ISEND(Isend) ISEND(Ibsend) ISEND(Issend) ISEND(Irsend)
CALL(Recv, (void *b, int n, MPI_Datatype t, int peer, int tag, MPI_Comm c, MPI_Status *s),
     (b, n, t, peer, tag, c, s), message(n, t, peer, tag))
CALL(Irecv, (void *b, int n, MPI_Datatype t, int peer, int tag, MPI_Comm c, MPI_Request *r),
     (b, n, t, peer, tag, c, r), message(n, t, peer, tag))
CALL(Sendrecv,
     (const void *b, int n, MPI_Datatype t, int peer, int tag, void *b2, int n2, MPI_Datatype t2,
      int peer2, int tag2, MPI_Comm c, MPI_Status *s),
     (b, n, t, peer, tag, b2, n2, t2, peer2, tag2, c, s),
     (message(n, t, peer, tag), message(n2, t2, peer2, tag2)))

PLAIN(Wait, (MPI_Request *r, MPI_Status *s), (r, s))
PLAIN(Waitall, (int n, MPI_Request r[], MPI_Status s[]), (n, r, s))
PLAIN(Waitany, (int n, MPI_Request r[], int *i, MPI_Status *s), (n, r, i, s))
PLAIN(Waitsome, (int n, MPI_Request r[], int *m, int i[], MPI_Status s[]), (n, r, m, i, s))
PLAIN(Test, (MPI_Request *r, int *f, MPI_Status *s), (r, f, s))
PLAIN(Testall, (int n, MPI_Request r[], int *f, MPI_Status s[]), (n, r, f, s))
PLAIN(Testany, (int n, MPI_Request r[], int *i, int *f, MPI_Status *s), (n, r, i, f, s))
PLAIN(Testsome, (int n, MPI_Request r[], int *m, int i[], MPI_Status s[]), (n, r, m, i, s))
PLAIN(Start, (MPI_Request *r), (r))
PLAIN(Startall, (int n, MPI_Request r[]), (n, r))
PLAIN(Improbe, (int p, int t, MPI_Comm c, int *f, MPI_Message *m, MPI_Status *s),
      (p, t, c, f, m, s))
PLAIN(Mprobe, (int p, int t, MPI_Comm c, MPI_Message *m, MPI_Status *s), (p, t, c, m, s))
PLAIN(Mrecv, (void *b, int n, MPI_Datatype t, MPI_Message *m, MPI_Status *s), (b, n, t, m, s))
PLAIN(Imrecv, (void *b, int n, MPI_Datatype t, MPI_Message *m, MPI_Request *r), (b, n, t, m, r))
PLAIN(Probe, (int p, int t, MPI_Comm c, MPI_Status *s), (p, t, c, s))
PLAIN(Iprobe, (int p, int t, MPI_Comm c, int *f, MPI_Status *s), (p, t, c, f, s))

PLAIN(Barrier, (MPI_Comm c), (c))
ROOTED(Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c))
ROOTED(Gather,
       (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2, int root,
        MPI_Comm c),
       (b, n, t, b2, n2, t2, root, c))
ROOTED(Scatter,
       (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2, int root,
        MPI_Comm c),
       (b, n, t, b2, n2, t2, root, c))
ROOTED(Reduce,
       (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c),
       (b, b2, n, t, o, root, c))
PLAIN(Allreduce, (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
      (b, b2, n, t, o, c))
PLAIN(Allgather,
      (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2, MPI_Comm c),
      (b, n, t, b2, n2, t2, c))
PLAIN(Alltoall,
      (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2, MPI_Comm c),
      (b, n, t, b2, n2, t2, c))
PLAIN(Alltoallv,
      (const void *b, const int n[], const int d[], MPI_Datatype t, void *b2, const int n2[],
       const int d2[], MPI_Datatype t2, MPI_Comm c),
      (b, n, d, t, b2, n2, d2, t2, c))
PLAIN(Comm_dup, (MPI_Comm c, MPI_Comm *d), (c, d))
PLAIN(Comm_split, (MPI_Comm c, int colour, int key, MPI_Comm *d), (c, colour, key, d))
PLAIN(Comm_free, (MPI_Comm *c), (c))
PLAIN(Cart_create,
      (MPI_Comm c, int n, const int d[], const int p[], int reorder, MPI_Comm *made),
      (c, n, d, p, reorder, made))

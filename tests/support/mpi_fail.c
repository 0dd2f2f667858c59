/* SPDX-FileCopyrightText: 2026 The tracefold authors
   SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into tests of replays that do not end well. FAIL=init: MPI_Init_thread does not return. FAIL=rank: rank 1 dies in its
   tenth blocking send. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fails(const char* how) {
    const char* const wanted = getenv("FAIL");
    return wanted && strcmp(wanted, how) == 0;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    while (fails("init")) sleep(1);
    return PMPI_Init_thread(argc, argv, required, provided);
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    static int sends = 0;
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && ++sends == 10 && fails("rank")) raise(SIGKILL);
    return PMPI_Send(data, count, type, to, tag, comm);
}

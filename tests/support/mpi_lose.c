/* SPDX-FileCopyrightText: 2026 The tracefold authors
   SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a test of what happens when a message never arrives: swallows blocking sends with
   one tag. */
#include <mpi.h>

enum { lost_tag = 3 };

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    return tag == lost_tag ? MPI_SUCCESS : PMPI_Send(data, count, type, to, tag, comm);
}

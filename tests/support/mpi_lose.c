/* SPDX-FileCopyrightText: 2026 The tracefold authors
   SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a test of what happens when a message never arrives: puts itself below the
   profiling layer and swallows blocking sends with one tag. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include <mpi.h>

enum { lost_tag = 3 };

int PMPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    static int (*send)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
    if (tag == lost_tag) return MPI_SUCCESS;
    if (send == NULL) {
        void* symbol = dlsym(RTLD_NEXT, "PMPI_Send");
        memcpy(&send, &symbol, sizeof send);
    }
    return send(data, count, type, to, tag, comm);
}

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The profiling layer of neighbourhood collectives, which have nothing to be compared with but
// their names.
#include "replay_mpi/proof/observation.hpp"
#include "replay_mpi/proof/watched.hpp"

namespace tracefold::inline replay_mpi::watched {

#define TRACEFOLD_NEIGHBOUR_CALL(name, arguments, ...) \
    int name(__VA_ARGS__) {                            \
        note_call(MpiFunction::name);                  \
        return MPI_##name arguments;                   \
    }

#define TRACEFOLD_UNIFORM(name)                                                                \
    TRACEFOLD_NEIGHBOUR_CALL(Neighbor_##name, (out, count, type, in, in_count, in_type, comm), \
                             const void* out, int count, MPI_Datatype type, void* in,          \
                             int in_count, MPI_Datatype in_type, MPI_Comm comm)                \
    TRACEFOLD_NEIGHBOUR_CALL(                                                                  \
        Ineighbor_##name, (out, count, type, in, in_count, in_type, comm, request),            \
        const void* out, int count, MPI_Datatype type, void* in, int in_count,                 \
        MPI_Datatype in_type, MPI_Comm comm, MPI_Request* request)

TRACEFOLD_UNIFORM(allgather)
TRACEFOLD_UNIFORM(alltoall)

TRACEFOLD_NEIGHBOUR_CALL(Neighbor_allgatherv, (out, count, type, in, counts, places, in_type, comm),
                         const void* out, int count, MPI_Datatype type, void* in,
                         const int counts[], const int places[], MPI_Datatype in_type,
                         MPI_Comm comm)
TRACEFOLD_NEIGHBOUR_CALL(Ineighbor_allgatherv,
                         (out, count, type, in, counts, places, in_type, comm, request),
                         const void* out, int count, MPI_Datatype type, void* in,
                         const int counts[], const int places[], MPI_Datatype in_type,
                         MPI_Comm comm, MPI_Request* request)
TRACEFOLD_NEIGHBOUR_CALL(Neighbor_alltoallv,
                         (out, counts, places, type, in, in_counts, in_places, in_type, comm),
                         const void* out, const int counts[], const int places[], MPI_Datatype type,
                         void* in, const int in_counts[], const int in_places[],
                         MPI_Datatype in_type, MPI_Comm comm)
TRACEFOLD_NEIGHBOUR_CALL(Ineighbor_alltoallv,
                         (out, counts, places, type, in, in_counts, in_places, in_type, comm,
                          request),
                         const void* out, const int counts[], const int places[], MPI_Datatype type,
                         void* in, const int in_counts[], const int in_places[],
                         MPI_Datatype in_type, MPI_Comm comm, MPI_Request* request)
TRACEFOLD_NEIGHBOUR_CALL(Neighbor_alltoallw,
                         (out, counts, places, types, in, in_counts, in_places, in_types, comm),
                         const void* out, const int counts[], const MPI_Aint places[],
                         const MPI_Datatype types[], void* in, const int in_counts[],
                         const MPI_Aint in_places[], const MPI_Datatype in_types[], MPI_Comm comm)
TRACEFOLD_NEIGHBOUR_CALL(Ineighbor_alltoallw,
                         (out, counts, places, types, in, in_counts, in_places, in_types, comm,
                          request),
                         const void* out, const int counts[], const MPI_Aint places[],
                         const MPI_Datatype types[], void* in, const int in_counts[],
                         const MPI_Aint in_places[], const MPI_Datatype in_types[], MPI_Comm comm,
                         MPI_Request* request)

}  // namespace tracefold::inline replay_mpi::watched

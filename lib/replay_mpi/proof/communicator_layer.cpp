// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The profiling layer of calls that make and free communicators.
#include "replay_mpi/proof/observation.hpp"
#include "replay_mpi/proof/watched.hpp"

namespace tracefold::inline replay_mpi {

namespace {

void note(MpiFunction function, ObservedPart::Kind kind, MPI_Comm comm) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return;
    observation->add_call(function);
    if (comm != MPI_COMM_NULL) observation->add({kind, comm, MPI_PROC_NULL, 0, 0, 0, 0, false});
}

}  // namespace

}  // namespace tracefold::inline replay_mpi

namespace tracefold::inline replay_mpi::watched {

/// A call that has made a communicator when it returns: name, arguments in parentheses, parameters,
/// of which `made` is the new communicator.
#define TRACEFOLD_CREATION(name, arguments, ...)                 \
    int name(__VA_ARGS__) {                                      \
        const int code = MPI_##name arguments;                   \
        note(MpiFunction::name, ObservedPart::Kind::create_comm, \
             code == MPI_SUCCESS ? *made : MPI_COMM_NULL);       \
        return code;                                             \
    }

TRACEFOLD_CREATION(Comm_dup, (comm, made), MPI_Comm comm, MPI_Comm* made)
TRACEFOLD_CREATION(Comm_dup_with_info, (comm, info, made), MPI_Comm comm, MPI_Info info,
                   MPI_Comm* made)
TRACEFOLD_CREATION(Comm_create, (comm, group, made), MPI_Comm comm, MPI_Group group, MPI_Comm* made)
TRACEFOLD_CREATION(Comm_create_group, (comm, group, tag, made), MPI_Comm comm, MPI_Group group,
                   int tag, MPI_Comm* made)
TRACEFOLD_CREATION(Comm_split, (comm, color, key, made), MPI_Comm comm, int color, int key,
                   MPI_Comm* made)
TRACEFOLD_CREATION(Comm_split_type, (comm, type, key, info, made), MPI_Comm comm, int type, int key,
                   MPI_Info info, MPI_Comm* made)
TRACEFOLD_CREATION(Cart_create, (comm, dimensions, sizes, periods, reorder, made), MPI_Comm comm,
                   int dimensions, const int sizes[], const int periods[], int reorder,
                   MPI_Comm* made)
TRACEFOLD_CREATION(Cart_sub, (comm, remain, made), MPI_Comm comm, const int remain[],
                   MPI_Comm* made)
TRACEFOLD_CREATION(Dist_graph_create_adjacent,
                   (comm, in, sources, in_weights, out, targets, out_weights, info, reorder, made),
                   MPI_Comm comm, int in, const int sources[], const int in_weights[], int out,
                   const int targets[], const int out_weights[], MPI_Info info, int reorder,
                   MPI_Comm* made)
TRACEFOLD_CREATION(Intercomm_create, (local, leader, peers, other, tag, made), MPI_Comm local,
                   int leader, MPI_Comm peers, int other, int tag, MPI_Comm* made)
TRACEFOLD_CREATION(Intercomm_merge, (comm, high, made), MPI_Comm comm, int high, MPI_Comm* made)

/// The communicator is there when the request is complete.
int Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
    note(MpiFunction::Comm_idup, ObservedPart::Kind::create_comm, MPI_COMM_NULL);
    return MPI_Comm_idup(comm, made, request);
}

int Comm_free(MPI_Comm* comm) {
    note(MpiFunction::Comm_free, ObservedPart::Kind::destroy_comm, *comm);
    return MPI_Comm_free(comm);
}

int Comm_disconnect(MPI_Comm* comm) {
    note(MpiFunction::Comm_disconnect, ObservedPart::Kind::destroy_comm, *comm);
    return MPI_Comm_disconnect(comm);
}

}  // namespace tracefold::inline replay_mpi::watched

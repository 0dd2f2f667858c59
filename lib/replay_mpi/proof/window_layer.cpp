// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The profiling layer of accesses to windows.
#include "replay_mpi/proof/observation.hpp"
#include "replay_mpi/proof/watched.hpp"

namespace tracefold {

namespace {

void note_access(MpiFunction function, int target, u64 bytes) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return;
    observation->add_call(function);
    if (target == MPI_PROC_NULL) return;
    observation->add({ObservedPart::Kind::access, MPI_COMM_NULL, target, 0, bytes, 0, 0, false});
}

}  // namespace

}  // namespace tracefold

namespace tracefold::watched {

#define TRACEFOLD_ARGUMENTS(...) __VA_ARGS__

/// An access and its form with a request: both names, arguments in parentheses, parameters.
#define TRACEFOLD_ACCESS(name, posting, arguments, ...)                   \
    int name(__VA_ARGS__) {                                               \
        note_access(MpiFunction::name, target, bytes_of(count, type));    \
        return MPI_##name arguments;                                      \
    }                                                                     \
    int posting(__VA_ARGS__, MPI_Request* request) {                      \
        note_access(MpiFunction::posting, target, bytes_of(count, type)); \
        return MPI_##posting(TRACEFOLD_ARGUMENTS arguments, request);     \
    }

TRACEFOLD_ACCESS(Put, Rput, (data, count, type, target, place, target_count, target_type, win),
                 const void* data, int count, MPI_Datatype type, int target, MPI_Aint place,
                 int target_count, MPI_Datatype target_type, MPI_Win win)
TRACEFOLD_ACCESS(Get, Rget, (data, count, type, target, place, target_count, target_type, win),
                 void* data, int count, MPI_Datatype type, int target, MPI_Aint place,
                 int target_count, MPI_Datatype target_type, MPI_Win win)
TRACEFOLD_ACCESS(Accumulate, Raccumulate,
                 (data, count, type, target, place, target_count, target_type, operation, win),
                 const void* data, int count, MPI_Datatype type, int target, MPI_Aint place,
                 int target_count, MPI_Datatype target_type, MPI_Op operation, MPI_Win win)
TRACEFOLD_ACCESS(Get_accumulate, Rget_accumulate,
                 (data, count, type, result, result_count, result_type, target, place, target_count,
                  target_type, operation, win),
                 const void* data, int count, MPI_Datatype type, void* result, int result_count,
                 MPI_Datatype result_type, int target, MPI_Aint place, int target_count,
                 MPI_Datatype target_type, MPI_Op operation, MPI_Win win)

int Fetch_and_op(const void* data, void* result, MPI_Datatype type, int target, MPI_Aint place,
                 MPI_Op operation, MPI_Win win) {
    note_access(MpiFunction::Fetch_and_op, target, bytes_of(1, type));
    return MPI_Fetch_and_op(data, result, type, target, place, operation, win);
}

int Compare_and_swap(const void* data, const void* compare, void* result, MPI_Datatype type,
                     int target, MPI_Aint place, MPI_Win win) {
    note_access(MpiFunction::Compare_and_swap, target, bytes_of(1, type));
    return MPI_Compare_and_swap(data, compare, result, type, target, place, win);
}

}  // namespace tracefold::watched

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The profiling layer of collective operations. Sizes are those that OTF2 records: with the own
// contribution, and for operations without a root once for every partner.
#include "replay_mpi/proof/observation.hpp"
#include "replay_mpi/proof/watched.hpp"

#include <numeric>
#include <utility>

namespace tracefold {

namespace {

/// The communicator of a collective as its sizes need it.
struct Scope {
    explicit Scope(MPI_Comm comm) {
        int inter = 0;
        PMPI_Comm_test_inter(comm, &inter);
        is_inter = inter != 0;
        PMPI_Comm_size(comm, &size);
        PMPI_Comm_rank(comm, &rank);
        partners = size;
        if (is_inter) PMPI_Comm_remote_size(comm, &partners);
    }
    [[nodiscard]] bool is_root(int root) const {
        return is_inter ? root == MPI_ROOT : root == rank;
    }
    /// Of the root's group, but not the root.
    [[nodiscard]] bool is_idle(int root) const { return is_inter && root == MPI_PROC_NULL; }
    /// Partners that get something from here if the own piece stays in place.
    [[nodiscard]] u64 reached(const void* buffer) const {
        return static_cast<u64>(buffer == MPI_IN_PLACE ? partners - 1 : partners);
    }

    bool is_inter = false;
    int size = 0;
    int rank = 0;
    int partners = 0;
};

struct Sizes {
    u64 sent = 0;
    u64 received = 0;
};

Sizes broadcast(const Scope& scope, u64 bytes, int root) {
    if (scope.is_idle(root)) return {};
    const u64 sent = scope.is_root(root) ? bytes * static_cast<u64>(scope.partners) : 0;
    return {sent, scope.is_inter && scope.is_root(root) ? 0 : bytes};
}

/// What every process sends to the root.
Sizes gathered(const Scope& scope, const void* out, u64 own, u64 all, u64 root_piece, int root) {
    if (scope.is_idle(root)) return {};
    const bool in_place = out == MPI_IN_PLACE;
    if (!scope.is_root(root)) return {own, 0};
    return {in_place || scope.is_inter ? 0 : own, in_place ? all - root_piece : all};
}

Sizes scattered(const Scope& scope, const void* in, u64 own, u64 all, u64 root_piece, int root) {
    const Sizes mirror = gathered(scope, in, own, all, root_piece, root);
    return {mirror.received, mirror.sent};
}

u64 sum(const int* counts, int size) {
    return static_cast<u64>(std::accumulate(counts, counts + size, MPI_Count{0}));
}
u64 sum(const int* counts, const MPI_Datatype* types, int size) {
    u64 total = 0;
    for (int i = 0; i < size; ++i) total += bytes_of(counts[i], types[i]);
    return total;
}

void note(MpiFunction function, MPI_Comm comm, int root, const Sizes& sizes) {
    Observation* const observation = Observation::current();
    observation->add_call(function);
    observation->add(
        {ObservedPart::Kind::collective, comm, root, 0, sizes.sent, sizes.received, 0, false});
}

/// No root.
constexpr int kUnrooted = -1000;

}  // namespace

}  // namespace tracefold

namespace tracefold::watched {

#define TRACEFOLD_ARGUMENTS(...) __VA_ARGS__

/// A collective and its nonblocking form: names, root, sizes (with `scope` at hand), arguments in
/// parentheses, parameters.
#define TRACEFOLD_COLLECTIVE(name, posting, root, sizes, arguments, ...) \
    int name(__VA_ARGS__) {                                              \
        if (Observation::current() != nullptr) {                         \
            [[maybe_unused]] const Scope scope(comm);                    \
            note(MpiFunction::name, comm, root, sizes);                  \
        }                                                                \
        return MPI_##name arguments;                                     \
    }                                                                    \
    int posting(__VA_ARGS__, MPI_Request* request) {                     \
        if (Observation::current() != nullptr) {                         \
            [[maybe_unused]] const Scope scope(comm);                    \
            note(MpiFunction::posting, comm, root, sizes);               \
        }                                                                \
        return MPI_##posting(TRACEFOLD_ARGUMENTS arguments, request);    \
    }

TRACEFOLD_COLLECTIVE(Barrier, Ibarrier, kUnrooted, Sizes(), (comm), MPI_Comm comm)

TRACEFOLD_COLLECTIVE(Bcast, Ibcast, root, broadcast(scope, bytes_of(count, type), root),
                     (data, count, type, root, comm), void* data, int count, MPI_Datatype type,
                     int root, MPI_Comm comm)

TRACEFOLD_COLLECTIVE(Gather, Igather, root,
                     gathered(scope, out, bytes_of(out_count, out_type),
                              bytes_of(in_count, in_type) * static_cast<u64>(scope.partners),
                              bytes_of(in_count, in_type), root),
                     (out, out_count, out_type, in, in_count, in_type, root, comm), const void* out,
                     int out_count, MPI_Datatype out_type, void* in, int in_count,
                     MPI_Datatype in_type, int root, MPI_Comm comm)

TRACEFOLD_COLLECTIVE(Scatter, Iscatter, root,
                     scattered(scope, in, bytes_of(in_count, in_type),
                               bytes_of(out_count, out_type) * static_cast<u64>(scope.partners),
                               bytes_of(out_count, out_type), root),
                     (out, out_count, out_type, in, in_count, in_type, root, comm), const void* out,
                     int out_count, MPI_Datatype out_type, void* in, int in_count,
                     MPI_Datatype in_type, int root, MPI_Comm comm)

/// Counts of other processes mean something at the root only.
#define TRACEFOLD_ROOT_SUM(counts, type) \
    (scope.is_root(root) ? sum(counts, scope.partners) * bytes_of(1, type) : 0)
#define TRACEFOLD_ROOT_PIECE(counts, type) \
    (scope.is_root(root) && !scope.is_inter ? bytes_of(counts[scope.rank], type) : 0)

TRACEFOLD_COLLECTIVE(Gatherv, Igatherv, root,
                     gathered(scope, out, bytes_of(out_count, out_type),
                              TRACEFOLD_ROOT_SUM(in_counts, in_type),
                              TRACEFOLD_ROOT_PIECE(in_counts, in_type), root),
                     (out, out_count, out_type, in, in_counts, places, in_type, root, comm),
                     const void* out, int out_count, MPI_Datatype out_type, void* in,
                     const int in_counts[], const int places[], MPI_Datatype in_type, int root,
                     MPI_Comm comm)

TRACEFOLD_COLLECTIVE(Scatterv, Iscatterv, root,
                     scattered(scope, in, bytes_of(in_count, in_type),
                               TRACEFOLD_ROOT_SUM(out_counts, out_type),
                               TRACEFOLD_ROOT_PIECE(out_counts, out_type), root),
                     (out, out_counts, places, out_type, in, in_count, in_type, root, comm),
                     const void* out, const int out_counts[], const int places[],
                     MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, int root,
                     MPI_Comm comm)

namespace {

Sizes allgathered(const Scope& scope, const void* out, u64 sent, u64 received) {
    const u64 pieces = scope.reached(out);
    return {(out == MPI_IN_PLACE ? received : sent) * pieces, received * pieces};
}

/// Every process gets `received` in all, of which `own` come from here.
Sizes allgathered_v(const Scope& scope, const void* out, u64 sent, u64 received, u64 own) {
    if (out != MPI_IN_PLACE) return {sent * scope.reached(out), received};
    return {own * scope.reached(out), received - own};
}

Sizes reduced(const Scope& scope, const void* out, u64 bytes) {
    return {bytes * scope.reached(out), bytes * scope.reached(out)};
}

Sizes reduced_to_root(const Scope& scope, const void* out, u64 bytes, int root) {
    if (scope.is_idle(root)) return {};
    if (!scope.is_root(root)) return {bytes, 0};
    return {out == MPI_IN_PLACE || scope.is_inter ? 0 : bytes, bytes * scope.reached(out)};
}

Sizes reduce_scattered(const Scope& scope, const void* out, u64 all, u64 own) {
    return {out == MPI_IN_PLACE ? all - own : all, own * scope.reached(out)};
}

/// Sent to the later processes, received from the earlier ones, and itself.
Sizes scanned(const Scope& scope, const void* out, u64 bytes, bool exclusive) {
    const u64 later = static_cast<u64>(scope.size - scope.rank - 1);
    const u64 earlier = static_cast<u64>(scope.rank);
    const u64 self = exclusive || out == MPI_IN_PLACE ? 0 : 1;
    return {bytes * (later + self), bytes * (earlier + self)};
}

Sizes exchanged(const void* out, u64 sent, u64 received, u64 own) {
    if (out == MPI_IN_PLACE) return {received - own, received - own};
    return {sent, received};
}

}  // namespace

TRACEFOLD_COLLECTIVE(Allgather, Iallgather, kUnrooted,
                     allgathered(scope, out, bytes_of(out_count, out_type),
                                 bytes_of(in_count, in_type)),
                     (out, out_count, out_type, in, in_count, in_type, comm), const void* out,
                     int out_count, MPI_Datatype out_type, void* in, int in_count,
                     MPI_Datatype in_type, MPI_Comm comm)

TRACEFOLD_COLLECTIVE(Allgatherv, Iallgatherv, kUnrooted,
                     allgathered_v(scope, out, bytes_of(out_count, out_type),
                                   sum(in_counts, scope.partners) * bytes_of(1, in_type),
                                   scope.is_inter ? 0 : bytes_of(in_counts[scope.rank], in_type)),
                     (out, out_count, out_type, in, in_counts, places, in_type, comm),
                     const void* out, int out_count, MPI_Datatype out_type, void* in,
                     const int in_counts[], const int places[], MPI_Datatype in_type, MPI_Comm comm)

TRACEFOLD_COLLECTIVE(Alltoall, Ialltoall, kUnrooted,
                     reduced(scope, out, bytes_of(in_count, in_type)),
                     (out, out_count, out_type, in, in_count, in_type, comm), const void* out,
                     int out_count, MPI_Datatype out_type, void* in, int in_count,
                     MPI_Datatype in_type, MPI_Comm comm)

TRACEFOLD_COLLECTIVE(
    Alltoallv, Ialltoallv, kUnrooted,
    exchanged(out,
              out == MPI_IN_PLACE ? 0 : sum(out_counts, scope.partners) * bytes_of(1, out_type),
              sum(in_counts, scope.partners) * bytes_of(1, in_type),
              scope.is_inter ? 0 : bytes_of(in_counts[scope.rank], in_type)),
    (out, out_counts, out_places, out_type, in, in_counts, in_places, in_type, comm),
    const void* out, const int out_counts[], const int out_places[], MPI_Datatype out_type,
    void* in, const int in_counts[], const int in_places[], MPI_Datatype in_type, MPI_Comm comm)

TRACEFOLD_COLLECTIVE(
    Alltoallw, Ialltoallw, kUnrooted,
    exchanged(out, out == MPI_IN_PLACE ? 0 : sum(out_counts, out_types, scope.partners),
              sum(in_counts, in_types, scope.partners),
              scope.is_inter ? 0 : bytes_of(in_counts[scope.rank], in_types[scope.rank])),
    (out, out_counts, out_places, out_types, in, in_counts, in_places, in_types, comm),
    const void* out, const int out_counts[], const int out_places[], const MPI_Datatype out_types[],
    void* in, const int in_counts[], const int in_places[], const MPI_Datatype in_types[],
    MPI_Comm comm)

TRACEFOLD_COLLECTIVE(Allreduce, Iallreduce, kUnrooted, reduced(scope, out, bytes_of(count, type)),
                     (out, in, count, type, operation, comm), const void* out, void* in, int count,
                     MPI_Datatype type, MPI_Op operation, MPI_Comm comm)

TRACEFOLD_COLLECTIVE(Reduce, Ireduce, root,
                     reduced_to_root(scope, out, bytes_of(count, type), root),
                     (out, in, count, type, operation, root, comm), const void* out, void* in,
                     int count, MPI_Datatype type, MPI_Op operation, int root, MPI_Comm comm)

TRACEFOLD_COLLECTIVE(Reduce_scatter, Ireduce_scatter, kUnrooted,
                     reduce_scattered(scope, out, sum(counts, scope.size) * bytes_of(1, type),
                                      bytes_of(counts[scope.rank], type)),
                     (out, in, counts, type, operation, comm), const void* out, void* in,
                     const int counts[], MPI_Datatype type, MPI_Op operation, MPI_Comm comm)

TRACEFOLD_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, kUnrooted,
                     reduced(scope, out, bytes_of(count, type)),
                     (out, in, count, type, operation, comm), const void* out, void* in, int count,
                     MPI_Datatype type, MPI_Op operation, MPI_Comm comm)

TRACEFOLD_COLLECTIVE(Scan, Iscan, kUnrooted, scanned(scope, out, bytes_of(count, type), false),
                     (out, in, count, type, operation, comm), const void* out, void* in, int count,
                     MPI_Datatype type, MPI_Op operation, MPI_Comm comm)

TRACEFOLD_COLLECTIVE(Exscan, Iexscan, kUnrooted, scanned(scope, out, bytes_of(count, type), true),
                     (out, in, count, type, operation, comm), const void* out, void* in, int count,
                     MPI_Datatype type, MPI_Op operation, MPI_Comm comm)

}  // namespace tracefold::watched

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/proof/watched.hpp"

#include "replay/proof/observation.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

// The profiling layer of collective operations. Sizes are those of OTF2: with the own contribution,
// and for operations without a root once for every partner.

namespace tracefold {

namespace {

/// The data of a communicator for the sizes of its collectives.
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
    /// In the root's group, but not the root.
    [[nodiscard]] bool is_idle(int root) const { return is_inter && root == MPI_PROC_NULL; }
    /// Partners that get data from here; without the own piece if in place.
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

/// Data that every process sends to the root.
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
    Observation* const observation = Observation::of_call();
    observation->add_call(function);
    observation->add(
        {ObservedPart::Kind::collective, comm, root, 0, sizes.sent, sizes.received, 0, false});
}

constexpr int kUnrooted = -1000;

}  // namespace

}  // namespace tracefold

namespace tracefold::watched {

#define TRACEFOLD_ARGUMENTS(...) __VA_ARGS__

/// Defines a collective and its non-blocking form: names, root, sizes (with `scope`), parenthesised
/// arguments, parameters.
#define TRACEFOLD_COLLECTIVE(name, posting, root, sizes, arguments, ...) \
    int name(__VA_ARGS__) {                                              \
        if (Observation::of_call() != nullptr) {                         \
            [[maybe_unused]] const Scope scope(comm);                    \
            note(MpiFunction::name, comm, root, sizes);                  \
        }                                                                \
        return MPI_##name arguments;                                     \
    }                                                                    \
    int posting(__VA_ARGS__, MPI_Request* request) {                     \
        if (Observation::of_call() != nullptr) {                         \
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

/// Counts of other processes are defined at the root only.
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

/// Every process gets `received` in total, `own` of them from here.
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

/// Sent to later processes, received from earlier ones and itself.
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

// The profiling layer of calls that complete requests.

namespace tracefold {

namespace {

/// A call on an array of requests, which reads the statuses even if the caller ignores them.
class CompletionCall {
  public:
    CompletionCall(Observation& observation, MpiFunction function, int count,
                   const MPI_Request* requests)
        : CompletionCall(observation, count, requests) {
        observation.add_call(function);
    }
    /// Of no call of the program.
    CompletionCall(Observation& observation, int count, const MPI_Request* requests)
        : observation_(observation), statuses_(static_cast<std::size_t>(count)) {
        for (int i = 0; i < count; ++i) active_.push_back(requests[i] != MPI_REQUEST_NULL);
    }

    MPI_Status* statuses() { return statuses_.data(); }

    /// Completes the request at `index` with status number `status`.
    void complete(std::size_t index, std::size_t status) {
        if (!active_[index]) return;
        const MPI_Status& own = statuses_[status];
        int cancelled = 0;
        PMPI_Test_cancelled(&own, &cancelled);
        observation_.add({ObservedPart::Kind::completion, MPI_COMM_NULL, own.MPI_SOURCE,
                          own.MPI_TAG, bytes_of(own), 0, index, cancelled != 0});
    }
    void complete_all() {
        for (std::size_t i = 0; i < statuses_.size(); ++i) complete(i, i);
    }
    void complete_some(int done, const int* indices) {
        for (int i = 0; done != MPI_UNDEFINED && i < done; ++i) {
            complete(static_cast<std::size_t>(indices[i]), static_cast<std::size_t>(i));
        }
    }
    void complete_one(bool done, int index) {
        if (done && index != MPI_UNDEFINED) complete(static_cast<std::size_t>(index), 0);
    }

    void hand_on(MPI_Status* caller) const {
        if (caller == MPI_STATUSES_IGNORE || caller == MPI_STATUS_IGNORE) return;
        std::copy(statuses_.begin(), statuses_.end(), caller);
    }

  private:
    Observation& observation_;
    std::vector<MPI_Status> statuses_;
    std::vector<bool> active_;
};

}  // namespace

}  // namespace tracefold

namespace tracefold::watched {

int Wait(MPI_Request* request, MPI_Status* status) {
    Observation* const observation = Observation::of_call();
    if (observation == nullptr) return MPI_Wait(request, status);
    if (Observation::is_hidden(observation)) return PMPI_Wait(request, status);
    CompletionCall call(*observation, MpiFunction::Wait, 1, request);
    const int code = MPI_Wait(request, call.statuses());
    call.complete_all();
    call.hand_on(status);
    return code;
}

int finish(MPI_Request* request) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return PMPI_Wait(request, MPI_STATUS_IGNORE);
    CompletionCall call(*observation, 1, request);
    const int code = PMPI_Wait(request, call.statuses());
    call.complete_all();
    return code;
}

int Waitall(int count, MPI_Request requests[], MPI_Status* statuses) {
    Observation* const observation = Observation::of_call();
    if (observation == nullptr) return MPI_Waitall(count, requests, statuses);
    CompletionCall call(*observation, MpiFunction::Waitall, count, requests);
    const int code = MPI_Waitall(count, requests, call.statuses());
    call.complete_all();
    call.hand_on(statuses);
    return code;
}

int Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
    Observation* const observation = Observation::of_call();
    if (observation == nullptr) return MPI_Waitany(count, requests, index, status);
    CompletionCall call(*observation, MpiFunction::Waitany, count, requests);
    const int code = MPI_Waitany(count, requests, index, call.statuses());
    call.complete_one(true, *index);
    if (status != MPI_STATUS_IGNORE) *status = *call.statuses();
    return code;
}

int Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
    Observation* const observation = Observation::of_call();
    if (observation == nullptr) return MPI_Waitsome(count, requests, done, indices, statuses);
    CompletionCall call(*observation, MpiFunction::Waitsome, count, requests);
    const int code = MPI_Waitsome(count, requests, done, indices, call.statuses());
    call.complete_some(*done, indices);
    call.hand_on(statuses);
    return code;
}

int Test(MPI_Request* request, int* flag, MPI_Status* status) {
    Observation* const observation = Observation::of_call();
    if (observation == nullptr) return MPI_Test(request, flag, status);
    CompletionCall call(*observation, MpiFunction::Test, 1, request);
    const int code = MPI_Test(request, flag, call.statuses());
    call.complete_one(*flag != 0, 0);
    call.hand_on(status);
    return code;
}

int Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
    Observation* const observation = Observation::of_call();
    if (observation == nullptr) return MPI_Testall(count, requests, flag, statuses);
    CompletionCall call(*observation, MpiFunction::Testall, count, requests);
    const int code = MPI_Testall(count, requests, flag, call.statuses());
    if (*flag != 0) call.complete_all();
    call.hand_on(statuses);
    return code;
}

int Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
    Observation* const observation = Observation::of_call();
    if (observation == nullptr) return MPI_Testany(count, requests, index, flag, status);
    CompletionCall call(*observation, MpiFunction::Testany, count, requests);
    const int code = MPI_Testany(count, requests, index, flag, call.statuses());
    call.complete_one(*flag != 0, *index);
    if (status != MPI_STATUS_IGNORE) *status = *call.statuses();
    return code;
}

int Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
    Observation* const observation = Observation::of_call();
    if (observation == nullptr) return MPI_Testsome(count, requests, done, indices, statuses);
    CompletionCall call(*observation, MpiFunction::Testsome, count, requests);
    const int code = MPI_Testsome(count, requests, done, indices, call.statuses());
    call.complete_some(*done, indices);
    call.hand_on(statuses);
    return code;
}

}  // namespace tracefold::watched

// The profiling layer of accesses to windows.

namespace tracefold {

namespace {

void note_access(MpiFunction function, int target, u64 bytes) {
    Observation* const observation = Observation::of_call();
    if (observation == nullptr) return;
    observation->add_call(function);
    if (target == MPI_PROC_NULL) return;
    observation->add({ObservedPart::Kind::access, MPI_COMM_NULL, target, 0, bytes, 0, 0, false});
}

}  // namespace

}  // namespace tracefold

namespace tracefold::watched {

#define TRACEFOLD_ARGUMENTS(...) __VA_ARGS__

/// Defines an access and its form with a request: both names, parenthesised arguments, parameters.
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

// The profiling layer of point-to-point communication.

namespace tracefold {

namespace {

using Kind = ObservedPart::Kind;

void note(MpiFunction function, const ObservedPart& part) {
    Observation* const observation = Observation::of_call();
    if (observation == nullptr) return;
    observation->add_call(function);
    if (part.peer != MPI_PROC_NULL) observation->add(part);
}

ObservedPart message(Kind kind, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
    return {kind, comm, peer, tag, bytes_of(count, type), 0, 0, false};
}

/// Records a call by its arguments, at no cost without an observation.
void note_message(MpiFunction function, Kind kind, int count, MPI_Datatype type, int peer, int tag,
                  MPI_Comm comm) {
    if (Observation::of_call() != nullptr) [[unlikely]] {
        note(function, message(kind, count, type, peer, tag, comm));
    }
}

ObservedPart received(const MPI_Status& status, MPI_Comm comm) {
    return {Kind::receive, comm, status.MPI_SOURCE, status.MPI_TAG, bytes_of(status), 0, 0, false};
}

ObservedPart probe(int from, int tag, MPI_Comm comm) {
    return {Kind::probe, comm, from, tag, 0, 0, 0, false};
}

/// True if a cancelled request is not yet freed.
bool cancels_more_than_it_frees(const Observation& observation) {
    const auto releases = [](const ObservedPart& part) { return part.kind == Kind::release; };
    return std::ranges::count(observation.calls(), MpiFunction::Cancel) >
           std::ranges::count_if(observation.parts(), releases);
}

/// The arguments of persistent requests, recorded at each start.
class PersistentRequests {
  public:
    void add(MPI_Request request, const ObservedPart& part) {
        const std::lock_guard lock(mutex_);
        parts_[request] = part;
    }
    void remove(MPI_Request request) {
        const std::lock_guard lock(mutex_);
        parts_.erase(request);
    }
    void start(MPI_Request request, Observation& observation) {
        const std::lock_guard lock(mutex_);
        const auto found = parts_.find(request);
        if (found != parts_.end() && found->second.peer != MPI_PROC_NULL) {
            observation.add(found->second);
        }
    }

  private:
    std::mutex mutex_;
    std::map<MPI_Request, ObservedPart> parts_;
};

PersistentRequests persistent;

}  // namespace

}  // namespace tracefold

namespace tracefold::watched {

#define TRACEFOLD_SEND(name)                                                                   \
    int name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) { \
        note_message(MpiFunction::name, Kind::send, count, type, to, tag, comm);               \
        return MPI_##name(data, count, type, to, tag, comm);                                   \
    }
TRACEFOLD_SEND(Send)
TRACEFOLD_SEND(Bsend)
TRACEFOLD_SEND(Ssend)
TRACEFOLD_SEND(Rsend)

#define TRACEFOLD_POST_SEND(name)                                                            \
    int name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
             MPI_Request* request) {                                                         \
        note_message(MpiFunction::name, Kind::send, count, type, to, tag, comm);             \
        return MPI_##name(data, count, type, to, tag, comm, request);                        \
    }
TRACEFOLD_POST_SEND(Ibsend)
TRACEFOLD_POST_SEND(Issend)
TRACEFOLD_POST_SEND(Irsend)

int Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
          MPI_Request* request) {
    if (const Observation* const observation = Observation::of_call(); observation != nullptr) {
        if (Observation::is_hidden(observation)) {
            return PMPI_Isend(data, count, type, to, tag, comm, request);
        }
        note(MpiFunction::Isend, message(Kind::send, count, type, to, tag, comm));
    }
    return MPI_Isend(data, count, type, to, tag, comm, request);
}

/// The request is made at its first start, in the same call of the trace.
#define TRACEFOLD_SEND_INIT(name)                                                            \
    int name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
             MPI_Request* request) {                                                         \
        const int code = MPI_##name(data, count, type, to, tag, comm, request);              \
        if (Observation::of_call() != nullptr && code == MPI_SUCCESS) {                      \
            persistent.add(*request, message(Kind::send, count, type, to, tag, comm));       \
        }                                                                                    \
        return code;                                                                         \
    }
TRACEFOLD_SEND_INIT(Send_init)
TRACEFOLD_SEND_INIT(Bsend_init)
TRACEFOLD_SEND_INIT(Ssend_init)
TRACEFOLD_SEND_INIT(Rsend_init)

int Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    const int code = MPI_Recv_init(data, count, type, from, tag, comm, request);
    if (Observation::of_call() != nullptr && code == MPI_SUCCESS) {
        persistent.add(*request, message(Kind::post_receive, count, type, from, tag, comm));
    }
    return code;
}

int Start(MPI_Request* request) {
    if (Observation* const observation = Observation::of_call(); observation != nullptr) {
        observation->add_call(MpiFunction::Start);
        persistent.start(*request, *observation);
    }
    return MPI_Start(request);
}

int Startall(int count, MPI_Request requests[]) {
    if (Observation* const observation = Observation::of_call(); observation != nullptr) {
        observation->add_call(MpiFunction::Startall);
        for (int i = 0; i < count; ++i) persistent.start(requests[i], *observation);
    }
    return MPI_Startall(count, requests);
}

int Request_free(MPI_Request* request) {
    if (Observation* const observation = Observation::of_call(); observation != nullptr) {
        observation->add_call(MpiFunction::Request_free);
        ObservedPart part;
        part.kind = Kind::release;
        part.cancelled = cancels_more_than_it_frees(*observation);
        observation->add(part);
    }
    persistent.remove(*request);
    return MPI_Request_free(request);
}

int Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
          MPI_Request* request) {
    note_message(MpiFunction::Irecv, Kind::post_receive, count, type, from, tag, comm);
    return MPI_Irecv(data, count, type, from, tag, comm, request);
}

int Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
         MPI_Status* status) {
    if (Observation::of_call() == nullptr) {
        return MPI_Recv(data, count, type, from, tag, comm, status);
    }
    MPI_Status own;
    const int code = MPI_Recv(data, count, type, from, tag, comm, &own);
    note(MpiFunction::Recv, received(own, comm));
    if (status != MPI_STATUS_IGNORE) *status = own;
    return code;
}

int Sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in,
             int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
             MPI_Status* status) {
    if (Observation::of_call() == nullptr) {
        return MPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from,
                            in_tag, comm, status);
    }
    MPI_Status own;
    note(MpiFunction::Sendrecv, message(Kind::send, out_count, out_type, to, out_tag, comm));
    const int code = MPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type,
                                  from, in_tag, comm, &own);
    if (from != MPI_PROC_NULL) Observation::of_call()->add(received(own, comm));
    if (status != MPI_STATUS_IGNORE) *status = own;
    return code;
}

int Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int out_tag, int from,
                     int in_tag, MPI_Comm comm, MPI_Status* status) {
    if (Observation::of_call() == nullptr) {
        return MPI_Sendrecv_replace(data, count, type, to, out_tag, from, in_tag, comm, status);
    }
    MPI_Status own;
    note(MpiFunction::Sendrecv_replace, message(Kind::send, count, type, to, out_tag, comm));
    const int code = MPI_Sendrecv_replace(data, count, type, to, out_tag, from, in_tag, comm, &own);
    if (from != MPI_PROC_NULL) Observation::of_call()->add(received(own, comm));
    if (status != MPI_STATUS_IGNORE) *status = own;
    return code;
}

int Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
    note(MpiFunction::Probe, probe(from, tag, comm));
    return MPI_Probe(from, tag, comm, status);
}

int Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
    note(MpiFunction::Iprobe, probe(from, tag, comm));
    return MPI_Iprobe(from, tag, comm, flag, status);
}

int Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
    note(MpiFunction::Mprobe, probe(from, tag, comm));
    return MPI_Mprobe(from, tag, comm, message, status);
}

int Improbe(int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
    note(MpiFunction::Improbe, probe(from, tag, comm));
    return MPI_Improbe(from, tag, comm, flag, message, status);
}

/// The communicator is unknown here: it is the probe's.
int Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
    MPI_Status own;
    const int code = MPI_Mrecv(data, count, type, message, &own);
    note(MpiFunction::Mrecv, received(own, MPI_COMM_NULL));
    if (status != MPI_STATUS_IGNORE) *status = own;
    return code;
}

}  // namespace tracefold::watched

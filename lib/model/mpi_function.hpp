// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/mpi_spelling.hpp"
#include "model/region_role.hpp"

#include <optional>
#include <string>
#include <string_view>

// clang-format off
/// Every collective operation of OTF2 3.2, in the order of OTF2_CollectiveOp: X(name).
#define TRACEFOLD_COLLECTIVE_KINDS(X)                                                            \
    X(barrier) X(bcast) X(gather) X(gatherv) X(scatter) X(scatterv) X(allgather) X(allgatherv)   \
    X(alltoall) X(alltoallv) X(alltoallw) X(allreduce) X(reduce) X(reduce_scatter) X(scan)       \
    X(exscan) X(reduce_scatter_block) X(create_handle) X(destroy_handle) X(allocate)             \
    X(deallocate) X(create_handle_and_allocate) X(destroy_handle_and_deallocate)
// clang-format on

namespace tracefold {

enum class CollectiveKind : u8 {
#define TRACEFOLD_ENUMERATOR(name) name,
    TRACEFOLD_COLLECTIVE_KINDS(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

/// "barrier", by kind.
inline constexpr std::string_view kCollectiveNames[] = {
#define TRACEFOLD_NAME(name) #name,
    TRACEFOLD_COLLECTIVE_KINDS(TRACEFOLD_NAME)
#undef TRACEFOLD_NAME
};
inline constexpr std::size_t kCollectiveKinds = std::size(kCollectiveNames);

/// The kind with this OTF2 number; kinds unknown to OTF2 3.2 have no enumerator.
constexpr CollectiveKind collective_kind(u64 number) {
    return static_cast<CollectiveKind>(number < 0xFF ? number : 0xFF);
}

/// True for MPI collectives that synchronise or move data, false for those that create and free
/// communicators, windows and files.
constexpr bool is_communication(CollectiveKind kind) {
    return kind <= CollectiveKind::reduce_scatter_block;
}

/// True for communication that moves data: all except the barrier.
constexpr bool moves_data(CollectiveKind kind) {
    return is_communication(kind) && kind != CollectiveKind::barrier;
}

constexpr bool creates_handle(CollectiveKind kind) {
    return kind == CollectiveKind::create_handle || kind == CollectiveKind::allocate ||
           kind == CollectiveKind::create_handle_and_allocate;
}

constexpr bool destroys_handle(CollectiveKind kind) {
    return kind == CollectiveKind::destroy_handle || kind == CollectiveKind::deallocate ||
           kind == CollectiveKind::destroy_handle_and_deallocate;
}

/// True if one process is the source or the destination of all data.
constexpr bool has_root(CollectiveKind kind) {
    switch (kind) {
        case CollectiveKind::bcast:
        case CollectiveKind::gather:
        case CollectiveKind::gatherv:
        case CollectiveKind::scatter:
        case CollectiveKind::scatterv:
        case CollectiveKind::reduce:
            return true;
        default:
            return false;
    }
}

}  // namespace tracefold

// clang-format off
/// Every MPI function with its own treatment in a replay: X(name without "MPI_", family).
#define TRACEFOLD_MPI_FUNCTIONS(X)                                                               \
    X(Init, init) X(Init_thread, init) X(Finalize, finalize)                                     \
    X(Send, send) X(Bsend, send) X(Ssend, send) X(Rsend, send)                                   \
    X(Recv, receive) X(Sendrecv, send_receive) X(Sendrecv_replace, send_receive)                 \
    X(Isend, post_send) X(Ibsend, post_send) X(Issend, post_send) X(Irsend, post_send)           \
    X(Irecv, post_receive)                                                                       \
    X(Send_init, persistent_init) X(Bsend_init, persistent_init) X(Ssend_init, persistent_init)  \
    X(Rsend_init, persistent_init) X(Recv_init, persistent_init)                                 \
    X(Start, start) X(Startall, start)                                                           \
    X(Wait, completion) X(Waitall, completion) X(Waitany, completion) X(Waitsome, completion)    \
    X(Test, completion) X(Testall, completion) X(Testany, completion) X(Testsome, completion)    \
    X(Request_get_status, completion)                                                            \
    X(Cancel, cancel) X(Request_free, request_free)                                              \
    X(Probe, probe) X(Iprobe, probe) X(Mprobe, probe) X(Improbe, probe)                          \
    X(Mrecv, matched_receive) X(Imrecv, matched_receive)                                         \
    X(Barrier, collective) X(Bcast, collective) X(Gather, collective) X(Gatherv, collective)     \
    X(Scatter, collective) X(Scatterv, collective) X(Allgather, collective)                      \
    X(Allgatherv, collective) X(Alltoall, collective) X(Alltoallv, collective)                   \
    X(Alltoallw, collective) X(Allreduce, collective) X(Reduce, collective)                      \
    X(Reduce_scatter, collective) X(Reduce_scatter_block, collective) X(Scan, collective)        \
    X(Exscan, collective)                                                                        \
    X(Ibarrier, post_collective) X(Ibcast, post_collective) X(Igather, post_collective)          \
    X(Igatherv, post_collective) X(Iscatter, post_collective) X(Iscatterv, post_collective)      \
    X(Iallgather, post_collective) X(Iallgatherv, post_collective)                               \
    X(Ialltoall, post_collective) X(Ialltoallv, post_collective) X(Ialltoallw, post_collective)  \
    X(Iallreduce, post_collective) X(Ireduce, post_collective)                                   \
    X(Ireduce_scatter, post_collective) X(Ireduce_scatter_block, post_collective)                \
    X(Iscan, post_collective) X(Iexscan, post_collective)                                        \
    X(Neighbor_allgather, neighbour) X(Neighbor_allgatherv, neighbour)                           \
    X(Neighbor_alltoall, neighbour) X(Neighbor_alltoallv, neighbour)                             \
    X(Neighbor_alltoallw, neighbour) X(Ineighbor_allgather, neighbour)                           \
    X(Ineighbor_allgatherv, neighbour) X(Ineighbor_alltoall, neighbour)                          \
    X(Ineighbor_alltoallv, neighbour) X(Ineighbor_alltoallw, neighbour)                          \
    X(Comm_dup, comm_create) X(Comm_dup_with_info, comm_create) X(Comm_idup, comm_create)        \
    X(Comm_create, comm_create) X(Comm_create_group, comm_create) X(Comm_split, comm_create)     \
    X(Comm_split_type, comm_create) X(Cart_create, comm_create) X(Cart_sub, comm_create)         \
    X(Graph_create, comm_create) X(Dist_graph_create, comm_create)                               \
    X(Dist_graph_create_adjacent, comm_create) X(Intercomm_create, comm_create)                  \
    X(Intercomm_merge, comm_create)                                                              \
    X(Comm_free, comm_free) X(Comm_disconnect, comm_free)                                        \
    X(Win_create, window) X(Win_create_dynamic, window) X(Win_allocate, window)                  \
    X(Win_allocate_shared, window) X(Win_free, window) X(Win_fence, window)                      \
    X(Win_lock, window) X(Win_lock_all, window) X(Win_unlock, window) X(Win_unlock_all, window)  \
    X(Win_flush, window) X(Win_flush_all, window) X(Win_flush_local, window)                     \
    X(Win_flush_local_all, window) X(Win_post, window) X(Win_start, window)                      \
    X(Win_complete, window) X(Win_wait, window) X(Win_test, window) X(Win_sync, window)          \
    X(Win_attach, window) X(Win_detach, window) X(Win_shared_query, window)                      \
    X(Put, window) X(Get, window) X(Accumulate, window) X(Get_accumulate, window)                \
    X(Fetch_and_op, window) X(Compare_and_swap, window) X(Rput, window) X(Rget, window)          \
    X(Raccumulate, window) X(Rget_accumulate, window)                                            \
    X(File_open, file) X(File_close, file) X(File_delete, file) X(File_seek, file)               \
    X(File_seek_shared, file) X(File_set_view, file) X(File_set_size, file)                      \
    X(File_preallocate, file) X(File_sync, file) X(File_set_atomicity, file)                     \
    X(File_read, file) X(File_read_all, file) X(File_read_at, file) X(File_read_at_all, file)    \
    X(File_read_shared, file) X(File_read_ordered, file) X(File_write, file)                     \
    X(File_write_all, file) X(File_write_at, file) X(File_write_at_all, file)                    \
    X(File_write_shared, file) X(File_write_ordered, file) X(File_iread, file)                   \
    X(File_iread_all, file) X(File_iread_at, file) X(File_iread_at_all, file)                    \
    X(File_iread_shared, file) X(File_iwrite, file) X(File_iwrite_all, file)                     \
    X(File_iwrite_at, file) X(File_iwrite_at_all, file) X(File_iwrite_shared, file)              \
    X(File_read_all_begin, file) X(File_read_all_end, file) X(File_read_at_all_begin, file)      \
    X(File_read_at_all_end, file) X(File_read_ordered_begin, file)                               \
    X(File_read_ordered_end, file) X(File_write_all_begin, file) X(File_write_all_end, file)     \
    X(File_write_at_all_begin, file) X(File_write_at_all_end, file)                              \
    X(File_write_ordered_begin, file) X(File_write_ordered_end, file)                            \
    X(Comm_idup_with_info, comm_create) X(Comm_create_from_group, comm_create)                   \
    X(Session_finalize, local)                                                                   \
    X(Isendrecv, unsupported) X(Isendrecv_replace, unsupported)
// clang-format on

// clang-format off
/// The treatments of calls in a replay: X(name, name in outputs).
#define TRACEFOLD_CALL_FAMILIES(X)                                                               \
    X(init, "start") X(finalize, "end") X(send, "send") X(receive, "receive")                    \
    X(send_receive, "send and receive") X(post_send, "send") X(post_receive, "receive")          \
    X(persistent_init, "persistent request") X(start, "persistent request")                      \
    X(completion, "completion") X(cancel, "request") X(request_free, "request")                  \
    X(probe, "probe") X(matched_receive, "receive") X(collective, "collective")                  \
    X(post_collective, "collective") X(neighbour, "neighbourhood collective")                    \
    X(comm_create, "communicator") X(comm_free, "communicator") X(window, "window")              \
    X(file, "file") X(local, "local") X(unsupported, "unsupported") X(recorded, "as recorded")
// clang-format on

namespace tracefold {

/// The treatment of a call in a replay. `local` calls (MPI_Comm_rank, MPI_Cart_coords, ...) do not
/// communicate: they are counted, not issued; `unsupported` ones communicate, but the trace lacks
/// data to issue them (persistent collectives, partitioned messages, dynamic processes). If the
/// records of a call contradict its function, the records decide the family: `recorded` if they are
/// of several operations.
enum class CallFamily : u8 {
#define TRACEFOLD_ENUMERATOR(name, text) name,
    TRACEFOLD_CALL_FAMILIES(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

/// "send", "collective", "local".
std::string_view family_name(CallFamily family);

/// True for collectives on all members of a communicator, blocking or not; not neighbourhood ones.
constexpr bool is_collective(CallFamily family) {
    return family == CallFamily::collective || family == CallFamily::post_collective;
}

enum class MpiFunction : u16 {
#define TRACEFOLD_ENUMERATOR(name, family) name,
    TRACEFOLD_MPI_FUNCTIONS(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
        other,  ///< any other MPI function, named by MpiCall::region
};

inline constexpr std::size_t kMpiFunctions = static_cast<std::size_t>(MpiFunction::other) + 1;

/// "MPI_Send"; "MPI" for MpiFunction::other.
std::string_view name_of(MpiFunction function);

/// Returns the operation of a blocking or nonblocking collective; nothing for other functions.
std::optional<CollectiveKind> collective_kind(MpiFunction function);
/// Returns the blocking function of a collective, or the one of family `post_collective`;
/// MpiFunction::other if it has none.
MpiFunction collective_function(CollectiveKind kind, CallFamily family = CallFamily::collective);

// Functions of the family `comm_create`:
/// True if only members of the new communicator call it, not all members of the parent.
bool is_of_members_only(MpiFunction function);
/// True if one call may make several communicators, for different members.
bool makes_several(MpiFunction function);
/// True if callers may get MPI_COMM_NULL.
bool can_make_none(MpiFunction function);

/// True if the function returns whether an operation is complete, or a message has arrived, without
/// waiting.
bool is_poll(MpiFunction function);

// Functions of the family `window`:
bool makes_window(MpiFunction function);
/// True if all members of the window's communicator call it: creation, freeing, fence.
bool is_window_collective(MpiFunction function);

// Functions of the family `file`:
/// True if all processes of the file call it, and recorders write only its name.
bool is_bare_file_call(MpiFunction function);
/// True if all processes of the file call it. Precondition: the function is of the family `file`.
bool is_file_collective(MpiFunction function);

/// An MPI region: its function in any spelling, and its family.
struct MpiFunctionInfo {
    MpiFunction function = MpiFunction::other;
    CallFamily family = CallFamily::local;
};
/// Returns nothing if neither name nor role belong to an MPI function. The role classifies names
/// that the standard does not define.
std::optional<MpiFunctionInfo> find_mpi_function(std::string_view region_name,
                                                 RegionRole role = RegionRole::unknown);
/// True for MPI_Bcast_init and its like.
bool is_persistent_collective(std::string_view region_name);
bool is_of_family(std::string_view region_name, CallFamily family);
/// True for functions that complete or test requests: the family `completion`, and functions of
/// later standards with like names, such as MPI_Request_get_status_any. Folded files depend on
/// completes_requests() and tests_requests(), which accept the spellings of
/// bare_mpi_function_name() only.
bool completes_requests(std::string_view region_name);
/// True for completion functions that may return without any completion: MPI_Test and variants.
bool tests_requests(std::string_view region_name);

/// The key of messages that MPI keeps in order.
struct MessageChannel {
    u64 comm = 0;
    u32 source = 0;  ///< world ranks
    u32 destination = 0;
    u32 tag = 0;

    auto operator<=>(const MessageChannel&) const = default;
};

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"
#include "model/structure.hpp"

#include <set>
#include <span>
#include <string>
#include <string_view>

// clang-format off
/// All functions that a proxy application may call: X(name in C, arguments). Arguments by letter: p
/// peer, t tag, b bytes, c communicator, r root, n other number, i in place or not, l list. A peer
/// is a rank in the next communicator argument, or in the window that is the first argument.
#define TRACEFOLD_PROXY_CALLS(X)                                                                 \
    X(Send, "ptbc") X(Bsend, "ptbc") X(Ssend, "ptbc") X(Rsend, "ptbc") X(Send_to_nobody, "ptbc") \
    X(Recv, "ptbc") X(Sendrecv, "ptbcptbc") X(Sendrecv_replace, "ptbcptbc")                        \
    X(Isend, "ptbc") X(Ibsend, "ptbc") X(Issend, "ptbc") X(Irsend, "ptbc")                       \
    X(Isend_unwatched, "ptbc") X(Irecv, "ptbc") X(Irecv_nothing, "")                             \
    X(Send_init, "nptbc") X(Bsend_init, "nptbc") X(Ssend_init, "nptbc") X(Rsend_init, "nptbc")   \
    X(Recv_init, "nptbc") X(Start, "") X(Startall, "")                                           \
    X(Wait, "l") X(Waitall, "l") X(Waitany, "l") X(Waitsome, "l") X(Test, "l") X(Testall, "l")   \
    X(Testany, "l") X(Testsome, "l") X(Request_get_status, "l") X(Request_free, "l")             \
    X(any_of, "nl") X(Waitany_of, "") X(Waitsome_of, "") X(Testany_of, "") X(Testsome_of, "")    \
    X(Cancel, "n") X(free_persistent, "n")                                                       \
    X(Probe, "ptc") X(Iprobe, "ptc") X(Iprobe_nothing, "") X(Mprobe, "ptc") X(Improbe, "ptc")    \
    X(Improbe_nothing, "") X(Mrecv, "ptbc") X(Mrecv_unrecorded, "ptbc") X(Imrecv_unwatched, "ptbc") X(Imrecv, "ptbc")        \
    X(Barrier, "c") X(Bcast, "brc") X(Gather, "bric") X(Scatter, "bric") X(Allgather, "bic")     \
    X(Alltoall, "bic") X(Allreduce, "bic") X(Reduce, "bric") X(Reduce_scatter_block, "bic")      \
    X(Scan, "bic") X(Exscan, "bic") X(Gatherv, "blrc") X(Scatterv, "blrc")                       \
    X(Allgatherv, "lic") X(Alltoallv, "llc") X(Alltoallw, "llc") X(Reduce_scatter, "lic")        \
    X(Ibarrier, "c") X(Ibcast, "brc") X(Igather, "bric") X(Iscatter, "bric")                     \
    X(Iallgather, "bic") X(Ialltoall, "bic") X(Iallreduce, "bic") X(Ireduce, "bric")             \
    X(Ireduce_scatter_block, "bic") X(Iscan, "bic") X(Iexscan, "bic") X(Igatherv, "blrc")        \
    X(Iscatterv, "blrc") X(Iallgatherv, "lic") X(Ialltoallv, "llc") X(Ialltoallw, "llc")         \
    X(Ireduce_scatter, "lic")                                                                    \
    X(Comm_dup, "cn") X(Comm_dup_with_info, "cn") X(Comm_split, "cnnn")                          \
    X(Comm_split_type, "cnnn") X(Graph_create, "cnnn") X(Dist_graph_create, "cnnn")              \
    X(Dist_graph_create_adjacent, "cnnn") X(Cart_sub, "cnnn") X(Cart_as_split, "cnnn")           \
    X(Cart_create, "cnll") X(Comm_create, "cnl") X(Comm_create_group, "cnnl")                    \
    X(make_communicator, "nnl") X(Comm_free, "c") X(Comm_disconnect, "c")         \
    X(Win_create, "ncb") X(Win_create_dynamic, "ncb") X(Win_allocate, "ncb")                     \
    X(Win_allocate_shared, "ncb") X(Win_free, "n") X(Win_fence, "n") X(Win_lock, "npn")          \
    X(Win_unlock, "np") X(Win_lock_all, "n") X(Win_unlock_all, "n") X(Win_flush, "np")           \
    X(Win_flush_local, "np") X(Win_flush_all, "n") X(Win_flush_local_all, "n") X(Win_sync, "n")  \
    X(Win_post, "nl") X(Win_start, "nl") X(Win_complete, "n") X(Win_wait, "n") X(Win_test, "n")  \
    X(Win_shared_query, "n") X(Put, "npb") X(Get, "npb") X(Rput, "npb") X(Rget, "npb")           \
    X(Accumulate, "npbbn") X(Raccumulate, "npbbn") X(Get_accumulate, "npbbn")                    \
    X(Rget_accumulate, "npbbn") X(Fetch_and_op, "npbbn") X(Compare_and_swap, "npbbn")            \
    X(File_open, "ncnnb") X(File_close, "n") X(File_delete, "n") X(File_seek, "nn")              \
    X(File_seek_shared, "nn") X(File_set_view, "nn") X(File_set_size, "nb")                      \
    X(File_preallocate, "nb") X(File_sync, "n") X(File_set_atomicity, "n")                       \
    X(File_read, "nb") X(File_read_all, "nb") X(File_read_shared, "nb")                          \
    X(File_read_ordered, "nb") X(File_read_at, "nnb") X(File_read_at_all, "nnb")                 \
    X(File_write, "nb") X(File_write_all, "nb") X(File_write_shared, "nb")                       \
    X(File_write_ordered, "nb") X(File_write_at, "nnb") X(File_write_at_all, "nnb")              \
    X(File_iread, "nb") X(File_iread_all, "nb") X(File_iread_shared, "nb")                       \
    X(File_iread_at, "nnb") X(File_iread_at_all, "nnb") X(File_iwrite, "nb")                     \
    X(File_iwrite_all, "nb") X(File_iwrite_shared, "nb") X(File_iwrite_at, "nnb")                \
    X(File_iwrite_at_all, "nnb") X(File_read_all_begin, "nb") X(File_read_ordered_begin, "nb")   \
    X(File_read_at_all_begin, "nnb") X(File_write_all_begin, "nb")                               \
    X(File_write_ordered_begin, "nb") X(File_write_at_all_begin, "nnb")                          \
    X(File_read_all_end, "n") X(File_read_ordered_end, "n") X(File_read_at_all_end, "n")         \
    X(File_write_all_end, "n") X(File_write_ordered_end, "n") X(File_write_at_all_end, "n")
// clang-format on

namespace tracefold {

enum class ProxyFunction : u8 {
#define TRACEFOLD_ENUMERATOR(name, arguments) name,
    TRACEFOLD_PROXY_CALLS(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

struct ProxyFunctionInfo {
    std::string_view name;       ///< in C, without MPI_
    std::string_view arguments;  ///< by letter
};
const ProxyFunctionInfo& proxy_function_info(ProxyFunction function);
/// The proxy function of the same name. Throws Error(internal) if there is none.
ProxyFunction proxy_function(MpiFunction function);

/// MPI_PROC_NULL as a peer.
inline constexpr u32 kProxyNobody = u32{1} << 30U;

/// One call of a proxy application. A list begins with its length.
struct ProxyCall {
    ProxyFunction function{};
    std::span<const u64> numbers;     ///< in the order of the arguments; peers as ranks
    std::span<const PeerView> views;  ///< by peer: the caller's view of its communicator
};

/// C source at the begin of every proxy application: folded numbers, communicators, counting.
std::string_view proxy_core_text();
/// C source at its end: the report, options, and the choice of the part by rank.
std::string_view proxy_main_text();

/// C source of the functions and their dependencies. `large`: for messages of 2 GiB and more.
/// Names of functions of MPI become their numbers in the table of proxy_function_table(), and are
/// added to `mpi_functions`.
std::string proxy_helper_text(const std::set<ProxyFunction>& functions, bool large,
                              std::set<std::string>& mpi_functions);
/// The table of these functions in C.
std::string proxy_function_table(const std::set<std::string>& mpi_functions);

/// Replaces every occurrence of a word in a text.
std::string replaced(std::string text, std::string_view word, std::string_view by);

struct CollectiveText {
    std::string source;
    bool posts = false;      ///< makes a request
    bool has_lists = false;  ///< a count per partner
};

/// The C function of a collective, blocking or not. Bytes are those of OTF2.
CollectiveText proxy_collective_text(ProxyFunction function);

}  // namespace tracefold

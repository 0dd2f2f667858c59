// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/mpi_function.hpp"

#include <functional>
#include <map>
#include <string_view>
#include <vector>

namespace tracefold {

/// A call on a window that may wait. Times on the common clock.
struct WindowCall {
    u64 begin = 0;
    u64 end = 0;
    u32 node = 0;    ///< call tree node
    u32 caller = 0;  ///< number of the thread that calls MPI
    u32 target = 0;  ///< world rank; kNone: the epoch's target, or all
    bool counts = false;
};

/// Accesses to windows between MPI_Win_start and MPI_Win_complete by one thread.
class AccessEpochs {
  public:
    /// Receives a call that waited, and the end of the wait.
    using Book = std::function<void(const WindowCall& call, u64 until)>;

    void start(u64 window, const WindowCall& call) { epochs_[window].push_back({call, 0}); }
    /// Adds an access; ignores those outside of an epoch.
    void access(u64 window, const WindowCall& call);
    /// A target exposed its window: calls open at this time waited for it.
    void exposed(u64 window, u32 target, u64 time);
    /// Ends the epoch and books its waits.
    void complete(u64 window, const Book& book);

  private:
    struct Held {
        WindowCall call;
        u64 until = 0;
    };

    std::map<u64, std::vector<Held>> epochs_;  ///< by window
};

/// Finds waits for window locks across all threads. Each thread reports its calls in time order;
/// threads may interleave. Memory: epochs that overlap in time with events that a thread has not
/// reported.
class WindowLocks {
  public:
    using Book = AccessEpochs::Book;

    explicit WindowLocks(Book book) : book_(std::move(book)) {}

    /// Requests a lock; target kNone: all.
    void request(u64 window, u32 target, bool exclusive, const WindowCall& call);
    /// Adds a call on a window. Precondition: a thread's calls come in order.
    void call(u64 window, const WindowCall& call);
    void release(u64 window, u32 target, const WindowCall& call);

    /// Evaluates epochs that end up to `time`. Precondition: all threads have reported up to then.
    void settle(u64 time);
    /// Epochs that settle() has not evaluated.
    [[nodiscard]] std::size_t pending() const { return closed_.size(); }

  private:
    /// From the request of a lock to its release.
    struct Epoch {
        u64 window = 0;
        u32 caller = 0;
        u32 target = 0;
        bool exclusive = false;
        std::vector<WindowCall> calls;  ///< first: the request; last: the release

        [[nodiscard]] u64 begin() const { return calls.front().begin; }
        [[nodiscard]] u64 released() const { return calls.back().begin; }
        [[nodiscard]] u64 end() const { return calls.back().end; }
    };

    static bool excludes(const Epoch& holder, const Epoch& waiter);
    void book_waits(const Epoch& waiter) const;
    void forget(u64 time);

    Book book_;
    std::vector<Epoch> open_;
    std::vector<Epoch> closed_;  ///< not evaluated
    std::vector<Epoch> past_;    ///< evaluated; others may have waited for them
};

/// The cause of a wait within an MPI call.
enum class WaitKind : u8 {
    late_sender,    ///< message not sent yet
    late_receiver,  ///< receive not posted yet, in a blocking send
    barrier,        ///< last member of a barrier
    all_to_all,     ///< last member of an all-to-all dependency
    communicator,   ///< last member of a call that makes or frees a communicator
    late_root,      ///< root of a broadcast or scatter
    early_root,     ///< last member, at the root of a reduction or gather
    prefix,         ///< lower ranks in a scan
    fence,          ///< last member at a window fence
    late_post,      ///< exposure of an accessed window
    late_complete,  ///< end of the accesses to a window
    late_unlock,    ///< release of a window lock
    finalize,       ///< last rank in MPI_Finalize
    wrong_order,    ///< part of late_sender: an earlier message is received later
};
inline constexpr std::size_t kWaitKinds = 14;

/// Whether it is a summand of the time in MPI: not in MPI_Finalize, nor part of another kind.
constexpr bool adds_to_mpi(WaitKind kind) {
    return kind != WaitKind::finalize && kind != WaitKind::wrong_order;
}

/// "late_sender"
std::string_view wait_name(WaitKind kind);

/// The kind of wait of a collective's members.
WaitKind collective_wait(CollectiveKind kind);

}  // namespace tracefold

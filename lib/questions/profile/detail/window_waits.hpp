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

/// A call on a window that may have been held up. Times on the common clock.
struct WindowCall {
    u64 begin = 0;
    u64 end = 0;
    u32 node = 0;    ///< of the call tree
    u32 caller = 0;  ///< number of a thread that calls MPI
    u32 target = 0;  ///< world rank; kNone: that of the epoch, or all
    bool counts = false;
};

/// Accesses to windows between MPI_Win_start and MPI_Win_complete, of one thread.
class AccessEpochs {
  public:
    /// Is told which call waited, and until when.
    using Book = std::function<void(const WindowCall& call, u64 until)>;

    void start(u64 window, const WindowCall& call) { epochs_[window].push_back({call, 0}); }
    /// An access within an epoch; others are not looked at.
    void access(u64 window, const WindowCall& call);
    /// A target of the epoch was exposed at this time: calls that were open then waited for it.
    void exposed(u64 window, u32 target, u64 time);
    /// The epoch ends.
    void complete(u64 window, const Book& book);

  private:
    struct Held {
        WindowCall call;
        u64 until = 0;
    };

    std::map<u64, std::vector<Held>> epochs_;  ///< by window
};

/// Locks of windows, of all threads, and who waited for whom to release one. They may tell of
/// theirs in any order; each tells of its own in theirs. Memory: epochs that overlap in time with
/// what some thread has still to tell.
class WindowLocks {
  public:
    using Book = AccessEpochs::Book;

    explicit WindowLocks(Book book) : book_(std::move(book)) {}

    /// Somebody asks for a lock; target kNone: all.
    void request(u64 window, u32 target, bool exclusive, const WindowCall& call);
    /// A call on a window. Precondition: after those before it.
    void call(u64 window, const WindowCall& call);
    void release(u64 window, u32 target, const WindowCall& call);

    /// All have told of everything before this time.
    void settle(u64 time);
    /// Epochs that settle() has to look at.
    [[nodiscard]] std::size_t pending() const { return closed_.size(); }

  private:
    /// From the request of a lock to its release.
    struct Epoch {
        u64 window = 0;
        u32 caller = 0;
        u32 target = 0;
        bool exclusive = false;
        std::vector<WindowCall> calls;  ///< the request first, the release last

        [[nodiscard]] u64 begin() const { return calls.front().begin; }
        [[nodiscard]] u64 released() const { return calls.back().begin; }
        [[nodiscard]] u64 end() const { return calls.back().end; }
    };

    static bool excludes(const Epoch& holder, const Epoch& waiter);
    void book_waits(const Epoch& waiter) const;
    void forget(u64 time);

    Book book_;
    std::vector<Epoch> open_;
    std::vector<Epoch> closed_;  ///< not looked at
    std::vector<Epoch> past_;    ///< looked at; others may have waited for them
};

/// What a process waits for within an MPI call.
enum class WaitKind : u8 {
    late_sender,    ///< a message that is not sent yet
    late_receiver,  ///< a blocking send whose receive is not posted yet
    barrier,        ///< the last one at a barrier
    all_to_all,     ///< the last one, where everybody needs everybody
    late_root,      ///< the root of a broadcast or scatter
    early_root,     ///< at the root of a reduction or gather: the last one
    prefix,         ///< those of lower rank in a scan
    fence,          ///< the last one at a fence of a window
    late_post,      ///< the exposure of a window that is accessed
    late_complete,  ///< the end of the accesses to a window
    late_unlock,    ///< another one to release the lock of a window
};
inline constexpr std::size_t kWaitKinds = 11;

/// "late_sender"
std::string_view wait_name(WaitKind kind);

/// What the members of a collective operation wait for.
WaitKind collective_wait(CollectiveKind kind);

}  // namespace tracefold

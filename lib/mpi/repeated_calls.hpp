// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/call_reader.hpp"
#include "fold/repeat_finder.hpp"
#include "mpi/mpi_call.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

/// A call of an iteration that is given out again and again.
struct RepeatedCall {
    u64 iteration = 0;      ///< each has a number of its own, from 1 on; 0: it is no such call
    std::size_t place = 0;  ///< of the call in it
    std::size_t calls = 0;  ///< of the iteration
};

/// The calls of loops whose iterations are all alike, worked out once: while a loop goes round in
/// the same way, its calls come from here, with nothing but their times and requests to be brought
/// up to date. Memory: a bounded number of calls. Throws Error(corrupt).
class RepeatedCalls {
  public:
    /// Where a call lies among the records of an iteration.
    struct Extent {
        u64 begin = 0;
        u64 end = 0;
    };

    /// `stream` must outlive this object. Precondition: no call was read from it. Iterations may
    /// have so many calls, up to twice as many actions and eight times as many records.
    explicit RepeatedCalls(CallReader& stream, std::size_t most_calls = kMostCalls)
        : stream_(stream),
          unwinder_(stream.unwinder()),
          finder_(unwinder_),
          most_calls_(most_calls) {}

    /// Between two calls, where an iteration of a loop ends: true if it comes again, so that the
    /// next calls are to be had from next().
    bool at_turn();
    /// True if the next call is to be had from next().
    [[nodiscard]] bool are_left() const { return left_ != 0; }
    /// The next call; its actions are valid until the next one is read. Precondition: are_left().
    void next(MpiCall& call);
    /// All calls of an iteration. Precondition: are_left(), and the next call is its first one.
    struct Iteration;
    Iteration next_iteration();
    /// Iterations that are left, with the one at hand.
    [[nodiscard]] u64 left() const { return left_; }
    /// Whether they are of a loop that is in no other one.
    [[nodiscard]] bool is_outermost() const { return outermost_; }
    /// Passes as many calls as so many iterations have; with times, read_extents() has to be called
    /// for each of them. Precondition: not more than are left, from the next call on.
    void leave_out(u64 iterations);
    /// Begin and end of as many calls of those that were left out as an iteration has.
    void read_extents(u64* times);
    /// Where the next call will be.
    [[nodiscard]] RepeatedCall place() const { return {number_, call_, calls_.size()}; }

    /// A call of an iteration.
    struct Call {
        MpiFunction function;
        CallFamily family;
        bool by_records;
        u32 region;
        Extent extent;
        u64 actions_end;  ///< of those of the iteration
    };
    /// Valid until the next call is read.
    struct Iteration {
        std::span<const Call> calls;
        std::span<const Action> actions;
        const u64* times = nullptr;  ///< by record

        /// One of them, with all that RepeatedCalls::next() tells but the times of its actions.
        void tell(std::size_t call, MpiCall& out) const;
    };

    /// Every record that is read beside this, symbol by symbol.
    void note_symbol() {
        if (!finder_.is_looking()) return;
        first_record_ = groups_.size();
        const std::span<const u32> groups = stream_.groups();
        groups_.insert(groups_.end(), groups.begin(), groups.end());
        if (groups_.size() > 8 * most_calls_) finder_.give_up();
    }
    /// A record of the symbol at hand, counted since the beginning of the iteration.
    [[nodiscard]] u64 place_of(std::size_t record) const { return first_record_ + record; }
    /// Every call that is read beside this, as recorded; `places` are those of its actions.
    void note_call(const MpiCall& call, const Extent& extent, std::span<const Action> actions,
                   std::span<const u64> places);

    static constexpr std::size_t kMostCalls = 512;

  private:
    void forget();
    void read_times();
    void pass_requests(u64 iterations);
    [[nodiscard]] Iteration iteration() const { return {calls_, actions_, at_hand_}; }
    void come_again(const CallUnwinder::Cycle& cycle);

    CallReader& stream_;
    CallUnwinder& unwinder_;
    RepeatFinder<CallUnwinder> finder_;
    std::size_t most_calls_;
    // The iteration that is looked at, or given out again.
    std::vector<Call> calls_;
    std::vector<Action> actions_;
    std::vector<u64> places_;  ///< by action
    std::vector<u32> groups_;  ///< by record
    u64 first_record_ = 0;     ///< of the symbol at hand
    // Giving out.
    u64 number_ = 0;  ///< of the iteration
    u64 left_ = 0;    ///< iterations, with the one at hand
    bool outermost_ = false;
    std::size_t call_ = 0;
    u64 request_step_ = 0;
    RepeatedTimes times_;
    const u64* at_hand_ = nullptr;  ///< of the iteration at hand, by record
};

/// Iterations of an outermost loop that come next on a location, and that are like those before
/// them but for times and the ids of requests. They may begin at any of their calls.
struct ComingIterations {
    u64 count = 0;          ///< 0: none
    std::size_t calls = 0;  ///< of each
    std::size_t place = 0;  ///< of the next call, in the loop
};

/// The calls of a location for somebody who may know what iterations that come again lead to.
class IterationSource {
  public:
    IterationSource() = default;
    IterationSource(const IterationSource&) = delete;
    IterationSource& operator=(const IterationSource&) = delete;
    virtual ~IterationSource() = default;

    /// Where no call follows at once: the iterations that do; none at the end.
    [[nodiscard]] virtual ComingIterations coming() const = 0;
    /// The calls of so many of them follow, one by one. Precondition of this and leave_out(): not
    /// more than are coming().
    virtual void read(u64 iterations) = 0;
    /// So many of them are passed. With times, next_times() has to be called for each of them.
    virtual void leave_out(u64 iterations) = 0;
    /// From a call on that is returned, iterations begin at the place of this call, and none before
    /// that. Calls are named by their index. Preconditions: it is the last one that was read, or
    /// the next one; what was asked for before holds by now.
    virtual u64 begin_at(u64 call) = 0;
    /// Begin and end of each call of the next iteration that was left out, valid until the next
    /// call of this. Throws Error(corrupt).
    virtual const u64* next_times() = 0;
};

}  // namespace tracefold

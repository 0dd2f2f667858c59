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

/// A call of a repeated iteration.
struct RepeatedCall {
    u64 iteration = 0;      ///< unique number from 1 on; 0: not repeated
    std::size_t place = 0;  ///< index of the call in the iteration
    std::size_t calls = 0;  ///< per iteration
};

/// Replays the calls of equal loop iterations, decoded once: while a loop repeats, only times and
/// requests are updated. Memory: a bounded number of calls. Throws Error(corrupt).
class RepeatedCalls {
  public:
    /// The records of a call in an iteration.
    struct Extent {
        u64 begin = 0;
        u64 end = 0;
    };

    /// `stream` must outlive this object. Precondition: no call was read from it. Limits of an
    /// iteration: `most_calls` calls, twice as many actions and eight times as many records.
    explicit RepeatedCalls(CallReader& stream, std::size_t most_calls = kMostCalls)
        : stream_(stream),
          unwinder_(stream.unwinder()),
          finder_(unwinder_),
          most_calls_(most_calls) {}

    /// Between two calls, at the end of an iteration: true if it repeats and next() continues.
    bool at_turn();
    /// True if next() gives the next call.
    [[nodiscard]] bool are_left() const { return left_ != 0; }
    /// The next call; its actions are valid until the next one is read. Precondition: are_left().
    void next(MpiCall& call);
    /// All calls of an iteration. Precondition: are_left(), and the next call is its first one.
    struct Iteration;
    Iteration next_iteration();
    /// Remaining iterations, including the current one.
    [[nodiscard]] u64 left() const { return left_; }
    /// The increment of request ids per iteration.
    [[nodiscard]] u64 request_step() const { return request_step_; }
    /// True if their loop is not nested.
    [[nodiscard]] bool is_outermost() const { return outermost_; }
    /// Skips the calls of `iterations` iterations; with times, read_extents() has to be called for
    /// each. Precondition: at most as many as are left, from the next call on.
    void leave_out(u64 iterations);
    /// Begin and end of the next skipped calls, one iteration's worth.
    void read_extents(u64* times);
    /// The place of the next call.
    [[nodiscard]] RepeatedCall place() const { return {number_, call_, calls_.size()}; }

    /// A call of an iteration.
    struct Call {
        MpiFunction function;
        CallFamily family;
        bool by_records;
        u32 region;
        Extent extent;
        u64 actions_end;  ///< in the actions of the iteration
    };
    /// An iteration; valid until the next call is read.
    struct Iteration {
        std::span<const Call> calls;
        std::span<const Action> actions;
        const u64* times = nullptr;  ///< by record

        /// Fills in a call like RepeatedCalls::next(), without the times of its actions.
        void tell(std::size_t call, MpiCall& out) const;
    };

    /// Call for every symbol that is read without next().
    void note_symbol() {
        if (!finder_.is_looking()) return;
        first_record_ = groups_.size();
        const std::span<const u32> groups = stream_.groups();
        groups_.insert(groups_.end(), groups.begin(), groups.end());
        if (groups_.size() > 8 * most_calls_) finder_.give_up();
    }
    /// The index of a record of the current symbol in the iteration.
    [[nodiscard]] u64 place_of(std::size_t record) const { return first_record_ + record; }
    /// Call for every call that is read without next(), as recorded; `places` of its actions.
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
    // The iteration under inspection, or being repeated.
    std::vector<Call> calls_;
    std::vector<Action> actions_;
    std::vector<u64> places_;  ///< by action
    std::vector<u32> groups_;  ///< by record
    u64 first_record_ = 0;     ///< of the current symbol
    // State of the repetition.
    u64 number_ = 0;  ///< of the iteration
    u64 left_ = 0;    ///< iterations, including the current one
    bool outermost_ = false;
    std::size_t call_ = 0;
    u64 request_step_ = 0;
    RepeatedTimes times_;
    const u64* at_hand_ = nullptr;  ///< times of the current iteration, by record
};

/// The next iterations of an outermost loop on a location, equal to the previous ones except for
/// times and request ids. They may begin at any of their calls.
struct ComingIterations {
    u64 count = 0;          ///< 0: none
    std::size_t calls = 0;  ///< per iteration
    std::size_t place = 0;  ///< index of the next call in the loop
};

/// The calls of a location for a consumer that can skip repeated iterations.
class IterationSource {
  public:
    IterationSource() = default;
    IterationSource(const IterationSource&) = delete;
    IterationSource& operator=(const IterationSource&) = delete;
    virtual ~IterationSource() = default;

    /// At a stop: the next iterations; none at the end.
    [[nodiscard]] virtual ComingIterations coming() const = 0;
    /// Continues with the calls of `iterations` iterations. Precondition of read() and leave_out():
    /// at most as many as are coming().
    virtual void read(u64 iterations) = 0;
    /// Skips iterations. With times, next_times() has to be called for each of them.
    virtual void leave_out(u64 iterations) = 0;
    /// Makes iterations begin at the place of a call (by index); valid from the returned call on,
    /// and no iteration begins before it. Preconditions: the call is the last one read or the next
    /// one; an earlier request is already in effect.
    virtual u64 begin_at(u64 call) = 0;
    /// Begin and end of each call of the next skipped iteration; invalidated by the next
    /// invocation.
    /// Throws Error(corrupt).
    virtual const u64* next_times() = 0;
};

}  // namespace tracefold

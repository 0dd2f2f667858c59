// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/trace_file.hpp"
#include "model/mpi_function.hpp"
#include "transform/cut/event_selector.hpp"
#include "transform/cut/operation_tracker.hpp"
#include "transform/cut_request.hpp"

#include <array>
#include <map>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A run-length encoded sequence of small numbers. Memory: the runs.
class StateRuns {
  public:
    struct Run {
        u64 count = 0;
        u8 state = 0;
    };

    void append(u8 state, u64 count = 1) {
        if (count == 0) return;
        size_ += count;
        if (!runs_.empty() && runs_.back().state == state) {
            runs_.back().count += count;
        } else {
            runs_.push_back({count, state});
        }
    }

    /// Replaces one element. Cost: the runs after it. Precondition: index < size().
    void set(u64 index, u8 state) {
        u64 begin = size_;
        std::size_t run = runs_.size();
        while (begin > index) begin -= runs_[--run].count;
        if (runs_[run].state == state) return;
        const std::vector<Run> rest(runs_.begin() + static_cast<std::ptrdiff_t>(run), runs_.end());
        runs_.resize(run);
        size_ = begin;
        append(rest[0].state, index - begin);
        append(state);
        append(rest[0].state, rest[0].count - (size_ - begin));
        for (std::size_t i = 1; i < rest.size(); ++i) append(rest[i].state, rest[i].count);
    }

    [[nodiscard]] u64 size() const { return size_; }
    [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }

  private:
    std::vector<Run> runs_;
    u64 size_ = 0;
};

/// Reads a sequence from its begin; the sequence must not change.
class StateCursor {
  public:
    StateCursor() = default;
    explicit StateCursor(const StateRuns& states) : runs_(&states.runs()) {}

    [[nodiscard]] bool at_end() const { return runs_ == nullptr || run_ == runs_->size(); }
    /// Preconditions of the following functions: not at_end().
    [[nodiscard]] u8 state() const { return (*runs_)[run_].state; }
    /// Number of equal elements from here on.
    [[nodiscard]] u64 left() const { return (*runs_)[run_].count - used_; }
    /// Precondition: `count` is at most left().
    void skip(u64 count) {
        used_ += count;
        if (used_ != (*runs_)[run_].count) return;
        ++run_;
        used_ = 0;
    }

  private:
    const std::vector<StateRuns::Run>* runs_ = nullptr;
    std::size_t run_ = 0;
    u64 used_ = 0;
};

/// The effect of an operation's partners on it.
enum class Verdict : u8 {
    keep,
    alone,  ///< a partner is excluded by rank, name or kind
    drop,   ///< a partner is outside of the time or iterations
};

/// Operations by the fate of their partners.
struct PartnerCounts {
    u64 cut_messages = 0;         ///< left out: the other end is outside of the window
    u64 lone_messages = 0;        ///< with one end in the part
    u64 cut_collectives = 0;      ///< left out on all members: one is outside of the window
    u64 partial_collectives = 0;  ///< without some of their members
    u64 torn = 0;                 ///< partly in the window
};

/// Matches both ends of each message and the members of each collective operation: the n-th message
/// sent from a rank to another on a communicator with a tag is the n-th one received; the n-th
/// operation of a kind on a communicator is the same on all members. A first walk adds the
/// operations of one rank after another; then settle(); a second walk in the same order gets the
/// verdicts. Memory: channels, and runs of equal operations on each.
class PartnerBook {
  public:
    using Channel = MessageChannel;
    /// A communicator or window, and the kind of operation.
    using Context = std::array<u64, 3>;

    /// The number of a channel.
    u32 find(const Channel& channel);
    /// Adds an end of a message.
    Verdict message(u32 channel, bool sends, Side side);
    /// The place of the last message sent.
    [[nodiscard]] u64 last_sent(u32 channel) const { return ends_[channel].sent.size() - 1; }
    /// Removes a cancelled message; in the first walk.
    void cancel(u32 channel, u64 place);
    /// A member joins a collective operation. Calls `members` for a new context only.
    template <class Members>
    Verdict collective(const Context& context, u32 rank, Side side, const Members& members) {
        const auto [found, fresh] = contexts_.try_emplace(context);
        if (fresh) found->second.members = members();
        return meet(found->second, rank, side);
    }

    /// `selected`: the walked ranks.
    void settle(const std::vector<bool>& selected);
    [[nodiscard]] const PartnerCounts& counts() const { return counts_; }

  private:
    struct Ends {
        Channel channel;
        StateRuns sent;
        StateRuns received;
        StateCursor sent_next;
        StateCursor received_next;
    };
    struct Instances {
        std::vector<u32> members;
        std::map<u32, StateRuns> came;  ///< by world rank
        StateRuns verdicts;
        std::unordered_map<u32, StateCursor> next;
    };

    Verdict meet(Instances& instances, u32 rank, Side side);
    void settle(Ends& ends, const std::vector<bool>& selected);
    void settle(Instances& instances, const std::vector<bool>& selected);
    Verdict judge(bool inside, bool outside, bool filtered, u64 count);

    bool settled_ = false;
    std::map<Channel, u32> channels_;
    std::vector<Ends> ends_;
    std::map<Context, Instances> contexts_;
    PartnerCounts counts_;
};

/// Operations that are incomplete in a part, or lack a partner there.
struct PartnerFindings {
    std::vector<NumberSet> left_out;  ///< by location: numbers of TracedOperation
    PartnerCounts counts;
};

/// Walks through all ranks of the part twice; docs/reference/cut.md has the rules. Memory: see
/// PartnerBook; the locations of one rank at a time. Throws Error(corrupt).
PartnerFindings find_partners(TraceFile& file, const CutRequest& request,
                              const std::vector<Intervals>& intervals);

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <vector>

namespace tracefold {

/// A set of participants (location indices), stored as arithmetic progressions in rising order of
/// their first member: the inner level of a recursive RSD. Adding members or runs in rising order,
/// as folding and merging do, is amortised O(1); any other order is linear in the members.
class ParticipantList {
  public:
    struct Run {
        u32 start = 0;
        u32 stride = 1;
        u32 count = 1;

        bool operator==(const Run&) const = default;
        [[nodiscard]] u32 last() const { return start + stride * (count - 1); }
    };

    ParticipantList() = default;
    explicit ParticipantList(std::vector<u32> members);

    /// Adds a member; no effect if it is in the set.
    void add(u32 member);
    /// Adds a run. Precondition: it begins after the last member.
    void append(Run run);
    void unite(const ParticipantList& other);

    [[nodiscard]] ParticipantList difference(const ParticipantList& other) const;

    [[nodiscard]] bool empty() const { return runs_.empty(); }
    [[nodiscard]] u64 size() const;
    [[nodiscard]] bool contains(u32 member) const { return run_of(member) != runs_.end(); }
    /// Smallest member. Precondition: not empty.
    [[nodiscard]] u32 first() const { return runs_.front().start; }
    [[nodiscard]] std::vector<u32> members() const;
    [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }

    /// Equal sets compare equal, whatever the order of insertion.
    bool operator==(const ParticipantList&) const = default;

  private:
    friend class ParticipantPlaces;

    void append(u32 member);
    [[nodiscard]] std::vector<Run>::const_iterator run_of(u32 member) const;

    std::vector<Run> runs_;  ///< canonical: greedy progressions over the sorted members
};

/// Walks the members of a set in rising order, by runs. The set must outlive the walk.
class ParticipantWalk {
  public:
    explicit ParticipantWalk(const ParticipantList& list) : runs_(list.runs()) {}

    /// Appends the next `count` members to a set of smaller ones. Precondition: there are as many.
    void take(u64 count, ParticipantList& to);
    /// Returns the next member. Precondition: there is one.
    u32 next() {
        const ParticipantList::Run& run = runs_[run_];
        const u32 member = run.start + run.stride * done_;
        advance(1);
        return member;
    }

  private:
    void advance(u32 count) {
        done_ += count;
        if (done_ < runs_[run_].count) return;
        done_ = 0;
        ++run_;
    }

    const std::vector<ParticipantList::Run>& runs_;
    std::size_t run_ = 0;
    u32 done_ = 0;  ///< members of this run
};

/// A set of participants with the place of each among all, in rising order.
class ParticipantPlaces {
  public:
    ParticipantPlaces() = default;
    explicit ParticipantPlaces(ParticipantList list);

    [[nodiscard]] const ParticipantList& list() const { return list_; }
    [[nodiscard]] u64 size() const { return size_; }
    /// kNone: no member. Cost: the logarithm of the runs.
    [[nodiscard]] u32 place(u32 member) const;

  private:
    ParticipantList list_;
    std::vector<u32> before_;  ///< by run: members of the runs before
    u64 size_ = 0;
};

}  // namespace tracefold

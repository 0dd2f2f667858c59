// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/field_codec.hpp"
#include "model/record_batch.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace tracefold {

/// Fingerprints of the last event records of a location, to find out whether they repeat. Times,
/// and the ids that go on counting from iteration to iteration (requests, matching ids), are left
/// out. Cost: a multiplication per value. Memory: bounded, 256 KiB.
class RecordHistory {
  public:
    /// For another location. Memory is used again.
    void clear();
    void add(const RecordBatch& batch, std::span<const RecordBatch::Head> heads);
    /// The last `period` records came `times` times more. Precondition: they are still known.
    void repeat(std::size_t period, u64 times);

    /// After how many records the last ones were there before: the smallest period that goes back
    /// kEvidence records, and beyond what was repeated just before; 0 if there is none. Cost:
    /// linear in the history.
    [[nodiscard]] std::size_t period() const;

    /// True if the last records were there `period` records before: so many that a period that is
    /// known from elsewhere may be believed.
    [[nodiscard]] bool repeats_after(std::size_t period) const;
    [[nodiscard]] std::size_t size() const { return fingerprints_.size(); }

    /// Shorter stretches of repetition are not worth a change of ways.
    static constexpr std::size_t kEvidence = 1024;
    /// Records that are always remembered.
    static constexpr std::size_t kReach = 32768;

    /// Records that show that a known period has begun.
    static constexpr std::size_t kGlance = 64;

  private:
    void forget();
    [[nodiscard]] std::size_t reach_of(std::size_t period) const;
    [[nodiscard]] std::size_t evidence() const;
    [[nodiscard]] std::size_t rare_place() const;

    std::vector<u32> fingerprints_;
    std::size_t repeated_ = 0;          ///< records of the last repetition
    std::size_t repeated_period_ = 0;   ///< its period
    std::size_t after_repetition_ = 0;  ///< records after it
};

/// The records of one iteration of a program's loop, and how many more like it followed. Iterations
/// are alike if their records are, but for times and for ids that go on counting by the same step.
/// Cost: per matched record a few compares. Memory: the iteration.
class RecordLoop {
  public:
    using Heads = std::span<const RecordBatch::Head>;

    /// For another location. With `timing` the times of the iteration that is being matched are
    /// kept. Memory is used again.
    void begin(bool timing) {
        timing_ = timing;
        clear();
    }
    void clear();
    /// Appends to the iteration. Precondition: nothing was matched since clear().
    void capture(const RecordBatch& batch, Heads heads);
    /// The iteration is complete; `step`: how far the ids went on in it.
    void close(const CountedIds& step);

    /// How many of these records are the next ones of the iteration at hand. Stops at its end.
    std::size_t match(const RecordBatch& batch, Heads heads);
    /// True if all records of the iteration at hand were matched.
    [[nodiscard]] bool complete() const { return matched_ == size(); }
    /// Goes on with the next iteration. Precondition: complete().
    void next();

    /// Records of an iteration.
    [[nodiscard]] std::size_t size() const { return records_.size(); }
    /// Complete iterations after the captured one.
    [[nodiscard]] u64 iterations() const { return iterations_; }
    /// How far the ids went on in them.
    [[nodiscard]] CountedIds progress() const { return iterations_ * step_; }
    /// The iteration at hand; its first matched() records were there.
    [[nodiscard]] const RecordBatch& records() const { return records_; }
    [[nodiscard]] Heads matched() const { return records_.heads().first(matched_); }

  private:
    /// A value that differs from iteration to iteration.
    struct Counted {
        u32 value;  ///< which one of all
        u64 step;
    };

    void advance_ids();
    [[nodiscard]] bool same_attributes(const RecordBatch& batch, const RecordBatch::Head& head,
                                       const RecordBatch::Head& expected) const;

    bool timing_ = false;
    RecordBatch records_;
    std::vector<Counted> counted_;
    CountedIds step_;
    std::size_t matched_ = 0;
    u64 iterations_ = 0;
};

/// After how many records the loops of a program repeated. Ranks run the same program, so that what
/// one location shows makes the next one's search short; the result does not depend on it.
class KnownPeriods {
  public:
    void worked(std::size_t period) {
        const auto known = find(period);
        Known now{period, 1};
        if (known != periods_.end()) {
            now.trust = std::min(known->trust + 1, kMostTrust);
            periods_.erase(known);
        }
        if (periods_.size() == kMost) periods_.erase(periods_.begin());
        periods_.push_back(now);
    }
    /// Forgets it if it fails as often as it worked.
    void failed(std::size_t period) {
        const auto known = find(period);
        if (known != periods_.end() && --known->trust == 0) periods_.erase(known);
    }

    /// The largest one that `fits`; 0 if there is none.
    template <class Fits>
    [[nodiscard]] std::size_t largest(const Fits& fits) const {
        std::size_t best = 0;
        for (const Known& known : periods_) {
            if (known.period > best && fits(known.period)) best = known.period;
        }
        return best;
    }

  private:
    struct Known {
        std::size_t period;
        int trust;
    };

    static constexpr std::size_t kMost = 8;
    static constexpr int kMostTrust = 4;

    std::vector<Known>::iterator find(std::size_t period) {
        return std::find_if(periods_.begin(), periods_.end(),
                            [=](const Known& known) { return known.period == period; });
    }

    std::vector<Known> periods_;  ///< the one that worked last stands last
};

}  // namespace tracefold

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

/// Fingerprints of a location's last event records, for detecting repetition. They exclude times
/// and counted ids (requests, matching ids). Cost: a multiplication per value. Memory: 256 KiB.
class RecordHistory {
  public:
    /// Resets for another location; keeps the memory.
    void clear();
    void add(const RecordBatch& batch, std::span<const RecordBatch::Head> heads);
    /// Adds `times` repetitions of the last `period` records. Precondition: they are still stored.
    void repeat(std::size_t period, u64 times);

    /// Returns the smallest period that covers the last kEvidence records, and more than the
    /// previous repetition; 0 if there is none. Cost: linear in the history.
    [[nodiscard]] std::size_t period() const;

    /// True if the last kGlance records have this period: evidence enough for a known period.
    [[nodiscard]] bool repeats_after(std::size_t period) const;
    [[nodiscard]] std::size_t size() const { return fingerprints_.size(); }

    /// Shorter repetitions are not worth a switch of the method.
    static constexpr std::size_t kEvidence = 1024;
    /// Minimum number of stored records.
    static constexpr std::size_t kReach = 32768;

    /// Number of records that confirm a known period.
    static constexpr std::size_t kGlance = 64;

  private:
    void forget();
    [[nodiscard]] std::size_t reach_of(std::size_t period) const;
    [[nodiscard]] std::size_t evidence() const;
    [[nodiscard]] std::size_t rare_place() const;

    std::vector<u32> fingerprints_;
    std::size_t repeated_ = 0;          ///< records in the last repetition
    std::size_t repeated_period_ = 0;   ///< its period
    std::size_t after_repetition_ = 0;  ///< records since then
};

/// The records of one loop iteration, and the number of equal iterations that followed. Times and
/// counted ids with the same step may differ. Cost: a few compares per matched record. Memory: the
/// iteration.
class RecordLoop {
  public:
    using Heads = std::span<const RecordBatch::Head>;

    /// Resets for another location; keeps the memory. With `timing` the times of the iteration
    /// being matched are stored.
    void begin(bool timing) {
        timing_ = timing;
        clear();
    }
    void clear();
    /// Appends to the iteration. Precondition: no match() since clear().
    void capture(const RecordBatch& batch, Heads heads);
    /// Completes the iteration; `step` is its increment of the ids.
    void close(const CountedIds& step);

    /// Number of these records that match the next ones of the current iteration.
    std::size_t match(const RecordBatch& batch, Heads heads);
    /// True if all records of the current iteration were matched.
    [[nodiscard]] bool complete() const { return matched_ == size(); }
    /// Begins the next iteration. Precondition: complete().
    void next();

    [[nodiscard]] std::size_t size() const { return records_.size(); }
    /// Complete iterations after the captured one.
    [[nodiscard]] u64 iterations() const { return iterations_; }
    [[nodiscard]] CountedIds progress() const { return iterations_ * step_; }
    /// The current iteration; its first matched() records were seen.
    [[nodiscard]] const RecordBatch& records() const { return records_; }
    [[nodiscard]] Heads matched() const { return records_.heads().first(matched_); }

  private:
    /// A value with a step per iteration.
    struct Counted {
        u32 value;  ///< index among all values
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

/// Loop periods, in records, of a program's locations. Ranks run the same program: periods of one
/// location shorten the search on the next; results do not depend on them.
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
    /// Drops a period that has failed as often as it worked.
    void failed(std::size_t period) {
        const auto known = find(period);
        if (known != periods_.end() && --known->trust == 0) periods_.erase(known);
    }

    /// Returns the largest period that `fits`; 0 if there is none.
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

    std::vector<Known> periods_;  ///< the last successful one is at the end
};

}  // namespace tracefold

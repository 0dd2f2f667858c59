// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"

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

}  // namespace tracefold

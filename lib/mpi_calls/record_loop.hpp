// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"
#include "mpi_calls/field_codec.hpp"

#include <span>
#include <vector>

namespace tracefold {

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

}  // namespace tracefold

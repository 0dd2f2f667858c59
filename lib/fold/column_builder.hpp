// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "fold/structure_pool.hpp"
#include "model/structure.hpp"

#include <memory>
#include <span>
#include <vector>

namespace tracefold {

/// Numbers distinct 64-bit values 0, 1, 2, ... in the order of their first appearance. Cost: one
/// compare if the value follows the same one as last time, else a hash lookup (open addressing,
/// linear probing); one allocation per doubling.
class ValueTable {
  public:
    u32 intern(u64 value) {
        if (last_ < followers_.size() && values_[followers_[last_]] == value) {
            return last_ = followers_[last_];
        }
        return search(value);
    }

    [[nodiscard]] const std::vector<u64>& values() const { return values_; }
    void clear();

  private:
    u32 search(u64 value);
    void grow();
    [[nodiscard]] std::size_t slot_of(u64 value) const;

    std::vector<u64> values_;
    std::vector<u32> slots_;      ///< index into values_ + 1; 0: free
    std::vector<u32> followers_;  ///< by value: its successor of last time
    u32 last_ = kNone;            ///< the value of the last call
};

/// A symbol `count` times in a row: the input of the folding engine.
struct SymbolRun {
    u32 symbol;
    u64 count;
};

class Folder;

/// Folds a sequence of numbers into a Column incrementally. A constant or an arithmetic progression
/// costs a compare and an increment per value; other sequences go through the folding engine, as
/// runs of equal values or of equal differences; irregular ones are stored as a list. Memory: the
/// folded size.
class ColumnBuilder {
  public:
    ColumnBuilder();
    ~ColumnBuilder();
    ColumnBuilder(ColumnBuilder&&) noexcept;
    ColumnBuilder& operator=(ColumnBuilder&&) noexcept;

    void push(u64 value) {
        if (value == next_ && run_ != 0) {
            next_ += stride_;
            ++run_;
        } else {
            push_unpredicted(value);
        }
    }

    /// Equivalent to pushing these values `times` times. Cost: one repetition once the engine
    /// predicts it completely; a list costs as much as pushing.
    void repeat(std::span<const u64> values, u64 times);

    [[nodiscard]] u64 size() const { return before_ + run_; }

    /// The column of the pushed values in its shortest form; constant 0 if empty. Call once.
    u32 finish(StructurePool& pool);

  private:
    enum class Mode : u8 { progression, values, differences, list };

    explicit ColumnBuilder(Mode forced);

    [[nodiscard]] bool continues(std::span<const u64> values) const;
    /// True if future pushes to the engine depend on the current run only.
    [[nodiscard]] bool settled() const;
    void push_unpredicted(u64 value);
    void start_folding();
    void flush_run();
    void give_up_if_irregular();
    u32 store(StructurePool& pool);
    u32 store_folded(StructurePool& pool);
    u32 shortest(StructurePool& pool, u32 own);
    u32 shorter_simple_form(StructurePool& pool, u32 own) const;

    u64 next_ = 0;  ///< the value that continues the current progression
    u64 stride_ = 0;
    u64 run_ = 0;     ///< values or, in differences mode, differences in the current progression
    u64 before_ = 0;  ///< number of values before these
    u64 start_ = 0;   ///< first value of the sequence
    Mode mode_ = Mode::progression;
    std::unique_ptr<Folder> folder_;
    ValueTable alphabet_;
    std::vector<u64> list_;
    std::vector<u64> runs_;  ///< values mode: v, n, v, n, ... of the first kMaxRuns runs
    std::vector<SymbolRun>* flushed_ = nullptr;  ///< records the runs for the engine, if set
};

/// A column of counts whose last value can be taken back once: a loop may turn out to continue.
class CountColumn {
  public:
    void push(u64 count) {
        if (held_ != 0) column_.push(held_);
        held_ = count;
    }
    /// Equivalent to pushing these counts `times` times; modifies the span. Precondition: just
    /// pushed.
    void repeat(std::span<u64> counts, u64 times);
    /// Takes the last count back. Precondition: the last call was push().
    u64 pop() {
        const u64 count = held_;
        held_ = 0;
        return count;
    }
    /// Returns the id of the column, kNone if all counts are 1.
    u32 finish(StructurePool& pool);

  private:
    ColumnBuilder column_;
    u64 held_ = 0;  ///< 0: none, since counts are positive
};

}  // namespace tracefold

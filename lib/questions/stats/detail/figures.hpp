// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/types.hpp"
#include "questions/stats/moments.hpp"
#include "questions/stats/row_tree.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace tracefold {

/// What is measured.
enum class Quantity : u8 {
    calls,          ///< how often
    time,           ///< ticks from entering to leaving, what lies within included
    sent,           ///< bytes
    received,       ///< bytes
    read,           ///< bytes, from files
    written,        ///< bytes, to files
    self_samples,   ///< samples of the call stack, for the region that it ends in
    total_samples,  ///< the same, for every region on it
};
inline constexpr std::size_t kQuantities = 8;

/// What one number of a distribution belongs to.
enum class SampleScope : u8 {
    calls,       ///< one call; of bytes one message or part in a collective operation
    ranks,       ///< all calls of one location
    iterations,  ///< all calls of one location in one iteration of a loop
};
inline constexpr std::size_t kOvers = 3;

/// "time", "ranks".
std::string_view quantity_name(Quantity quantity);
std::string_view scope_name(SampleScope over);

/// One number, or the same several times.
struct Sample {
    u32 row = 0;  ///< of a RowTree
    SampleScope over{};
    Quantity quantity{};
    u64 value = 0;
    u64 times = 1;
    u32 location = 0;
    u64 iteration = 0;  ///< over iterations: which, from 0
};

class SampleSink {
  public:
    SampleSink() = default;
    SampleSink(const SampleSink&) = delete;
    SampleSink& operator=(const SampleSink&) = delete;
    virtual ~SampleSink() = default;

    virtual void add(const Sample& sample) = 0;
};

/// The statistics of one row: of each quantity, over calls, ranks and iterations. Only those that
/// call it at all count: a location that never does is no sample.
class Figures {
  public:
    [[nodiscard]] const Moments& of(SampleScope over, Quantity quantity) const {
        return moments_[static_cast<std::size_t>(over)][static_cast<std::size_t>(quantity)];
    }
    [[nodiscard]] Moments& of(SampleScope over, Quantity quantity) {
        return moments_[static_cast<std::size_t>(over)][static_cast<std::size_t>(quantity)];
    }
    [[nodiscard]] u64 calls() const { return of(SampleScope::calls, Quantity::calls).count(); }
    [[nodiscard]] u64 ranks() const {
        return std::max(of(SampleScope::ranks, Quantity::calls).count(),
                        of(SampleScope::ranks, Quantity::total_samples).count());
    }
    /// Samples of the call stack with the row's region on it.
    [[nodiscard]] u64 samples() const {
        return of(SampleScope::calls, Quantity::total_samples).count();
    }

    /// The first location with a number beyond 64 bits; kNone: there is none.
    [[nodiscard]] u32 overflows_at() const { return overflows_at_; }
    void note_overflow(u32 location) { overflows_at_ = std::min(overflows_at_, location); }

    void merge(const Figures& other);
    static void each_field(auto& self, auto& visit) { visit(self.moments_, self.overflows_at_); }

    bool operator==(const Figures&) const = default;

  private:
    std::array<std::array<Moments, kQuantities>, kOvers> moments_;
    u32 overflows_at_ = kNone;
};

/// The figures of all rows of a tree.
class FigureTable : public SampleSink {
  public:
    explicit FigureTable(RowTree& rows) : rows_(rows) {}

    void add(const Sample& sample) override {
        if (sample.row >= figures_.size()) figures_.resize(rows_.size());
        Figures& figures = figures_[sample.row];
        Moments& moments = figures.of(sample.over, sample.quantity);
        if (sample.value == kOverflow) figures.note_overflow(sample.location);
        if (sample.times == 1) {
            moments.add(sample.value);
        } else {
            moments.add(sample.value, sample.times);
        }
    }

    /// By row; rows past the end have none.
    [[nodiscard]] const std::vector<Figures>& figures() const { return figures_; }

    /// Unites the rows and figures of all processes on process 0. Collective.
    void reduce(Communicator& comm, int fanout);

  private:
    RowTree& rows_;
    std::vector<Figures> figures_;
};

}  // namespace tracefold

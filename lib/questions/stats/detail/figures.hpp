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
/// call it at all count: a location that never does is no sample. Memory: 48 bytes and those of the
/// moments that have samples.
class Figures {
  public:
    [[nodiscard]] const Moments& of(SampleScope over, Quantity quantity) const {
        static const Moments kNoSamples;
        const u8 number = numbers_[place(over, quantity)];
        return number == 0 ? kNoSamples : moments_[number - std::size_t{1}];
    }
    /// Makes them if there are none.
    [[nodiscard]] Moments& of(SampleScope over, Quantity quantity) {
        return at(place(over, quantity));
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

    [[nodiscard]] bool empty() const { return moments_.empty(); }
    void merge(const Figures& other);
    /// The places that have samples, and their moments.
    static void each_field(auto& self, auto& visit) { visit(self.numbers_, self.moments_); }

  private:
    static constexpr std::size_t kPlaces = kOvers * kQuantities;

    static std::size_t place(SampleScope over, Quantity quantity) {
        return static_cast<std::size_t>(over) * kQuantities + static_cast<std::size_t>(quantity);
    }
    Moments& at(std::size_t place) {
        if (numbers_[place] == 0) {
            moments_.emplace_back();
            numbers_[place] = static_cast<u8>(moments_.size());
        }
        return moments_[numbers_[place] - std::size_t{1}];
    }

    std::array<u8, kPlaces> numbers_{};  ///< among the moments, from 1; 0: no samples
    std::vector<Moments> moments_;
};

/// The figures of all rows of a tree.
class FigureTable : public SampleSink {
  public:
    explicit FigureTable(RowTree& rows) : rows_(rows) {}

    void add(const Sample& sample) override {
        if (sample.row >= figures_.size()) figures_.resize(rows_.size());
        Moments& moments = figures_[sample.row].of(sample.over, sample.quantity);
        if (sample.times == 1) {
            moments.add(sample.value);
        } else {
            moments.add(sample.value, sample.times);
        }
    }

    /// By row; rows past the end have none.
    [[nodiscard]] const std::vector<Figures>& figures() const { return figures_; }
    /// The same; leaves none behind.
    [[nodiscard]] std::vector<Figures> take_figures() { return std::move(figures_); }

    /// Unites the rows and figures of all processes on process 0. Collective.
    void reduce(Communicator& comm, int fanout);

  private:
    RowTree& rows_;
    std::vector<Figures> figures_;
};

}  // namespace tracefold

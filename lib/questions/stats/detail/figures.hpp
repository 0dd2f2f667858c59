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

enum class Quantity : u8 {
    calls,          ///< number of calls
    time,           ///< ticks from enter to leave, inclusive
    sent,           ///< bytes
    received,       ///< bytes
    read,           ///< bytes, from files
    written,        ///< bytes, to files
    self_samples,   ///< call stack samples that end in the region
    total_samples,  ///< call stack samples that contain the region
};
inline constexpr std::size_t kQuantities = 8;

/// The scope of one number of a distribution.
enum class SampleScope : u8 {
    calls,       ///< one call; for bytes one message or collective contribution
    ranks,       ///< all calls of one location
    iterations,  ///< all calls of one location in one iteration of a loop
};
inline constexpr std::size_t kOvers = 3;

/// "time", "ranks".
std::string_view quantity_name(Quantity quantity);
std::string_view scope_name(SampleScope over);

/// One number, with a repetition count.
struct Sample {
    u32 row = 0;  ///< of a RowTree
    SampleScope over{};
    Quantity quantity{};
    u64 value = 0;
    u64 times = 1;
    u32 location = 0;
    u64 iteration = 0;  ///< over iterations: its number, from 0
};

class SampleSink {
  public:
    SampleSink() = default;
    SampleSink(const SampleSink&) = delete;
    SampleSink& operator=(const SampleSink&) = delete;
    virtual ~SampleSink() = default;

    virtual void add(const Sample& sample) = 0;
};

/// Statistics of one row: quantities over calls, ranks and iterations. Only callers are samples.
/// Memory: 48 bytes, and the moments that have samples.
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
    /// Call stack samples that contain the row's region.
    [[nodiscard]] u64 samples() const {
        return of(SampleScope::calls, Quantity::total_samples).count();
    }

    /// The first location with a number beyond 64 bits; kNone: there is none.
    [[nodiscard]] u32 overflows_at() const { return overflows_at_; }
    void note_overflow(u32 location) { overflows_at_ = std::min(overflows_at_, location); }

    [[nodiscard]] bool empty() const { return moments_.empty(); }
    bool operator==(const Figures& other) const;
    void merge(const Figures& other);
    static void each_field(auto& self, auto& visit) {
        visit(self.numbers_, self.moments_, self.overflows_at_);
    }

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
    u32 overflows_at_ = kNone;
};

/// Figures of all rows of a tree.
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

    /// By row; rows past the end have no figures.
    [[nodiscard]] const std::vector<Figures>& figures() const { return figures_; }
    /// Moves the figures out of the table.
    [[nodiscard]] std::vector<Figures> take_figures() { return std::move(figures_); }

    /// Merges the rows and figures of all processes on process 0. Collective.
    void reduce(Communicator& comm, int fanout);

  private:
    RowTree& rows_;
    std::vector<Figures> figures_;
};

}  // namespace tracefold

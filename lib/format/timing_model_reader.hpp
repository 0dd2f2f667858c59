// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/field_reader.hpp"
#include "model/timing_model.hpp"

namespace tracefold::inline format {

/// Reads the nodes and edges of a durations section (docs/format.md, "Durations"). How often a
/// symbol was executed says how many durations its node has, and how many the edges to it and from
/// it have together, so that a reader that is followed tells what would be left for the last
/// bucket.
class TimingModelReader {
  public:
    /// `usual_executions` are what may be expected of the first node.
    TimingModelReader(FieldReader& in, u64 usual_executions)
        : in_(in), executions_(usual_executions) {}

    /// Without means of locations; what follows is in DurationsPart::means. Throws Error(corrupt).
    TimingModel read();

  private:
    /// How many durations may be expected in a histogram, by one predictor or by another.
    struct Totals {
        u64 one = 0;
        u64 other = 0;
    };
    /// Durations of a symbol that no edge has yet.
    struct Left {
        u64 to = 0;
        u64 from = 0;
    };

    void enter(DurationsPart part);
    [[nodiscard]] u64 number(FieldRole role) { return in_.at(role).get_varint(); }
    [[nodiscard]] u32 symbol_after(FieldRole role, u64 last);
    TimingModel::Node node(u32 last);
    TimingModel::Step step();
    TimingModel::Edge edge(u32 last);
    LogHistogram histogram(const Totals& totals);
    std::vector<u64> buckets(const Totals& totals);
    /// Null if the symbol has no node.
    Left* left(u32 symbol);

    FieldReader& in_;
    TimingModel model_;
    std::vector<Left> left_;  ///< by node
    TimingModel::Step last_step_;
    u64 executions_;  ///< of the last node
    u8 part_ = 0;
};

}  // namespace tracefold::inline format

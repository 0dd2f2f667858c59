// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/container.hpp"
#include "file/format/quantised_ticks.hpp"
#include "file/format/timing_codec.hpp"
#include "file/trace_file.hpp"
#include "fold/timing_store.hpp"
#include "model/archive_info.hpp"
#include "model/record_batch.hpp"
#include "model/symbol.hpp"
#include "model/timing_model.hpp"

#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// Sums up the times of one location for a TimingModel. The first record of a call ends an edge,
/// the others are steps of the call. Cost: O(1) per record; memory: distinct edges.
class DurationCollector {
  public:
    /// `symbols` are those of the call model that fills the batches, as far as known; they only
    /// grow from call to call.
    void add(const std::vector<CallBatch::Delta>& deltas, const std::vector<Symbol>& symbols);

    /// A symbol that add() will name, with so many elements; numbered from 0.
    void add_symbol(std::size_t elements);
    /// One record.
    void add(RecordPlace place, u64 ticks);

    /// The calls of these deltas, added last, come again: their times follow by add_iteration().
    void begin_loop(const std::vector<CallBatch::Delta>& deltas);
    /// The records of one more iteration; `before` is the time of the record before them.
    /// Nothing is looked up: cost of a few additions per record and call.
    void add_iteration(std::span<const RecordBatch::Head> records, u64 before);
    void end_loop();

    /// The model of this location, by the same symbols. Call once.
    TimingModel finish(u32 location);

  private:
    struct Edge {
        u32 from;
        LogHistogram durations;
    };
    /// The edges that lead to a symbol.
    struct Edges {
        std::vector<Edge> all = {};
        std::size_t last = 0;  ///< the one taken last
    };

    /// In a loop: where a call begins, the way to it, and the call before.
    struct Stop {
        u32 record;
        LogHistogram* edge;
        LogHistogram* node;
    };

    void begin_call(u32 symbol, u64 ticks);
    void end_call();
    static Edge& edge(Edges& edges, u32 from);

    std::vector<RecordPlace> places_;  ///< by group
    std::vector<TimingModel::Node> nodes_;
    std::vector<Edges> edges_;  ///< by symbol
    u32 current_ = kNone;
    u64 elapsed_ = 0;  ///< in the current call

    std::vector<RecordPlace> loop_;  ///< by record
    std::vector<Stop> stops_;
    std::vector<u64> sums_;  ///< of ticks, by record
    u64 iterations_ = 0;
};

/// The durations of one location, from the times that the file keeps. Cost: unwinds the location.
/// Throws Error(corrupt). Precondition: keeps_every_time() of the file's timing level.
TimingModel durations_of_location(TraceFile& file, u32 location);

/// The durations section for these locations. Precondition: the structure has all their symbols.
StoredSection pack_timings(const TimingStore& timings, const Structure& structure,
                           const Packing& packing);

/// Keeps of the times of one location what the timing level asks for.
class TimeFolder {
  public:
    /// `error_ppm`: of quantized times.
    TimeFolder(TimingLevel timing, u32 error_ppm, TickCoding coding = TickCoding::modelled);

    TimeFolder(const TimeFolder&) = delete;
    TimeFolder& operator=(const TimeFolder&) = delete;

    /// Whether the call model has to give deltas.
    [[nodiscard]] bool wants_deltas() const { return timing_ != TimingLevel::none; }

    /// Begins another location; memory is used again.
    void begin();

    /// `symbols` are those of the call model so far.
    void add(const std::vector<CallBatch::Delta>& deltas, const std::vector<Symbol>& symbols);

    /// The records of these deltas, added last, come again: their times follow by add_iteration(),
    /// with the time of the record before each iteration, until end_loop().
    void begin_loop(const std::vector<CallBatch::Delta>& deltas);
    void add_iteration(std::span<const RecordBatch::Head> records, u64 before);
    void end_loop();

    /// After the last record.
    void finish();

    /// The content of the ticks section, empty if there is none.
    [[nodiscard]] const std::string& ticks() const { return coded_; }
    /// The durations, by the symbols of the call model. Precondition: the level is histogram.
    TimingModel durations(u32 location) { return collector_.finish(location); }

  private:
    void encode(const std::vector<CallBatch::Delta>& deltas);

    TimingLevel timing_;
    std::string coded_;
    TimingEncoder exact_;
    QuantisedEncoder quantised_;
    DurationCollector collector_;
    std::vector<CallBatch::Delta> iteration_;
};

}  // namespace tracefold

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

/// Aggregates the times of one location to a TimingModel. The first record of a call ends an edge,
/// the others are steps of the call. Cost: O(1) per record; memory: distinct edges.
class DurationCollector {
  public:
    /// `symbols` are those of the batches' call model; they only grow from call to call.
    void add(const std::vector<CallBatch::Delta>& deltas, const std::vector<Symbol>& symbols);

    /// Registers the next symbol, numbered from 0, with its number of elements.
    void add_symbol(std::size_t elements);
    void add(RecordPlace place, u64 ticks);

    /// The calls of the last deltas repeat: their times follow by add_iteration().
    void begin_loop(const std::vector<CallBatch::Delta>& deltas);
    /// Adds the records of another iteration; `before` is the time of the preceding record. Cost: a
    /// few additions per record and call, no look-ups.
    void add_iteration(std::span<const RecordBatch::Head> records, u64 before);
    void end_loop();

    /// Returns the model of this location, with the same symbols. Call once.
    TimingModel finish(u32 location);

  private:
    struct Edge {
        u32 from;
        LogHistogram durations;
    };
    struct Edges {
        std::vector<Edge> all = {};
        std::size_t last = 0;  ///< the last edge taken
    };

    /// A call in a loop: its first record, the edge to it, and the previous call.
    struct Stop {
        u32 record;
        LogHistogram* edge;
        LogHistogram* node;
    };

    void begin_call(u32 symbol, u64 ticks);
    void end_call();
    static Edge& edge(Edges& edges, u32 from);

    std::vector<RecordPlace> places_;  ///< by timing group
    std::vector<TimingModel::Node> nodes_;
    std::vector<Edges> edges_;  ///< by symbol
    u32 current_ = kNone;
    u64 elapsed_ = 0;  ///< time in the current call

    std::vector<RecordPlace> loop_;  ///< by record
    std::vector<Stop> stops_;
    std::vector<u64> sums_;  ///< sums of ticks, by record
    u64 iterations_ = 0;
};

/// Computes the durations of one location from the times in the file. Cost: unwinds the location.
/// Throws Error(corrupt). Precondition: keeps_every_time() of the file's timing level.
TimingModel durations_of_location(TraceFile& file, u32 location);

/// Packs the durations of these locations. Precondition: the structure has all symbols.
StoredSection pack_timings(const TimingStore& timings, const Structure& structure,
                           const Packing& packing);

/// Encodes the times of one location at a timing level.
class TimeFolder {
  public:
    /// `error_ppm` applies to quantized times.
    TimeFolder(TimingLevel timing, u32 error_ppm, TickCoding coding = TickCoding::modelled);

    TimeFolder(const TimeFolder&) = delete;
    TimeFolder& operator=(const TimeFolder&) = delete;

    /// True if the call model has to produce deltas.
    [[nodiscard]] bool wants_deltas() const { return timing_ != TimingLevel::none; }

    /// Resets for another location; keeps the memory.
    void begin();

    /// `symbols` are the known symbols of the call model.
    void add(const std::vector<CallBatch::Delta>& deltas, const std::vector<Symbol>& symbols);

    /// The records of the last deltas repeat: their times follow by add_iteration(), with the time
    /// of the record before each iteration, until end_loop().
    void begin_loop(const std::vector<CallBatch::Delta>& deltas);
    void add_iteration(std::span<const RecordBatch::Head> records, u64 before);
    void end_loop();

    /// Call after the last record.
    void finish();

    /// The content of the ticks section, empty if there is none.
    [[nodiscard]] const std::string& ticks() const { return coded_; }
    /// The durations, with the symbols of the call model. Precondition: the level is histogram.
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

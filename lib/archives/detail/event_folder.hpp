// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/duration_collector.hpp"
#include "fold/call_encoder.hpp"
#include "fold/location_folder.hpp"
#include "fold/record_history.hpp"
#include "fold/symbol_table.hpp"

#include <vector>

namespace tracefold {

/// Folds the event records of one location. A stretch of records that repeats is recognised before
/// its records become calls: one iteration is encoded and folded, those like it are compared with
/// it and counted (docs/internals/architecture.md, "Folding"). The result is the same as without.
/// Cost: per record of such an iteration a few compares; else what encoder and folder cost.
class EventFolder {
  public:
    /// What stays from location to location: periods that are known, and memory that is used again.
    struct Kept {
        KnownPeriods periods;
        RecordBatch held_back;
        CallBatch calls;
        CallBatch iteration;
        RecordHistory history;
        RecordLoop loop;
        RecordLoop spare;
    };

    /// `times`: begins with this location. `kept`: by the folders before, of which there is one at
    /// a time. All that is referred to but the location must outlive this.
    EventFolder(const DefinitionIndex& definitions, const MappingTables& tables,
                const LocationDefinition& location, TimeFolder& times, Kept& kept);

    void add(const RecordBatch& batch);
    /// After the last record.
    void finish();

    [[nodiscard]] const CallEncoder& encoder() const { return encoder_; }
    LocationFolder& folder() { return folder_; }

  private:
    using Heads = RecordLoop::Heads;
    enum class Phase : u8 {
        searching,  ///< for a period
        waiting,    ///< for the encoder to come to rest
        capturing,  ///< the iteration
        repeating,  ///< more iterations of it
    };

    /// A place in the iteration where the encoder is at rest: what is before it.
    struct Rest {
        std::size_t records;
        std::size_t symbols;
        std::size_t values;
        CountedIds ids;  ///< how far they went on
    };

    std::size_t hold_back(const RecordBatch& batch, Heads heads);
    void release();
    void take(const RecordBatch& batch, Heads heads);
    std::size_t step(const RecordBatch& batch, Heads heads);
    std::size_t search(const RecordBatch& batch, Heads heads);
    [[nodiscard]] std::size_t new_period() const;
    std::size_t wait(const RecordBatch& batch, Heads heads);
    std::size_t capture(const RecordBatch& batch, Heads heads);
    std::size_t match(const RecordBatch& batch, Heads heads);
    void note_rest();
    void end_capture();
    void end_iteration();
    void end_repetition();
    std::size_t take_begun_iteration();
    void search_later();
    void wait_for_rest(std::size_t period);
    void search_soon();

    void encode(const RecordBatch& batch, Heads heads);
    void note(const RecordBatch& batch, Heads heads);
    void consume(CallBatch& calls);

    TimeFolder& times_;
    PollDetector scout_;
    RecordBatch& held_back_;  ///< until the scout has judged
    CallEncoder encoder_;
    LocationFolder folder_;
    CallBatch& calls_;

    Phase phase_ = Phase::searching;
    RecordHistory& history_;
    KnownPeriods& periods_;
    std::size_t interval_;   ///< records between two searches
    std::size_t countdown_;  ///< records until the next search
    std::size_t blind_ = 0;  ///< records until a known period may be believed
    u64 uncounted_ = 0;      ///< records that were encoded
    std::size_t period_ = 0;
    std::size_t patience_ = 0;  ///< records to wait
    RecordLoop& loop_;
    RecordLoop& spare_;        ///< its memory is used again
    CallBatch& iteration_;     ///< the calls of the loop's iteration
    std::vector<Rest> rests_;  ///< in it
    CallEncoder::Mark mark_;
};

}  // namespace tracefold

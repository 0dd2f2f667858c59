// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/structure.hpp"
#include "scaling/program_model.hpp"
#include "scaling/script_generator.hpp"
#include "trace/trace_source.hpp"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold::inline scaling {

/// The property of an archive that is a run nobody has made; it tells what it was made from.
inline constexpr std::string_view kExtrapolatedProperty = "TRACEFOLD::EXTRAPOLATED";

/// The trace of a run that nobody has made, rank by rank, to be folded. Throws
/// Error(unsupported) where formulas give what no rank can do.
class ExtrapolatedSource : public TraceSource {
  public:
    /// All must outlive the source. `text`: what the archive says of its origin.
    ExtrapolatedSource(const ProgramModel& model, const CallTypes& kinds,
                       const TrainingRun& largest, const std::string& text);

    [[nodiscard]] std::unique_ptr<TraceSource> clone_reader() const override;
    [[nodiscard]] const ArchiveInfo& info() const override { return info_; }
    [[nodiscard]] u64 archive_bytes() const override { return 0; }
    [[nodiscard]] u64 unknown_records() const override { return 0; }
    void read_global_definitions(const BatchSink& sink) override;
    [[nodiscard]] bool has_local_definitions(u64 location) const override;
    [[nodiscard]] bool has_events(u64 location) const override;
    void read_local_definitions(u64 location, const BatchSink& sink) override;
    u64 read_events(u64 location, const BatchSink& sink) override;
    void read_files(const std::vector<u64>&, bool, const std::string&,
                    const std::function<void(const CarriedFile&)>&) override {}

  private:
    /// What is known once the events were read; all readers of a trace share it.
    struct Outcome {
        std::vector<u64> events;  ///< by location
        std::vector<u64> last;    ///< by location: time of the last event
    };

    struct Seat {
        u32 location = 0;  ///< index of the definitions
        u32 rank = 0;
        u32 thread = 0;
    };
    struct Generators {
        ScriptGenerator events;
        ScriptGenerator definitions;
    };

    void make_global_definitions();
    void find_seats();
    [[nodiscard]] RecordBatch adjusted() const;
    [[nodiscard]] const Seat& seat(u64 location) const { return seats_.at(location); }
    [[nodiscard]] const ProgramModel::Thread& thread_of(const Seat& seat) const;
    Generators& generators_of(const Seat& seat);
    [[nodiscard]] u64 class_at(u32 rank) const {
        return class_of(model_.classes, model_.grid, rank);
    }
    [[nodiscard]] RecordBatch local_definitions(const Seat& seat);

    const ProgramModel& model_;
    const CallTypes& kinds_;
    const TrainingRun& largest_;
    std::string text_;
    ArchiveInfo info_;
    Structure symbols_;  ///< of all kinds of calls; no more than decoding needs
    std::shared_ptr<Outcome> outcome_;
    RecordBatch global_definitions_;
    DefinitionIndex definitions_;
    std::unordered_map<u64, Seat> seats_;                   ///< by id of the location
    std::map<std::pair<u64, u32>, Generators> generators_;  ///< by class, thread
};

}  // namespace tracefold::inline scaling

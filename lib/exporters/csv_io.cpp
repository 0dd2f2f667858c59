// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/csv_table.hpp"
#include "exporters/csv_tables.hpp"
#include "exporters/region_walk.hpp"
#include "names/participant_names.hpp"
#include "query/io_files.hpp"
#include "query/io_tracker.hpp"
#include "query/record_counts.hpp"

#include <utility>

namespace tracefold {

namespace {

/// OTF2_IoOperationFlag
constexpr u64 kNonBlockingIo = 1;
constexpr u64 kCollectiveIo = 2;

bool has_operations(const TraceFile& file) {
    return records_any(file.structure(),
                       {EventType::IoOperationBegin, EventType::IoOperationComplete,
                        EventType::IoOperationCancelled});
}

/// The rows of a location.
class IoRows {
  public:
    IoRows(const ExportedPart& part, const IoFiles& files, const IoCrossings& crossings,
           TraceClock clock, std::string place, TextOut& out)
        : definitions_(part.file.definitions()),
          files_(files),
          clock_(clock),
          has_times_(part.file.summary().timing != TimingLevel::none),
          out_(out),
          place_(std::move(place)),
          tracker_(crossings, part.number) {}

    [[nodiscard]] u64 rows() const { return rows_; }

    u64 enter(u64 region, u64 /*ticks*/) {
        open_.push_back(static_cast<u32>(region));
        return 0;
    }
    void leave(const VisitedRegion& /*region*/, u64 /*ticks*/) { open_.pop_back(); }
    void record(const RecordSpan& batch, const RecordBatch::Head& head,
                const MappingTables& tables) {
        if (!is_io_operation(head.type)) return;
        const u32 region = open_.empty() ? kNone : open_.back();
        if (const auto done = tracker_.follow(head, batch.values(head), tables, region)) {
            write(*done, true);
        }
    }
    void end() {
        for (const IoOperation& operation : tracker_.outstanding()) write(operation, false);
    }

  private:
    void write(const IoOperation& operation, bool complete) {
        ++rows_;
        const u32 file = files_.of_handle(operation.handle);
        out_ << place_;
        if (operation.mark != kNone) out_ << csv_field(definitions_.region_name(operation.mark));
        out_ << ',';
        if (file != kNone) {
            out_ << csv_field(files_.files()[file].name) << ','
                 << csv_field(files_.files()[file].paradigm);
        } else {
            out_ << ',';
        }
        out_ << ',' << io_mode_name(operation.mode) << ','
             << ((operation.flags & kCollectiveIo) != 0 ? 1 : 0) << ','
             << ((operation.flags & kNonBlockingIo) != 0 ? 1 : 0) << ',';
        if (operation.requested != ~u64{0}) out_ << operation.requested;
        out_ << ',';
        if (complete && operation.bytes != kUnknownBytes) out_ << operation.bytes;
        write_times(operation, complete);
    }

    void write_times(const IoOperation& operation, bool complete) {
        out_ << ',';
        if (has_times_) out_ << clock_.at(operation.begin);
        out_ << ',';
        if (has_times_ && complete) out_ << clock_.at(operation.end);
        out_ << '\n';
    }

    const DefinitionIndex& definitions_;
    const IoFiles& files_;
    TraceClock clock_;
    bool has_times_;
    TextOut& out_;
    std::string place_;
    IoTracker tracker_;
    std::vector<u32> open_;  ///< regions
    u64 rows_ = 0;
};

}  // namespace

u64 write_io(ExportTeam& team, const TraceClocks& clocks, const std::filesystem::path& folder) {
    if (!has_operations(team.file())) return 0;
    TextFile out(folder / "io.csv");
    out << "rank,thread,name,file,paradigm,operation,collective,nonblocking,bytes_requested,bytes,"
           "begin_ns,end_ns\n";
    const ParticipantNames names(team.file().definitions());
    const IoFiles files(team.file());
    const IoCrossings crossings(team.file());
    team.run(team.file().location_count(), out, [&](ExportedPart& part, TextOut& text) {
        const u32 location = part.number;
        IoRows rows(part, files, crossings, clocks.of(location), place_fields(names, location),
                    text);
        walk_regions(part.file, location, rows);
        rows.end();
        part.report.contain("rows of io.csv", rows.rows());
    });
    out.commit();
    team.kept().add_all({EventType::IoOperationBegin, EventType::IoOperationComplete});
    return out.size();
}

}  // namespace tracefold

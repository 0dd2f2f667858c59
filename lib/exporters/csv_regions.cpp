// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/csv_table.hpp"
#include "exporters/csv_tables.hpp"
#include "exporters/region_walk.hpp"
#include "model/accelerator.hpp"
#include "model/event_table.hpp"
#include "names/participant_names.hpp"
#include "trace/stream_copies.hpp"

#include <unordered_map>

namespace tracefold {

namespace {

/// Names of regions as they stand in a table.
class RegionNames {
  public:
    explicit RegionNames(const DefinitionIndex& definitions) : definitions_(definitions) {}

    const std::string& operator[](u64 region) {
        const auto [found, fresh] = fields_.try_emplace(region);
        if (fresh) found->second = csv_field(definitions_.region_name(region));
        return found->second;
    }

  private:
    const DefinitionIndex& definitions_;
    std::unordered_map<u64, std::string> fields_;
};

/// The rows of a location.
class RegionRows {
  public:
    RegionRows(const ExportedPart& part, TraceClock clock, std::string place, TextOut& out)
        : clock_(clock),
          names_(part.file.definitions()),
          has_times_(part.file.summary().timing != TimingLevel::none),
          out_(out),
          place_(std::move(place)),
          on_stream_(part.file.definitions().locations()[part.number].is_stream()) {}

    [[nodiscard]] u64 rows() const { return rows_; }
    /// Rows that are copies of accelerators.
    [[nodiscard]] u64 copies() const { return copies_; }

    static u64 enter(u64 /*region*/, u64 ticks) { return ticks; }
    void leave(const VisitedRegion& it, u64 ticks) {
        row(names_[it.region], it.depth, it.mark, ticks);
    }
    /// On a stream, an access to a window is a copy until it completes.
    void record(const RecordSpan& batch, const RecordBatch::Head& head, const MappingTables&) {
        if (!on_stream_) return;
        if (begins_copy(head.type)) {
            begins_.emplace(open_copies_.begin(head.type, batch.values(head)).id, head.time);
        } else if (ends_copy(head.type)) {
            const auto ended = open_copies_.end(batch.values(head));
            if (!ended) return;
            ++copies_;
            const auto begin = begins_.extract(ended->id).mapped();
            row(copy_name(ended->to_device), 0, begin, head.time);
        }
    }

  private:
    void row(std::string_view name, u32 depth, u64 begin, u64 end) {
        ++rows_;
        out_ << place_ << name << ',' << depth << ',';
        if (has_times_) {
            out_ << clock_.at(begin) << ',' << clock_.at(end) << '\n';
        } else {
            out_ << ",\n";
        }
    }

    TraceClock clock_;
    RegionNames names_;
    bool has_times_;
    TextOut& out_;
    std::string place_;
    bool on_stream_;
    StreamCopies open_copies_;
    std::unordered_map<u64, u64> begins_;  ///< ticks, by copy
    u64 rows_ = 0;
    u64 copies_ = 0;
};

/// The rows of a location. Pipit has numbers for processes and threads of everything.
class PipitRows {
  public:
    PipitRows(const ExportedPart& part, TraceClock clock, const ParticipantNames::Place& place,
              TextOut& out)
        : clock_(clock),
          names_(part.file.definitions()),
          out_(out),
          place_("," + std::to_string(place.rank) + "," + std::to_string(place.thread) + ",") {}

    [[nodiscard]] u64 rows() const { return rows_; }

    u64 enter(u64 region, u64 ticks) {
        row(ticks, "Enter,", names_[region]) << "{}\n";
        return 0;
    }
    void leave(const VisitedRegion& it, u64 ticks) {
        row(ticks, "Leave,", names_[it.region]) << "{}\n";
    }
    void record(const RecordSpan& batch, const RecordBatch::Head& head,
                const MappingTables& tables) {
        const RecordInfo& info = event_info(head.type);
        row(head.time, "Instant,", info.name) << "\"{";
        const std::span<const u64> values = batch.values(head);
        const char* separator = "\"\"";
        for (std::size_t i = 0; i < info.field_count && i < values.size(); ++i) {
            const FieldKind kind = info.fields[i].kind;
            out_ << separator << info.fields[i].name
                 << "\"\": " << (is_mapped(kind) ? tables.global(kind, values[i]) : values[i]);
            separator = ", \"\"";
        }
        out_ << "}\"\n";
    }

  private:
    TextOut& row(u64 ticks, std::string_view type, std::string_view name) {
        ++rows_;
        return out_ << clock_.at(ticks) << ',' << type << name << place_;
    }

    TraceClock clock_;
    RegionNames names_;
    TextOut& out_;
    std::string place_;  ///< process and thread
    u64 rows_ = 0;
};

}  // namespace

std::string place_fields(const ParticipantNames& names, u32 location) {
    const ParticipantNames::Place place = names.place(location);
    return (place.rank == kNone ? "" : std::to_string(place.rank)) + "," +
           std::to_string(place.thread) + ",";
}

u64 write_regions(ExportTeam& team, const TraceClocks& clocks,
                  const std::filesystem::path& folder) {
    TextFile out(folder / "regions.csv");
    out << "rank,thread,name,depth,begin_ns,end_ns\n";
    const ParticipantNames names(team.file().definitions());
    team.run(team.file().location_count(), out, [&](ExportedPart& part, TextOut& text) {
        const u32 location = part.number;
        RegionRows rows(part, clocks.of(location), place_fields(names, location), text);
        const u64 again = walk_regions(part.file, location, rows);
        part.report.contain("rows of regions.csv", rows.rows());
        if (again != 0) {
            part.report.contain("rows of regions that go on after their task was suspended", again);
        }
        part.kept.add(EventType::RmaOpCompleteBlocking, rows.copies());
    });
    out.commit();
    return out.size();
}

u64 write_pipit(ExportTeam& team, const TraceClocks& clocks, const std::filesystem::path& folder) {
    TextFile out(folder / "events.csv");
    out << "Timestamp (ns),Event Type,Name,Process,Thread,Attributes\n";
    const std::vector<ParticipantNames::Place> places =
        ParticipantNames(team.file().definitions()).numbered_places();
    team.run(team.file().location_count(), out, [&](ExportedPart& part, TextOut& text) {
        PipitRows rows(part, clocks.of(part.number), places[part.number], text);
        const u64 again = walk_regions(part.file, part.number, rows);
        part.report.contain("rows of events.csv", rows.rows());
        if (again != 0) {
            part.report.contain("regions that go on after their task was suspended", again);
        }
    });
    out.commit();
    return out.size();
}

}  // namespace tracefold

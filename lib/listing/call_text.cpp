// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "listing/call_text.hpp"

#include "core/parallel.hpp"
#include "core/utf8.hpp"
#include "io/ordered_parts.hpp"
#include "listing/call_lister.hpp"
#include "listing/text_sink.hpp"
#include "trace/location_blocks.hpp"

#include <atomic>
#include <memory>

namespace tracefold::inline listing {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 18U;

std::string about_times(TimingLevel timing) {
    switch (timing) {
        case TimingLevel::none:
            return "# the file keeps no times: they are shown as ?\n";
        case TimingLevel::histogram:
            return "# times are made from mean durations, in seconds since the first event\n";
        case TimingLevel::quantized:
            return "# times are seconds since the first event, every difference to within the "
                   "error of the file; clock offsets are applied\n";
        case TimingLevel::exact:
            break;
    }
    return "# times are seconds since the first event, clock offsets applied; durations as "
           "recorded\n";
}

/// Header of the whole text and of every location.
class Comments {
  public:
    Comments(TraceFile& file, const ParticipantNames& participants)
        : file_(file), participants_(participants) {}

    [[nodiscard]] std::string of_file() const {
        const ArchiveInfo& archive = file_.archive();
        std::string text = "# tracefold text 1: archive " + printable(archive.name) + ", OTF2 " +
                           archive.version_text() + ", " + printable(archive.creator) + "\n";
        text +=
            "# LOCATION BEGIN DURATION CALL ARGUMENT=VALUE...; a location is RANK, RANK.THREAD, "
            "or a name\n";
        text += about_times(file_.summary().timing);
        return text;
    }

    [[nodiscard]] std::string of_location(u32 location) const {
        const LocationDefinition& definition = file_.definitions().locations()[location];
        const DefinitionIndex& names = file_.definitions();
        std::string text = "# location " + printable(participants_.label(location)) + ": ";
        text += printable(names.location_group_name(definition.group)) + ", ";
        text += printable(names.string(definition.name)) + ", id ";
        text += std::to_string(definition.id) + ", ";
        text += std::to_string(file_.index().facts(location).events) + " records\n";
        return text;
    }

  private:
    TraceFile& file_;
    const ParticipantNames& participants_;
};

}  // namespace

namespace {

/// The calls of one location; returns their number.
u64 write_location(CallLister& calls, TextSink& sink, std::string& piece,
                   const std::function<void(u64 records)>& flush) {
    u64 lines = 0;
    u64 records = 0;
    while (calls.next()) {
        calls.pass(sink);
        ++lines;
        records += calls.records();
        if (piece.size() < kPieceBytes) continue;
        flush(records);
        records = 0;
    }
    flush(records);
    return lines;
}

}  // namespace

u64 write_call_text(TraceFile& file, const ParticipantNames& participants, const CommonClock& clock,
                    const std::vector<bool>& selected, const TextTarget& target,
                    const ProgressSink& progress) {
    target.sink(Comments(file, participants).of_file());
    std::vector<u32> locations;
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (selected[location]) locations.push_back(location);
    }
    const u32 threads = useful_threads(file.definitions().locations(), target.threads);
    OrderedParts parts(target.sink, target.scratch, 2 * threads);
    const ProgressSink told = one_at_a_time(progress);
    std::atomic<u64> lines = 0;
    const auto write = [&](const DefinitionNames& names, u32 number) {
        OrderedParts::Part part = parts.begin(number);
        const u32 location = locations[number];
        std::string piece = Comments(file, participants).of_location(location);
        TextSink sink(file.definitions(), piece);
        CallLister calls(file, names, clock, participants.label(location), location);
        lines += write_location(calls, sink, piece, [&](u64 records) {
            part.append(piece);
            piece.clear();
            if (told) told(records);
        });
        part.finish();
    };
    run_each_with(threads, locations.size(), [&] {
        const auto names = std::make_shared<DefinitionNames>(file.definitions());
        drain(*file.global_definitions(),
              [&names](const RecordBatch& batch) { names->add(batch); });
        return [&, names](u32 number) { parts.guard([&] { write(*names, number); }); };
    });
    return lines;
}

}  // namespace tracefold::inline listing

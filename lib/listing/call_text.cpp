// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "listing/call_text.hpp"

#include "core/printable.hpp"
#include "listing/call_lister.hpp"
#include "listing/text_sink.hpp"

namespace tracefold {

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

u64 write_call_text(TraceFile& file, const ParticipantNames& participants, const CommonClock& clock,
                    const std::vector<bool>& selected,
                    const std::function<void(std::string_view)>& sink,
                    const ProgressSink& progress) {
    DefinitionNames names(file.definitions());
    drain(*file.global_definitions(), [&names](const RecordBatch& batch) { names.add(batch); });
    const Comments comments(file, participants);
    std::string piece = comments.of_file();
    TextSink sink_of_piece(file.definitions(), piece);
    u64 lines = 0;
    u64 records = 0;
    const auto flush = [&] {
        sink(piece);
        piece.clear();
        if (progress) progress(records);
        records = 0;
    };
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (!selected[location]) continue;
        piece += comments.of_location(location);
        CallLister calls(file, names, clock, participants.label(location), location);
        while (calls.next()) {
            calls.pass(sink_of_piece);
            ++lines;
            records += calls.records();
            if (piece.size() >= kPieceBytes) flush();
        }
    }
    flush();
    return lines;
}

}  // namespace tracefold

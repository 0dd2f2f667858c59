// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/call_text.hpp"

#include "model/event_table.hpp"
#include "pipeline/call_names.hpp"
#include "pipeline/call_stream.hpp"
#include "pipeline/record_text.hpp"

#include <algorithm>

namespace tracefold {

namespace {

using Head = RecordBatch::Head;

constexpr std::size_t kPieceBytes = std::size_t{1} << 18U;

/// Records that say all that is worth saying by their fields.
bool is_plain(u8 type) {
    switch (static_cast<EventType>(type)) {
        case EventType::MpiSend:
        case EventType::MpiIsend:
        case EventType::MpiRecv:
        case EventType::MpiIrecvRequest:
        case EventType::MpiCollectiveEnd:
        case EventType::NonBlockingCollectiveRequest:
            return true;
        default:
            return false;
    }
}

bool is_silent(u8 type) {
    return type == static_cast<u8>(EventType::MpiCollectiveBegin) ||
           type == static_cast<u8>(EventType::RmaCollectiveBegin);
}

/// The lines of one location.
class LocationText {
  public:
    LocationText(TraceFile& file, const DefinitionNames& names, std::string label, u32 location)
        : file_(file),
          stream_(file, location),
          text_(file.definitions(), names, stream_.tables()),
          label_(std::move(label)) {}

    bool next() { return stream_.next(); }
    [[nodiscard]] u64 records() const { return stream_.records().size(); }

    void append_line(std::string& out) {
        const Symbol& symbol = stream_.symbol();
        const RecordBatch& records = stream_.records();
        const Head& first = records[0];
        out += label_;
        append_time(first.time, out);
        switch (call_kind(symbol)) {
            case CallKind::call:
                append_duration(first.time, records[records.size() - 1].time, out);
                out.append(" ").append(region(first));
                append_call(out);
                break;
            case CallKind::enter:
                append_region("enter", first, out);
                break;
            case CallKind::leave:
                append_region("leave", first, out);
                break;
            case CallKind::record:
                append_records(out);
                break;
        }
        out += '\n';
    }

  private:
    void append_time(u64 time, std::string& out) const {
        const DefinitionIndex& definitions = file_.definitions();
        const bool known = file_.summary().timing != TimingLevel::none;
        out.append(" ").append(
            known ? seconds_text(time, definitions.clock_offset(), definitions.timer_resolution())
                  : "?");
    }

    void append_duration(u64 begin, u64 end, std::string& out) const {
        const bool known = file_.summary().timing != TimingLevel::none;
        out.append(" ").append(
            known ? seconds_text(end, begin, file_.definitions().timer_resolution()) : "?");
    }

    const std::string& region(const Head& head) {
        return text_.label(event_info(head.type).fields[0].kind, values(head)[0]);
    }
    [[nodiscard]] std::span<const u64> values(const Head& head) const {
        return stream_.records().values(head);
    }

    void append_region(const char* verb, const Head& head, std::string& out) {
        out.append(" - ").append(verb).append(" ").append(region(head));
        append_own_attributes(head, out);
    }

    void append_own_attributes(const Head& head, std::string& out) {
        text_.append_attributes(stream_.records().attributes(head), out);
    }

    /// What happens between entering and leaving a region.
    void append_call(std::string& out) {
        const RecordBatch& records = stream_.records();
        append_own_attributes(records[0], out);
        append_between(1, records.size() - 1, out);
        append_own_attributes(records[records.size() - 1], out);
    }

    /// A symbol outside of a call: a record, or a run of completions.
    void append_records(std::string& out) {
        const RecordBatch& records = stream_.records();
        const Element& element = stream_.symbol().elements.front();
        const bool run = element.type == kCompletions;
        out.append(" - ").append(run ? "completions" : event_info(records[0].type).name);
        if (run) {
            append_between(0, records.size(), out);
        } else {
            append_record(0, out);
        }
    }

    void append_between(std::size_t begin, std::size_t end, std::string& out) {
        const auto completes = [this](std::size_t record) {
            return stream_.element_of(record).type == kCompletions;
        };
        for (std::size_t record = begin; record < end;) {
            if (!completes(record)) {
                append_named(record++, out);
                continue;
            }
            out += " completed=";
            for (bool first = true; record < end && completes(record); ++record, first = false) {
                if (!first) out += ',';
                // The request is the last field of every completion.
                out += std::to_string(values(stream_.records()[record]).back());
            }
        }
    }

    /// A record within a call; those that are not the call's very purpose are named.
    void append_named(std::size_t record, std::string& out) {
        const u8 type = stream_.records()[record].type;
        if (is_silent(type)) return;
        if (is_plain(type) && !stream_.element_of(record).raw) {
            append_record(record, out);
            return;
        }
        std::string fields;
        append_record(record, fields);
        out.append(" ").append(event_info(type).name).append("{");
        out.append(fields, fields.empty() ? 0 : 1).append("}");
    }

    void append_record(std::size_t record, std::string& out) {
        const Head& head = stream_.records()[record];
        append_own_attributes(head, out);
        for (const CallStream::Posted& posted : stream_.posted()) {
            if (posted.record == record) append_posted(posted, out);
        }
        text_.append_fields(head.type, values(head), event_info(head.type).field_count, out);
    }

    void append_posted(const CallStream::Posted& posted, std::string& out) {
        if (posted.completes) {
            const u8 fields = static_cast<u8>(event_info(posted.completion).field_count - 1);
            text_.append_fields(posted.completion, posted.fields, fields, out);
        } else {
            out += " never_completed";
        }
    }

    TraceFile& file_;
    CallStream stream_;
    RecordText text_;
    std::string label_;
};

std::string about_times(TimingLevel timing) {
    switch (timing) {
        case TimingLevel::none:
            return "# the file keeps no times: they are shown as ?\n";
        case TimingLevel::histogram:
            return "# times are made from mean durations, in seconds since the start of the "
                   "trace\n";
        case TimingLevel::quantized:
            return "# times are seconds since the start of the trace, every difference to within "
                   "the error of the file: not corrected by clock offsets\n";
        case TimingLevel::exact:
            break;
    }
    return "# times are seconds since the start of the trace, as recorded: not corrected by clock "
           "offsets\n";
}

/// Header of the whole text and of every location.
class Comments {
  public:
    Comments(TraceFile& file, const ParticipantNames& participants)
        : file_(file), participants_(participants) {}

    [[nodiscard]] std::string of_file() const {
        const ArchiveInfo& archive = file_.archive();
        std::string text = "# tracefold text 1: archive " + printable_line(archive.name) +
                           ", OTF2 " + archive.version_text() + ", " +
                           printable_line(archive.creator) + "\n";
        text +=
            "# LOCATION BEGIN DURATION CALL ARGUMENT=VALUE...; a location is RANK, RANK.THREAD, "
            "or @NUMBER without MPI\n";
        text += about_times(file_.summary().timing);
        return text;
    }

    [[nodiscard]] std::string of_location(u32 location) const {
        const LocationDefinition& definition = file_.definitions().locations()[location];
        const DefinitionIndex& names = file_.definitions();
        std::string text = "# location " + participants_.label(location) + ": ";
        text += printable_line(names.location_group_name(definition.group)) + ", ";
        text += printable_line(names.string(definition.name)) + ", id ";
        text += std::to_string(definition.id) + ", ";
        text += std::to_string(file_.index().facts(location).events) + " records\n";
        return text;
    }

  private:
    /// A name must not end its comment.
    static std::string printable_line(std::string text) {
        std::replace_if(
            text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, '?');
        return text;
    }

    TraceFile& file_;
    const ParticipantNames& participants_;
};

}  // namespace

u64 write_call_text(TraceFile& file, const ParticipantNames& participants,
                    const std::vector<bool>& selected,
                    const std::function<void(std::string_view)>& sink,
                    const ProgressSink& progress) {
    DefinitionNames names(file.definitions());
    drain(*file.global_definitions(), [&names](const RecordBatch& batch) { names.add(batch); });
    const Comments comments(file, participants);
    std::string piece = comments.of_file();
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
        LocationText text(file, names, participants.label(location), location);
        while (text.next()) {
            text.append_line(piece);
            ++lines;
            records += text.records();
            if (piece.size() >= kPieceBytes) flush();
        }
    }
    flush();
    return lines;
}

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/calls/text_sink.hpp"

#include "base/ordered_parts.hpp"
#include "base/parallel.hpp"
#include "base/utf8.hpp"
#include "file/location_blocks.hpp"
#include "questions/calls/call_lister.hpp"

#include <algorithm>
#include <atomic>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// Appends the bytes of `sequence` with C escapes.
void append_escapes(std::string_view sequence, std::string& out) {
    static constexpr char kHex[] = "0123456789abcdef";
    for (const char c : sequence) {
        const auto byte = static_cast<unsigned char>(c);
        out.append("\\x") += kHex[byte >> 4U];
        out += kHex[byte & 15U];
    }
}

/// A word as it is; other text in quotes with C escapes.
std::string word_of(std::string_view text) {
    std::string escaped;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t length = utf8_sequence(rest);
        const std::string_view sequence = rest.substr(0, std::max<std::size_t>(length, 1));
        rest.remove_prefix(sequence.size());
        if (length == 0 || is_unprintable(sequence)) {
            append_escapes(sequence, escaped);
        } else {
            if (sequence == "\"" || sequence == "\\") escaped += '\\';
            escaped += sequence;
        }
    }
    const bool is_word =
        !text.empty() && escaped == text && text.find_first_of(" ,") == std::string_view::npos;
    return is_word ? escaped : '"' + escaped + '"';
}

}  // namespace

void TextSink::begin_call(const CallHead& head) {
    const TickRate rate = definitions_.tick_rate();
    step_ = head.step;
    out_.append(word_of(head.location)).append(" ");
    out_ += head.begin ? rate.seconds_text(*head.begin) : "?";
    out_ += ' ';
    if (head.kind == CallKind::call) {
        out_ += head.span ? rate.seconds_text(*head.span) : "?";
    } else {
        out_ += '-';
    }
    out_ += ' ';
    if (head.kind == CallKind::enter || head.kind == CallKind::leave) {
        out_.append(kind_name(head.kind)).append(" ");
    }
    const bool region = head.kind != CallKind::record;
    out_ += region ? word_of(head.name) : std::string(head.name);
}

void TextSink::begin_record(std::string_view type, bool plain) {
    named_ = !plain;
    first_field_ = true;
    if (named_) out_.append(" ").append(type).append("{");
}

void TextSink::end_record() {
    if (named_) out_ += '}';
    named_ = false;
}

void TextSink::flag(std::string_view name) {
    if (!named_ || !first_field_) out_ += ' ';
    first_field_ = false;
    out_ += word_of(name);
}

void TextSink::begin_field(std::string_view name, bool) {
    flag(name);
    out_ += '=';
    first_value_ = true;
}

void TextSink::separate() {
    if (!first_value_) out_ += ',';
    first_value_ = false;
}

void TextSink::number(u64 value) {
    separate();
    out_ += std::to_string(value);
}

void TextSink::number_text(std::string_view text) {
    separate();
    out_ += text;
}

void TextSink::word(const std::string& text) {
    separate();
    out_ += word_of(text);
}

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

/// Header of the text.
std::string about_file(const TraceFile& file) {
    const ArchiveInfo& archive = file.archive();
    return fmt::format(
        "# tracefold text 1: archive {}, OTF2 {}, {}\n"
        "# LOCATION BEGIN DURATION CALL ARGUMENT=VALUE...; a location is RANK, RANK.THREAD, or a "
        "name\n{}",
        printable(archive.name), archive.version_text(), printable(archive.creator),
        about_times(file.summary().timing));
}

std::string about_location(TraceFile& file, u32 location, const std::string& label) {
    const DefinitionIndex& names = file.definitions();
    const LocationDefinition& definition = names.locations()[location];
    return fmt::format("# location {}: {}, {}, id {}, {} records\n", printable(label),
                       printable(names.location_group_name(definition.group)),
                       printable(names.string(definition.name)), definition.id,
                       file.index().events(location));
}

/// Writes the calls of one location; returns their number.
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
    target.sink(about_file(file));
    std::vector<u32> locations;
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (selected[location]) locations.push_back(location);
    }
    const u32 threads = useful_threads(file.definitions().locations(), target.threads);
    OrderedParts parts(target.sink, target.scratch, 2 * threads);
    const ProgressSink told = one_at_a_time(progress);
    std::atomic<u64> lines = 0;
    DefinitionNames names(file.definitions());
    drain(*file.global_definitions(), [&names](const RecordBatch& batch) { names.add(batch); });
    const auto write = [&](u32 number) {
        OrderedParts::Part part = parts.begin(number);
        const u32 location = locations[number];
        const std::string label = participants.label(location);
        std::string piece = about_location(file, location, label);
        TextSink sink(file.definitions(), piece);
        CallLister calls(file, names, clock, label, location);
        lines += write_location(calls, sink, piece, [&](u64 records) {
            part.append(piece);
            piece.clear();
            if (told) told(records);
        });
        part.finish();
    };
    run_each(threads, locations.size(), [&](u32 number) { parts.guard([&] { write(number); }); });
    return lines;
}

}  // namespace tracefold

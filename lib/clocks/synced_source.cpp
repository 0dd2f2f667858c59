// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "clocks/synced_source.hpp"

#include "archives/restore.hpp"
#include "format/anchor_file.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"

#include <algorithm>
#include <utility>

namespace tracefold::inline clocks {

namespace {

constexpr std::string_view kClocksProperty = "TRACEFOLD::CLOCKS";

ArchiveInfo info_of_synced(ArchiveInfo info, const std::string& text) {
    const bool has_expected_anchor = info.anchor_bytes == expected_anchor(info);
    return info_of_derived(std::move(info), kClocksProperty, text, has_expected_anchor);
}

}  // namespace

SyncedSource::SyncedSource(TraceFile& file, const ProcessClocks& clocks, std::string text,
                           ProgressSink progress)
    : DerivedSource(file, info_of_synced(archive_as_restored(file), text), std::move(progress)),
      clocks_(clocks) {}

/// Times are of one clock now.
void SyncedSource::read_local_definitions(u64 location, const BatchSink& sink) {
    RecordBatch kept;
    drain(*file_.local_definitions(place_of(location)), [&](const RecordBatch& batch) {
        kept.clear();
        for (const RecordBatch::Head& head : batch.heads()) {
            const bool is_offset = head.type == static_cast<u8>(DefinitionType::ClockOffset);
            if (!is_offset) kept.append(batch, head);
        }
        if (!kept.empty()) sink(kept);
    });
}

u64 SyncedSource::read_events(u64 location, const BatchSink& sink) {
    const u32 place = place_of(location);
    u64 read = 0;
    Step last;
    bool first = true;
    RecordBatch corrected_batch;
    drain(*file_.events(place), [&](const RecordBatch& batch) {
        corrected_batch = batch;
        correct(place, corrected_batch, last, first);
        read += batch.size();
        sink(corrected_batch);
        progress(batch.size());
    });
    return read;
}

void SyncedSource::correct(u32 location, RecordBatch& batch, Step& last, bool& first) {
    const auto corrected = [&](u64 time) {
        Step step;
        step.common = clocks_.common(location, time);
        step.corrected = clocks_.corrected(location, step.common);
        return step;
    };
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const RecordBatch::Head& head = batch[i];
        if (head.type == static_cast<u8>(EventType::BufferFlush)) {
            const u64 stop = batch.values(head)[0];
            batch.add_to_value(head.first_value, corrected(stop).corrected - stop);
        }
        const Step now = corrected(head.time);
        batch.set_time(i, now.corrected);
        note(location, first ? now : last, now);
        last = now;
        first = false;
    }
}

void SyncedSource::note(u32 location, const Step& before, const Step& now) {
    first_time_ = std::min(first_time_, now.corrected);
    last_time_ = std::max(last_time_, now.corrected);
    const u64 move = now.corrected - now.common;
    ++distortion_.events;
    distortion_.moved += move != 0 ? 1 : 0;
    distortion_.largest_move = std::max(distortion_.largest_move, move);
    const IntervalChange change{now.common - before.common, now.corrected - before.corrected,
                                location, now.common};
    const u64 allowed = change.before / ClockCorrection::kSlope + 1;
    distortion_.bent += change.ticks() > allowed ? 1 : 0;
    if (change.ticks() > distortion_.largest.ticks()) distortion_.largest = change;
}

void SyncedSource::read_global_definitions(const BatchSink& sink) {
    drain(*file_.global_definitions(), [&](const RecordBatch& batch) { sink(with_span(batch)); });
}

/// No event may be outside of what the archive says that its clock covers.
RecordBatch SyncedSource::with_span(const RecordBatch& batch) const {
    RecordBatch result = batch;
    for (const RecordBatch::Head& head : batch.heads()) {
        const bool is_clock = head.type == static_cast<u8>(DefinitionType::ClockProperties);
        if (!is_clock || first_time_ > last_time_) continue;
        const std::span<const u64> values = batch.values(head);
        const u64 begin = std::min(values[1], first_time_);
        const u64 end = std::max(values[1] + values[2], last_time_);
        result.add_to_value(head.first_value + std::size_t{1}, begin - values[1]);
        result.add_to_value(head.first_value + std::size_t{2}, end - begin - values[2]);
    }
    return result;
}

}  // namespace tracefold::inline clocks

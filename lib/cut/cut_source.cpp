// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "cut/cut_source.hpp"

#include "anonymize/anonymize.hpp"
#include "archives/restore.hpp"
#include "core/error.hpp"
#include "format/anchor_file.hpp"
#include "model/definition_table.hpp"
#include "query/record_counts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracefold::inline cut {

namespace {

constexpr u64 kUndefinedTime = ~u64{0};

/// Takes back that records of a kind are complete ("OTF2::THREAD_LOCK_EVENT_COMPLETE").
void take_back(ArchiveInfo& info, std::string_view kind) {
    for (auto& [name, value] : info.properties) {
        if (name.starts_with(kind) && name.ends_with("_COMPLETE")) value = "false";
    }
}

}  // namespace

CutSource::CutSource(TraceFile& file, const CutRequest& request,
                     const std::vector<Intervals>& intervals, const PartnerFindings& partners,
                     ProgressSink progress)
    : DerivedSource(file, file.archive(), std::move(progress)),
      request_(request),
      intervals_(intervals),
      partners_(partners),
      clock_(common_clock(file)),
      events_(file.location_count(), 0),
      has_times_(file.summary().timing != TimingLevel::none) {
    for (u32 location = 0; location < file.location_count(); ++location) {
        const LocationFacts facts = file.index().facts(location);
        all_ += facts.events;
        unread_ += facts.has_event_file;
    }
}

u64 CutSource::archive_bytes() const { return changed() ? 0 : file_.summary().archive_bytes; }

u64 CutSource::kept() const {
    return std::accumulate(counts_.kept.begin(), counts_.kept.end(), u64{0});
}

u64 CutSource::added() const {
    return std::accumulate(counts_.added.begin(), counts_.added.end(), u64{0});
}

bool CutSource::changed() const {
    const u64 attributes = counts_.unwanted[static_cast<std::size_t>(RecordKind::attributes)];
    return kept() != all_ || added() != 0 || attributes != 0;
}

u64 CutSource::read_events(u64 location, const BatchSink& sink) {
    const u32 place = place_of(location);
    u64 written = 0;
    if (!intervals_[place].empty()) {
        const MappingTables tables = file_.mapping_tables(place);
        const ClockMap& clock = clock_.map(place);
        static const NumberSet nothing;
        LocationCutter cutter(request_, file_.definitions(), tables, intervals_[place],
                              partners_.left_out.empty() ? nothing : partners_.left_out[place],
                              counts_);
        RecordBatch out;
        drain(*file_.events(place), [&](const RecordBatch& batch) {
            out.clear();
            for (const RecordBatch::Head& head : batch.heads()) cutter.add(batch, head, out);
            see_times(out, clock);
            written += out.size();
            if (!out.empty()) sink(out);
            progress(batch.size());
        });
    }
    events_[place] = written;
    if (unread_ != 0 && --unread_ == 0) finish();
    return written;
}

void CutSource::see_times(const RecordBatch& batch, const ClockMap& clock) {
    if (batch.empty()) return;
    const auto heads = batch.heads();
    first_time_ = std::min(first_time_, clock.common(heads.front().time));
    last_time_ = std::max(last_time_, clock.common(heads.back().time));
}

void CutSource::read_global_definitions(const BatchSink& sink) {
    u32 location = 0;
    drain(*file_.global_definitions(), [&](const RecordBatch& batch) {
        sink(unread_ == 0 && changed() ? adjusted(batch, location) : batch);
    });
}

/// All events were read once.
void CutSource::finish() {
    if (kept() == 0 && added() == 0 && all_ != 0) {
        u64 length = 0;
        drain(*file_.global_definitions(), [&length](const RecordBatch& batch) {
            for (const RecordBatch::Head& head : batch.heads()) {
                if (head.type == static_cast<u8>(DefinitionType::ClockProperties)) {
                    length = batch.values(head)[2];
                }
            }
        });
        const double seconds = static_cast<double>(length) /
                               static_cast<double>(file_.definitions().timer_resolution());
        throw Error(ErrorKind::usage,
                    "nothing of the trace is in this part: its {} events last {:.6g} s", all_,
                    seconds);
    }
    info_ = archive_as_restored(file_);
    if (!changed()) return;
    const bool has_expected_anchor = info_.anchor_bytes == expected_anchor(info_);
    if (lacks_partners()) take_back(info_, "OTF2::MPI_");
    if (lacks_threads()) take_back(info_, "OTF2::THREAD_");
    info_ = info_of_derived(std::move(info_), kPartProperty, request_.text, has_expected_anchor);
}

bool CutSource::lacks_partners() const {
    const PartnerCounts& partners = partners_.counts;
    return partners.lone_messages + partners.partial_collectives + partners.torn != 0 ||
           request_.has_names() || request_.drops(RecordKind::messages) ||
           request_.drops(RecordKind::collectives);
}

bool CutSource::lacks_threads() const {
    ExecutionCounts executions(file_.index());
    const std::vector<u64> all = record_counts(file_.structure(), executions);
    for (u8 type = 0; type < kEventTypes; ++type) {
        const bool missing = all[type] != counts_.kept[type];
        if (record_kind(type) == RecordKind::threads && missing) return true;
    }
    return false;
}

RecordBatch CutSource::adjusted(const RecordBatch& batch, u32& location) const {
    RecordBatch result;
    for (const RecordBatch::Head& head : batch.heads()) {
        result.append(batch, head);
        if (head.type == static_cast<u8>(DefinitionType::Location)) {
            // Recorders may be a few off.
            const u64 before = file_.index().facts(location).events;
            if (events_[location] != before) result.set_last(3, events_[location]);
            ++location;
        }
        const bool moves = request_.has_window() && has_times_;
        if (head.type != static_cast<u8>(DefinitionType::ClockProperties) || !moves) continue;
        const std::span<const u64> values = batch.values(head);
        if (values[3] != kUndefinedTime) {
            constexpr double kNanoseconds = 1e9;
            const double later = static_cast<double>(static_cast<i64>(first_time_ - values[1])) /
                                 static_cast<double>(values[0]);
            result.set_last(3,
                            values[3] + static_cast<u64>(static_cast<i64>(later * kNanoseconds)));
        }
        result.set_last(1, first_time_);
        result.set_last(2, last_time_ - first_time_);
    }
    return result;
}

}  // namespace tracefold::inline cut

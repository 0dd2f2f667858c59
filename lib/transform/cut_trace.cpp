// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/cut_trace.hpp"

#include "archives/derived_source.hpp"
#include "archives/restore.hpp"
#include "base/error.hpp"
#include "file/record_counts.hpp"
#include "model/archive_info.hpp"
#include "model/definition_table.hpp"
#include "questions/calls/tick_window.hpp"
#include "transform/anonymize.hpp"
#include "transform/cut/event_selector.hpp"
#include "transform/cut/location_cutter.hpp"
#include "transform/cut/partner_search.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kUndefinedTime = ~u64{0};

/// Revokes the completeness of a record kind ("OTF2::THREAD_LOCK_EVENT_COMPLETE").
void take_back(ArchiveInfo& info, std::string_view kind) {
    for (auto& [name, value] : info.properties) {
        if (name.starts_with(kind) && name.ends_with("_COMPLETE")) value = "false";
    }
}

/// A part of a trace, as a source for folding. Definitions and all ids stay, except for the numbers
/// of events and, with a window, the span of the clock. If the part is the whole trace, everything
/// stays. Throws Error: usage (nothing is left), corrupt.
class CutSource : public DerivedSource {
  public:
    /// All must outlive the source.
    CutSource(TraceFile& file, const CutRequest& request, const std::vector<Intervals>& intervals,
              const PartnerFindings& partners, ProgressSink progress)
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

    [[nodiscard]] u64 archive_bytes() const override {
        return changed() ? 0 : file_.summary().archive_bytes;
    }

    void read_global_definitions(const BatchSink& sink) override {
        u32 location = 0;
        drain(*file_.global_definitions(), [&](const RecordBatch& batch) {
            sink(unread_ == 0 && changed() ? adjusted(batch, location) : batch);
        });
    }

    u64 read_events(u64 location, const BatchSink& sink) override {
        const u32 place = place_of(location);
        u64 written = 0;
        if (!intervals_[place].empty()) {
            const MappingTables tables = file_.mapping_tables(place);
            const ClockMap& clock = clock_.map(place);
            static const NumberSet nothing;
            LocationCutter cutter(request_, file_.definitions(), tables, intervals_,
                                  !file_.definitions().locations()[place].is_thread(),
                                  partners_.left_out.empty() ? nothing : partners_.left_out[place],
                                  counts_, place, file_.nesting().of(place));
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

    /// Over all locations read so far.
    [[nodiscard]] const CutCounts& counts() const { return counts_; }
    [[nodiscard]] u64 kept() const {
        return std::accumulate(counts_.kept.begin(), counts_.kept.end(), u64{0});
    }

    [[nodiscard]] u64 added() const {
        return std::accumulate(counts_.added.begin(), counts_.added.end(), u64{0});
    }

    /// Events in the whole trace.
    [[nodiscard]] u64 all() const { return all_; }
    [[nodiscard]] bool changed() const {
        const u64 attributes = counts_.unwanted[static_cast<std::size_t>(RecordKind::attributes)];
        return kept() != all_ || added() != 0 || attributes != 0;
    }

  private:
    [[nodiscard]] bool is_unchanged() const override { return !changed(); }
    /// Call once all events are read.
    void finish() {
        const u64 marks = counts_.added[static_cast<std::size_t>(EventType::MeasurementOnOff)];
        if (kept() == 0 && added() == marks && all_ != 0) {
            u64 length = 0;
            drain(*file_.global_definitions(), [&length](const RecordBatch& batch) {
                for (const RecordBatch::Head& head : batch.heads()) {
                    if (head.type == static_cast<u8>(DefinitionType::ClockProperties)) {
                        length = batch.values(head)[2];
                    }
                }
            });
            const double seconds = file_.definitions().tick_rate().seconds(length);
            throw Error(ErrorKind::usage,
                        "this part is empty: the {} events of the trace last {:.6g} s", all_,
                        seconds);
        }
        info_ = archive_as_restored(file_);
        if (!changed()) return;
        const bool has_expected_anchor = info_.anchor_bytes == expected_anchor(info_);
        if (lacks_partners()) take_back(info_, "OTF2::MPI_");
        if (lacks_threads()) take_back(info_, "OTF2::THREAD_");
        info_ =
            info_of_derived(std::move(info_), kPartProperty, request_.text, has_expected_anchor);
    }

    [[nodiscard]] bool lacks_partners() const {
        const PartnerCounts& partners = partners_.counts;
        return partners.lone_messages + partners.partial_collectives + partners.torn != 0 ||
               request_.has_names() || request_.drops(RecordKind::messages) ||
               request_.drops(RecordKind::collectives);
    }

    [[nodiscard]] bool lacks_threads() const {
        ExecutionCounts executions(file_.index());
        const std::vector<u64> all = record_counts(file_.structure(), executions);
        for (u8 type = 0; type < kEventTypes; ++type) {
            const bool missing = all[type] != counts_.kept[type];
            if (record_kind(type) == RecordKind::threads && missing) return true;
        }
        return false;
    }

    void see_times(const RecordBatch& batch, const ClockMap& clock) {
        if (batch.empty()) return;
        const auto heads = batch.heads();
        first_time_ = std::min(first_time_, clock.common(heads.front().time));
        last_time_ = std::max(last_time_, clock.common(heads.back().time));
    }

    [[nodiscard]] RecordBatch adjusted(const RecordBatch& batch, u32& location) const {
        RecordBatch result;
        for (const RecordBatch::Head& head : batch.heads()) {
            result.append(batch, head);
            if (head.type == static_cast<u8>(DefinitionType::Location)) {
                // Recorded numbers may be slightly wrong.
                const u64 before = file_.index().events(location);
                if (events_[location] != before) result.set_last(3, events_[location]);
                ++location;
            }
            const bool moves = request_.has_window() && has_times_;
            if (head.type != static_cast<u8>(DefinitionType::ClockProperties) || !moves) continue;
            const std::span<const u64> values = batch.values(head);
            if (values[3] != kUndefinedTime) {
                constexpr double kNanoseconds = 1e9;
                const double later =
                    static_cast<double>(static_cast<i64>(first_time_ - values[1])) /
                    static_cast<double>(values[0]);
                result.set_last(
                    3, values[3] + static_cast<u64>(static_cast<i64>(later * kNanoseconds)));
            }
            result.set_last(1, first_time_);
            result.set_last(2, last_time_ - first_time_);
        }
        return result;
    }

    const CutRequest& request_;
    const std::vector<Intervals>& intervals_;
    const PartnerFindings& partners_;
    CommonClock clock_;
    CutCounts counts_;
    u64 all_ = 0;
    std::vector<u64> events_;  ///< by location, once read
    u64 unread_ = 0;           ///< locations with unread events
    bool has_times_ = false;
    u64 first_time_ = ~u64{0};  ///< over all events, on the common clock
    u64 last_time_ = 0;
};

/// Names without a region are an error.
void check_names(TraceFile& file, const CutRequest& request) {
    bool any_region = !request.regions;
    bool any_call = !request.calls;
    drain(*file.global_definitions(), [&](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            if (head.type != static_cast<u8>(DefinitionType::Region)) continue;
            const std::string& name = file.definitions().region_name(batch.values(head)[0]);
            any_region = any_region || request.regions(name);
            any_call = any_call || request.calls(name);
        }
    });
    for (const auto& [any, option] : {std::pair(any_region, "--regions"), {any_call, "--calls"}}) {
        if (any) continue;
        throw Error(ErrorKind::usage, "the trace has no region that matches {}", option);
    }
}

/// Cuts by record kind alone split no operation, as long as all its records are of one kind.
bool needs_partners(const CutRequest& request) {
    return request.has_window() || request.has_names() || request.closed ||
           !request.locations.empty() || request.drops(RecordKind::messages) ||
           request.drops(RecordKind::collectives);
}

CutReport report_of(TraceFile& file, const CutRequest& request, const CutSource& source,
                    const PartnerFindings& partners) {
    CutReport report;
    report.events = source.all();
    report.kept = source.kept();
    report.added = source.added();
    report.partners = partners.counts;
    report.dropped_files = source.dropped_files();
    ExecutionCounts executions(file.index());
    const std::vector<u64> all = record_counts(file.structure(), executions);
    for (u8 type = 0; type < kEventTypes; ++type) {
        const u64 dropped = all[type] - source.counts().kept[type];
        if (dropped != 0) report.dropped_records[std::string(event_info(type).name)] = dropped;
    }
    for (std::size_t kind = 0; kind < kRecordKinds; ++kind) {
        if (request.drop.test(kind) && source.counts().unwanted[kind] == 0) {
            report.idle.push_back(static_cast<RecordKind>(kind));
        }
    }
    report.dropped_attributes =
        source.counts().unwanted[static_cast<std::size_t>(RecordKind::attributes)];
    return report;
}

}  // namespace

CutReport cut_trace(TraceFile& file, const CutRequest& request, const CutOutput& output) {
    check_names(file, request);
    const std::vector<Intervals> intervals = find_intervals(file, request);
    PartnerFindings partners;
    if (needs_partners(request)) partners = find_partners(file, request, intervals);
    CutSource source(file, request, intervals, partners, output.progress);
    // Quantised times would lose precision again; times built from durations stay.
    const TimingLevel timing =
        file.summary().timing == TimingLevel::none ? TimingLevel::none : TimingLevel::exact;
    const u64 bytes = fold_derived(file, source, {output.path, timing, output.level, output.force});
    CutReport report = report_of(file, request, source, partners);
    report.file_bytes = bytes;
    return report;
}

}  // namespace tracefold

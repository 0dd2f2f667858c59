// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/formats/export_team.hpp"

#include "base/parallel.hpp"
#include "file/location_blocks.hpp"
#include "file/record_counts.hpp"
#include "file/recording_gaps.hpp"
#include "mpi/rank_stream.hpp"

#include <algorithm>
#include <deque>

namespace tracefold {

namespace {

/// The outputs, which receive parts in order.
class PartTexts {
  public:
    PartTexts(const ExportTeam::Outs& outs, u32 most_waiting) {
        for (TextFile* out : outs) {
            all_.emplace_back([out](std::string_view bytes) { *out << bytes; }, out->folder(),
                              most_waiting);
        }
    }

    /// Runs work(texts) for the texts of a part; returns the bytes of the first one.
    template <class Work>
    u64 write(u32 number, const Work& work) {
        try {
            std::vector<TextPart> texts;
            texts.reserve(all_.size());
            for (OrderedParts& parts : all_) texts.emplace_back(parts.begin(number));
            work(texts);
            for (TextPart& text : texts) text.finish();
            return texts.front().size();
        } catch (...) {
            for (OrderedParts& parts : all_) parts.give_up();
            throw;
        }
    }

  private:
    std::deque<OrderedParts> all_;
};

/// Counts as dropped ("Metric records") the records of the trace that are not kept, and those that
/// the folded file itself lacks.
void count_dropped_records(TraceFile& file, const RecordCoverage& kept, ExportReport& report) {
    ExecutionCounts executions(file.index());
    const std::vector<u64> counts = record_counts(file.structure(), executions);
    for (std::size_t type = 0; type < counts.size(); ++type) {
        const std::string_view name = event_info(static_cast<EventType>(type)).name;
        report.count(ExportOutcome::dropped, std::string(name).append(" records"),
                     counts[type] - std::min(kept.of(type), counts[type]));
    }
    report.count(ExportOutcome::dropped, "records of types unknown to OTF2",
                 file.summary().dropped_unknown_records);
}

}  // namespace

void ExportedPart::walk(const CommunicationSurvey& survey, RankSink& sink) {
    for (const u32 location : mpi_locations(file, number)) {
        const ReplayPatch* patch = survey.patch(location);
        if (patch != nullptr && !patch->sizes.empty()) {
            report.count(ExportOutcome::approximated, kSizesOfSenders, patch->sizes.size());
        }
    }
    RankStream stream(file, survey, number, sink, outcomes);
    report.calls += stream.run(progress);
    kept.add_communication();
}

ExportTeam::ExportTeam(TraceFile& file, const ExportOptions& options)
    : file_(file),
      threads_(useful_threads(file.definitions().locations(), options.threads)),
      progress_(one_at_a_time(options.progress)),
      outcomes_(file.definitions()) {
    report_.ranks = file.definitions().world_size();
}

ExportedPart ExportTeam::begin_part(u32 number) const {
    return {file_, number, progress_, CallOutcomes(file_.definitions())};
}

void ExportTeam::add(const ExportedPart& part) {
    const std::scoped_lock lock(mutex_);
    report_.add(part.report);
    outcomes_.add(part.outcomes);
    kept_.add(part.kept);
}

void ExportTeam::run(u32 count, const Work& work) {
    run_in_threads(count, [&work] { return std::cref(work); });
}

void ExportTeam::run_in_threads(u32 count, const std::function<Work()>& begin) {
    run_each_with(threads_, count, [&] {
        return [this, work = begin()](u32 number) {
            ExportedPart part = begin_part(number);
            work(part);
            add(part);
        };
    });
}

std::vector<u64> ExportTeam::run(u32 count, const Outs& outs, const TextWork& work) {
    std::vector<u64> sizes(count);
    PartTexts all(outs, 2 * threads_);
    run_each(threads_, count, [&](u32 number) {
        sizes[number] = all.write(number, [&](std::vector<TextPart>& texts) {
            ExportedPart part = begin_part(number);
            work(part, texts);
            add(part);
        });
    });
    return sizes;
}

std::vector<u64> ExportTeam::run(
    u32 count, TextFile& out, const std::function<void(ExportedPart& part, TextOut& text)>& work) {
    return run(count, Outs{&out}, [&work](ExportedPart& part, std::vector<TextPart>& texts) {
        work(part, texts.front());
    });
}

ExportReport ExportTeam::finish(u64 bytes) {
    report_.bytes += bytes;
    outcomes_.for_each([this](ExportOutcome outcome, std::string_view function, u64 calls) {
        report_.count(outcome, function, calls);
    });
    const RecordingGaps gaps = recording_gaps(file_);
    if (gaps.kind == ProcessKind::rank) {
        report_.contain("ranks without MPI calls",
                        gaps.without_events.size() + gaps.without_mpi.size());
    }
    kept_.add_calls(outcomes_.calls_with_region());
    count_dropped_records(file_, kept_, report_);
    return std::move(report_);
}

}  // namespace tracefold

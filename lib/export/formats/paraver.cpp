// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "export/export_format.hpp"
#include "export/formats/export_team.hpp"
#include "export/formats/paraver_timeline.hpp"
#include "export/formats/rank_walk.hpp"
#include "file/recording_gaps.hpp"
#include "model/participant_names.hpp"
#include "mpi/communicator_table.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

/// The result of a walk over some ranks.
struct ParaverRanks {
    ParaverRanks(const DefinitionIndex& definitions, const std::filesystem::path& directory)
        : timeline(directory), names(definitions) {}

    void take(ParaverRanks other) {
        timeline.take(std::move(other.timeline));
        names.take(std::move(other.names));
        communicators.merge(other.communicators);
    }

    ParaverTimeline timeline;
    ParaverNames names;
    /// World ranks of the communicators of collective operations, by id.
    std::map<u64, std::vector<u64>> communicators;
};

/// The places of all locations. Tasks are processes.
struct ParaverPlaces {
    explicit ParaverPlaces(const TraceFile& file) : places(file.location_count()) {
        place_locations(file);
    }

    std::vector<ParaverPlace> places;         ///< by location; task 0: without a process
    std::vector<std::vector<u32>> locations;  ///< by process
    std::vector<std::string> names;           ///< of processes
    u64 others = 0;                           ///< locations without a process

  private:
    /// Processes are nodes, locations their processors. A process without any has a row as well.
    void place_locations(const TraceFile& file) {
        const DefinitionIndex& definitions = file.definitions();
        const ParticipantNames participants(definitions);
        const std::vector<ParticipantNames::Place> order = participants.numbered_places();
        locations.resize(definitions.process_count());
        for (u32 location = 0; location < file.location_count(); ++location) {
            const u32 process = participants.process(location);
            if (process != kNone) {
                locations[process].push_back(location);
            } else {
                ++others;
            }
        }
        u32 cpu = 0;
        for (u32 process = 0; process < locations.size(); ++process) {
            std::ranges::sort(locations[process], {}, [&](u32 at) { return order[at].thread; });
            u32 thread = 0;
            for (const u32 at : locations[process]) places[at] = {++cpu, process + 1, ++thread};
            names.push_back(process_text(definitions, process));
        }
    }

    /// "rank 3", "PE 3", "python 1000"
    static std::string process_text(const DefinitionIndex& definitions, u32 process) {
        const ProcessKind kind = definitions.process_kind();
        const std::string name = definitions.process_name(process);
        const bool is_number = name == std::to_string(process);
        return is_number ? process_word(kind) + " " + name : name;
    }
};

/// Writes the regions of a location, except MPI functions, and tracks the span of its records.
class RegionEvents {
  public:
    RegionEvents(const DefinitionIndex& definitions, TraceClock clock, ParaverRanks& trace,
                 u32 location)
        : definitions_(definitions), clock_(clock), trace_(trace), location_(location) {}

    u64 enter(u64 region, u64 ticks) {
        ++entered_;
        pass(ticks);
        if (is_of_mpi(region)) return 0;
        open_.push_back(trace_.names.region_value(region));
        write(ticks);
        return open_.back();
    }
    /// Continues the enclosing region, or on an accelerator stream the last one entered.
    void leave(const VisitedRegion& it, u64 ticks) {
        pass(ticks);
        if (is_of_mpi(it.region)) return;
        const auto found = std::find(open_.rbegin(), open_.rend(), it.mark);
        open_.erase(std::next(found).base());
        write(ticks);
    }
    void record(const RecordSpan& /*batch*/, const RecordBatch::Head& head,
                const MappingTables& /*tables*/) {
        pass(head.time);
    }

    /// Visits, and those that go on after their task was suspended once more.
    [[nodiscard]] u64 entered() const { return entered_; }
    [[nodiscard]] u64 begin() const { return begin_.value_or(0); }
    [[nodiscard]] u64 end() const { return end_; }

  private:
    void pass(u64 ticks) {
        const u64 time = clock_.at(ticks);
        if (!begin_) begin_ = time;
        end_ = std::max(end_, time);
    }
    void write(u64 ticks) {
        trace_.timeline.event(location_, clock_.at(ticks), kParaverFunction,
                              open_.empty() ? 0 : open_.back());
    }
    bool is_of_mpi(u64 region) {
        const auto [found, fresh] = mpi_functions_.try_emplace(region);
        if (fresh) found->second = is_mpi_function(definitions_, region);
        return found->second;
    }

    const DefinitionIndex& definitions_;
    TraceClock clock_;
    ParaverRanks& trace_;
    u32 location_;
    std::vector<u64> open_;
    std::unordered_map<u64, bool> mpi_functions_;
    u64 entered_ = 0;
    std::optional<u64> begin_;
    u64 end_ = 0;
};

/// Writes regions and states of the locations of a process without MPI; returns the visits.
u64 write_regions(TraceFile& file, const TraceClocks& clocks, ParaverRanks& trace,
                  const std::vector<u32>& locations) {
    u64 visits = 0;
    for (const u32 location : locations) {
        RegionEvents regions(file.definitions(), clocks.of(location), trace, location);
        const u64 again = walk_regions(file, location, regions);
        trace.timeline.state(location, regions.begin(), regions.end(), ParaverState::running);
        visits += regions.entered() - again;
    }
    return visits;
}

/// Writes events, states and ends of messages of a rank's MPI calls, its threads merged by time.
class RankEvents {
  public:
    RankEvents(TraceFile& file, const TraceClocks& clocks, const ReceiveClues& clues,
               ParaverRanks& trace, u32 rank)
        : file_(file),
          clocks_(clocks),
          trace_(trace),
          rank_(rank),
          table_(file, rank),
          walk_(file, clocks, clues, rank),
          tracker_(TransferTracker::SendEnd::at_call, walk_.thread_count()) {}

    void run(const std::vector<u32>& locations, ExportedPart& part) {
        u64 visits = 0;
        for (const u32 location : locations) visits += walk_regions_of(location);
        u64 calls = 0;
        for (; const RankWalk::Thread* thread = walk_.next(); ++calls) write(*thread);
        for (const u32 location : locations) run_on(location, rows_[location].end);
        if (part.progress) part.progress(calls);
        part.report.calls += calls;
        part.report.contain("receives without a record", tracker_.unrecorded());
        // All regions are kept.
        for (const EventType type : kRegionRecords) part.kept.add(type, visits);
    }

  private:
    /// Progress of a location.
    struct Row {
        u64 until = 0;  ///< end of the states written so far
        u64 end = 0;
    };

    /// Returns the number of region visits, including MPI functions.
    u64 walk_regions_of(u32 location) {
        RegionEvents regions(file_.definitions(), clocks_.of(location), trace_, location);
        const u64 again = walk_regions(file_, location, regions);
        rows_[location] = {regions.begin(), regions.end()};
        return regions.entered() - again;
    }

    void run_on(u32 location, u64 until) {
        trace_.timeline.state(location, rows_[location].until, until, ParaverState::running);
    }

    void write(const RankWalk::Thread& thread) {
        const MpiCall& call = thread.call;
        u64& until = rows_[thread.location].until;
        const u64 begin = std::max(thread.clock.at(call.begin), until);
        const u64 end = std::max(thread.clock.at(call.end), begin);
        run_on(thread.location, begin);
        until = end;
        trace_.timeline.state(thread.location, begin, end, paraver_state(call));
        const u32 type = paraver_call_type(call);
        trace_.timeline.event(thread.location, begin, type, trace_.names.call_value(call));
        write_collective(call, thread.location, begin);
        trace_.timeline.event(thread.location, end, type, 0);
        tracker_.follow(
            thread.number, call, table_,
            [this](const TrackedMessage& message, const MessageEnd& at) { write(message, at); });
    }

    void write_collective(const MpiCall& call, u32 location, u64 time) {
        for (const Action& action : call.actions) {
            const bool is_one = action.kind == Action::Kind::collective ||
                                action.kind == Action::Kind::post_collective;
            if (!is_one || !action.known) continue;
            const CollectivePart& part = action.part;
            ParaverTimeline& timeline = trace_.timeline;
            timeline.event(location, time, kParaverSent, part.sent, true);
            timeline.event(location, time, kParaverReceived, part.received, true);
            const CommunicatorView* view = table_.find(part.comm);
            if (view == nullptr || view->self_like) return;
            if (!view->inter && part.root < view->members.size() &&
                view->members[part.root] == rank_) {
                timeline.event(location, time, kParaverRoot, 1, true);
            }
            note(*view);
            timeline.event(location, time, kParaverCommunicator, part.comm + 1, true);
            return;
        }
    }

    /// Both sides of an intercommunicator.
    void note(const CommunicatorView& view) {
        const auto [known, fresh] = trace_.communicators.try_emplace(view.id);
        if (!fresh) return;
        known->second = view.all_members();
        std::ranges::sort(known->second);
    }

    void write(const TrackedMessage& message, const MessageEnd& end) {
        trace_.timeline.message({.sender = message.sends ? rank_ : message.peer,
                                 .receiver = message.sends ? message.peer : rank_,
                                 .comm = message.envelope.comm,
                                 .number = message.number,
                                 .tag = message.envelope.tag,
                                 .receives = message.sends ? 0U : 1U,
                                 .location = walk_.thread(end.thread).location,
                                 .begin = walk_.thread(message.thread).clock.at(message.begin),
                                 .end = walk_.thread(end.thread).clock.at(end.end),
                                 .bytes = message.envelope.bytes});
    }

    TraceFile& file_;
    const TraceClocks& clocks_;
    ParaverRanks& trace_;
    u32 rank_;
    CommunicatorTable table_;
    RankWalk walk_;
    TransferTracker tracker_;
    std::unordered_map<u32, Row> rows_;  ///< by location
};

/// The format needs a date; equal traces get the same one.
void write_header(const ParaverPlaces& places, const ParaverRanks& trace, TextOut& out) {
    out << "#Paraver (01/01/2000 at 00:00):" << trace.timeline.end()
        << "_ns:" << places.locations.size() << '(';
    const char* separator = "";
    for (const std::vector<u32>& threads : places.locations) {
        out << std::exchange(separator, ",") << threads.size();
    }
    out << "):1:" << places.locations.size() << '(';
    separator = "";
    u32 node = 0;
    for (const std::vector<u32>& threads : places.locations) {
        out << std::exchange(separator, ",") << threads.size() << ':' << ++node;
    }
    out << ")," << trace.communicators.size() << '\n';
    for (const auto& [id, members] : trace.communicators) {
        out << "c:1:" << id + 1 << ':' << members.size();
        for (const u64 member : members) out << ':' << member + 1;
        out << '\n';
    }
}

/// Writes the names of all rows, for the .row file.
void write_rows(const ParaverPlaces& trace, TextOut& out) {
    u64 cpus = 0;
    for (const std::vector<u32>& threads : trace.locations) cpus += threads.size();
    const auto level = [&](std::string_view title, std::string_view name, bool of_app) {
        out << "LEVEL " << title << " SIZE " << cpus << '\n';
        for (std::size_t rank = 0; rank < trace.locations.size(); ++rank) {
            for (std::size_t thread = 0; thread < trace.locations[rank].size(); ++thread) {
                out << name << (of_app ? " 1." : " ") << rank + 1 << '.' << thread + 1 << '\n';
            }
        }
        out << '\n';
    };
    level("CPU", "CPU", false);
    out << "LEVEL NODE SIZE " << trace.locations.size() << '\n';
    for (const std::string& name : trace.names) {
        for (const char c : name) out << (static_cast<unsigned char>(c) < ' ' ? ' ' : c);
        out << '\n';
    }
    out << '\n';
    level("THREAD", "THREAD", true);
}

void report_messages(const ParaverTimeline::Messages& messages, ExportReport& report) {
    report.contain("messages", messages.whole);
    report.contain("messages that end before they begin", messages.backwards);
    report.count(ExportOutcome::dropped, "messages that nobody receives", messages.never_received);
    report.count(ExportOutcome::dropped, "messages that nobody sends", messages.never_sent);
}

void add_kept_records(RecordCoverage& kept) {
    kept.add_all(kPointToPointRecords);
    kept.add_all({EventType::MpiCollectiveBegin, EventType::MpiCollectiveEnd,
                  EventType::NonBlockingCollectiveRequest,
                  EventType::NonBlockingCollectiveComplete});
}

/// Merges the ranks that all threads walked.
ParaverRanks walk_ranks(ExportTeam& team, const ParaverPlaces& places,
                        const std::filesystem::path& folder, u32 threads) {
    const DefinitionIndex& definitions = team.file().definitions();
    const TraceClocks clocks(team.file());
    std::optional<ReceiveClues> clues;
    if (team.ranks() != 0) clues.emplace(team.file(), threads);
    std::mutex mutex;
    std::deque<ParaverRanks> shares;
    const auto count = static_cast<u32>(places.locations.size());
    team.run_in_threads(count, [&]() -> ExportTeam::Work {
        const std::scoped_lock lock(mutex);
        ParaverRanks* const own = &shares.emplace_back(definitions, folder);
        return [&, own](ExportedPart& part) {
            const std::vector<u32>& locations = places.locations[part.number];
            if (clues) {
                RankEvents(part.file, clocks, *clues, *own, part.number).run(locations, part);
                return;
            }
            const u64 visits = write_regions(part.file, clocks, *own, locations);
            for (const EventType type : kRegionRecords) part.kept.add(type, visits);
        };
    });
    ParaverRanks all = std::move(shares.front());
    shares.pop_front();
    for (ParaverRanks& share : shares) all.take(std::move(share));
    return all;
}

/// "run.prv" and ".pcf" give "run.pcf".
std::filesystem::path beside(const std::filesystem::path& output, const char* suffix) {
    std::filesystem::path path = output;
    if (path.extension() == ".prv") path.replace_extension();
    return path += suffix;
}

/// Existing companions may be replaced only with their trace.
void refuse_foreign_companions(const std::filesystem::path& output) {
    if (std::filesystem::exists(output)) return;
    for (const char* suffix : {".pcf", ".row"}) {
        const std::filesystem::path companion = beside(output, suffix);
        if (!std::filesystem::exists(companion)) continue;
        throw Error(ErrorKind::io,
                    "cannot write {}: {} exists without it; remove that or choose another place",
                    output.string(), companion.string());
    }
}

}  // namespace

ExportReport write_paraver(TraceFile& file, const std::string& output,
                           const ExportOptions& options) {
    if (file.definitions().process_count() == 0) {
        throw Error(ErrorKind::unsupported,
                    "the trace has no processes, and a Paraver trace covers nothing else");
    }
    if (file.summary().timing == TimingLevel::none) {
        throw Error(ErrorKind::unsupported, "the file has no times, which a Paraver trace needs");
    }
    refuse_foreign_companions(output);
    TextFile out(output, options.force);
    TextFile names(beside(output, ".pcf"), options.force);
    TextFile rows(beside(output, ".row"), options.force);
    const std::filesystem::path folder = std::filesystem::path(output).parent_path();
    ExportTeam team(file, options);
    const ParaverPlaces places(file);
    ParaverRanks trace = walk_ranks(team, places, folder.empty() ? "." : folder, options.threads);
    report_messages(trace.timeline.join_messages(), team.report());
    team.report().count(ExportOutcome::dropped, "locations of no process", places.others);
    write_header(places, trace, out);
    const ParaverTimeline::Parts parts = trace.timeline.parts(options.threads);
    team.run(static_cast<u32>(parts.count()), out, [&](ExportedPart& part, TextOut& text) {
        trace.timeline.write(parts, part.number, places.places, text);
    });
    trace.names.write(names);
    write_rows(places, rows);
    names.commit();
    rows.commit();
    out.commit();
    if (team.ranks() != 0) add_kept_records(team.kept());
    return team.finish(out.size() + names.size() + rows.size());
}

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/export_format.hpp"
#include "export/formats/export_team.hpp"
#include "export/formats/rank_walk.hpp"
#include "model/definition_names.hpp"
#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"

namespace tracefold {

namespace {

/// By Action::Kind.
constexpr std::string_view kKindNames[] = {"send",
                                           "receive",
                                           "post_receive",
                                           "probe",
                                           "collective",
                                           "post_collective",
                                           "complete_send",
                                           "complete_receive",
                                           "complete_collective",
                                           "cancelled",
                                           "tested",
                                           "create_comm",
                                           "destroy_comm",
                                           "record"};
static_assert(std::size(kKindNames) == static_cast<std::size_t>(Action::Kind::record) + 1);

struct Place {
    u32 rank;
    u32 thread;
    u32 location;
};

/// Writes calls as JSON objects, one per line.
class CallLines {
  public:
    CallLines(const TraceFile& file, const TraceClocks& clocks, const Place& place, TextOut& out)
        : definitions_(file.definitions()),
          place_(place),
          clock_(clocks.of(place.location)),
          has_times_(file.summary().timing != TimingLevel::none),
          out_(out) {}

    void write(const MpiCall& call) {
        out_ << "{\"rank\":" << place_.rank << ",\"thread\":" << place_.thread
             << ",\"call\":" << call.index << ",\"name\":";
        out_.quote(call.region == kNone ? name_of(call, definitions_)
                                        : definitions_.region_name(call.region));
        if (has_times_) {
            out_ << ",\"begin_ns\":" << clock_.at(call.begin)
                 << ",\"end_ns\":" << clock_.at(call.end);
        }
        const char* separator = ",\"actions\":[";
        for (const Action& action : call.actions) {
            out_ << separator;
            write_action(action);
            separator = ",";
        }
        out_ << (call.actions.empty() ? "}\n" : "]}\n");
    }

  private:
    void write_action(const Action& action) {
        out_ << "{\"kind\":\"" << kKindNames[static_cast<std::size_t>(action.kind)] << '"';
        if (action.request != kNoRequest) out_ << ",\"request\":" << action.request;
        if (action.message != kNoMessage) out_ << ",\"message\":" << action.message;
        switch (action.kind) {
            case Action::Kind::send:
            case Action::Kind::receive:
            case Action::Kind::post_receive:
            case Action::Kind::complete_receive:
                if (action.known) write_envelope(action.envelope);
                break;
            case Action::Kind::probe:
                write_channel(action.envelope);
                if (action.message != kNoMessage && action.known) {
                    out_ << ",\"bytes\":" << action.envelope.bytes;
                }
                break;
            case Action::Kind::collective:
            case Action::Kind::post_collective:
            case Action::Kind::complete_collective:
                if (action.known) write_part(action.part);
                break;
            case Action::Kind::create_comm:
            case Action::Kind::destroy_comm:
                out_ << ",\"comm\":" << action.part.comm;
                break;
            case Action::Kind::record:
                write_record(action);
                break;
            default:
                break;
        }
        if (action.unrecorded) out_ << ",\"inferred\":true";
        out_ << (action.known ? "}" : ",\"completes\":false}");
    }

    void write_channel(const Envelope& envelope) {
        out_ << ",\"comm\":" << envelope.comm << ",\"peer\":" << envelope.peer
             << ",\"tag\":" << envelope.tag;
    }

    void write_envelope(const Envelope& envelope) {
        write_channel(envelope);
        out_ << ",\"bytes\":" << envelope.bytes;
    }

    void write_part(const CollectivePart& part) {
        out_ << ",\"operation\":";
        out_.quote(enumerator_name(part.kind));
        out_ << ",\"comm\":" << part.comm << ",\"root\":" << part.root << ",\"sent\":" << part.sent
             << ",\"received\":" << part.received;
    }

    void write_record(const Action& action) {
        const RecordInfo& info = event_info(action.type);
        out_ << ",\"record\":\"" << info.name << '"';
        for (u8 i = 0; i < info.field_count && i < action.fields.size(); ++i) {
            out_ << ",\"" << info.fields[i].name << "\":" << action.fields[i];
        }
        if (action.offset != ~u64{0}) out_ << ",\"offset\":" << action.offset;
    }

    const DefinitionIndex& definitions_;
    Place place_;
    TraceClock clock_;
    bool has_times_;
    TextOut& out_;
};

/// By rank and thread.
std::vector<Place> places_of(TraceFile& file) {
    std::vector<Place> places;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        u32 thread = 0;
        for (const u32 location : mpi_locations(file, rank)) {
            places.push_back({rank, thread++, location});
        }
    }
    return places;
}

void write_lines(ExportedPart& part, const Place& place, const ReplayPatch* known,
                 CallLines& lines) {
    constexpr u64 kStep = 4096;
    MpiCallReader reader(part.file, place.location);
    if (known != nullptr) reader.infer(known);
    u64 calls = 0;
    for (MpiCall call; reader.next(call);) {
        lines.write(call);
        if (call.region != kNone) part.kept.add_calls(1);
        for (const Action& action : call.actions) part.kept.add(action.type);
        if (++calls % kStep == 0 && part.progress) part.progress(kStep);
    }
    if (part.progress) part.progress(calls % kStep);
    part.report.calls += calls;
}

}  // namespace

ExportReport write_jsonl(TraceFile& file, const std::string& output, const ExportOptions& options) {
    require_ranks(file, "a list of MPI calls");
    TextFile out(output, options.force);
    ExportTeam team(file, options);
    const TraceClocks clocks(file);
    const std::vector<ReplayPatch> inferred = infer_collectives(file, options.threads);
    const std::vector<Place> places = places_of(file);
    team.run(static_cast<u32>(places.size()), out, [&](ExportedPart& part, TextOut& text) {
        const Place& place = places[part.number];
        CallLines lines(part.file, clocks, place, text);
        write_lines(part, place, find_patch(inferred, place.location), lines);
    });
    out.commit();
    team.report().contain("lines", team.report().calls);
    // They are implied by the records that follow.
    team.kept().add_all({EventType::MpiCollectiveBegin, EventType::RmaCollectiveBegin});
    return team.finish(out.size());
}

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/formats/paraver_timeline.hpp"

#include "base/utf8.hpp"

#include <optional>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

using F = MpiFunction;

/// MPI functions as numbered by Extrae.
constexpr std::pair<MpiFunction, u32> kValues[] = {{F::Send, 1},
                                                   {F::Recv, 2},
                                                   {F::Isend, 3},
                                                   {F::Irecv, 4},
                                                   {F::Wait, 5},
                                                   {F::Waitall, 6},
                                                   {F::Bcast, 7},
                                                   {F::Barrier, 8},
                                                   {F::Reduce, 9},
                                                   {F::Allreduce, 10},
                                                   {F::Alltoall, 11},
                                                   {F::Alltoallv, 12},
                                                   {F::Gather, 13},
                                                   {F::Gatherv, 14},
                                                   {F::Scatter, 15},
                                                   {F::Scatterv, 16},
                                                   {F::Allgather, 17},
                                                   {F::Allgatherv, 18},
                                                   {F::Scan, 30},
                                                   {F::Init, 31},
                                                   {F::Finalize, 32},
                                                   {F::Sendrecv, 41},
                                                   {F::Waitany, 59},
                                                   {F::Waitsome, 60},
                                                   {F::Reduce_scatter, 80},
                                                   {F::Ireduce, 154},
                                                   {F::Iallreduce, 155},
                                                   {F::Ibarrier, 156},
                                                   {F::Ibcast, 157}};

/// First numbers of the other functions, and of MPI regions with unknown names.
constexpr u32 kFirstFunction = 1000;
constexpr u32 kFirstRegion = 2000;

constexpr std::pair<ParaverState, std::string_view> kStates[] = {
    {ParaverState::running, "Running"},
    {ParaverState::waiting_for_message, "Waiting a message"},
    {ParaverState::blocking_send, "Blocking Send"},
    {ParaverState::synchronisation, "Synchronization"},
    {ParaverState::other, "Others"},
    {ParaverState::wait, "Wait/WaitAll"},
    {ParaverState::collective, "Group Communication"},
    {ParaverState::immediate_send, "Immediate Send"},
    {ParaverState::immediate_receive, "Immediate Receive"}};

std::string_view type_title(u32 type) {
    switch (type) {
        case kParaverPointToPoint:
            return "MPI Point-to-point";
        case kParaverCollective:
            return "MPI Collective Comm";
        default:
            return "MPI Other";
    }
}

}  // namespace

ParaverState paraver_state(const MpiCall& call) {
    switch (call.family) {
        case CallFamily::send:
        case CallFamily::send_receive:
            return ParaverState::blocking_send;
        case CallFamily::receive:
        case CallFamily::matched_receive:
            return call.function == F::Imrecv ? ParaverState::immediate_receive
                                              : ParaverState::waiting_for_message;
        case CallFamily::post_send:
            return ParaverState::immediate_send;
        case CallFamily::post_receive:
            return ParaverState::immediate_receive;
        case CallFamily::completion:
            return ParaverState::wait;
        case CallFamily::collective:
        case CallFamily::neighbour:
            return call.function == F::Barrier ? ParaverState::synchronisation
                                               : ParaverState::collective;
        default:
            return ParaverState::other;
    }
}

u32 paraver_call_type(const MpiCall& call) {
    switch (call.family) {
        case CallFamily::send:
        case CallFamily::receive:
        case CallFamily::send_receive:
        case CallFamily::post_send:
        case CallFamily::post_receive:
        case CallFamily::persistent_init:
        case CallFamily::start:
        case CallFamily::completion:
        case CallFamily::cancel:
        case CallFamily::request_free:
        case CallFamily::probe:
        case CallFamily::matched_receive:
            return kParaverPointToPoint;
        case CallFamily::collective:
        case CallFamily::post_collective:
        case CallFamily::neighbour:
            return kParaverCollective;
        default:
            return kParaverOtherMpi;
    }
}

u32 ParaverNames::call_value(const MpiCall& call) {
    const auto* const known =
        std::ranges::find(kValues, call.function, &std::pair<MpiFunction, u32>::first);
    const bool has_region = call.function == F::other && call.region != kNone;
    const u32 value = known != std::end(kValues) ? known->second
                      : has_region               ? kFirstRegion + call.region
                                                 : kFirstFunction + static_cast<u32>(call.function);
    const auto [name, fresh] = calls_.try_emplace({paraver_call_type(call), value});
    if (fresh) {
        name->second = has_region ? printable(definitions_.region_name(call.region))
                                  : std::string(name_of(call.function));
    }
    return value;
}

u64 ParaverNames::region_value(u64 region) {
    regions_.insert(region);
    return region + 1;
}

void ParaverNames::write(TextOut& out) const {
    out << "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n"
           "LOOK_BACK           100\nSPEED               1\nFLAG_ICONS          ENABLED\n"
           "NUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n\nDEFAULT_SEMANTIC\n\n"
           "THREAD_FUNC          State As Is\n\n\nSTATES\n0    Idle\n";
    for (const auto& [state, name] : kStates) {
        out << static_cast<u32>(state) << (static_cast<u32>(state) < 10 ? "    " : "   ") << name
            << '\n';
    }
    u32 type = 0;
    for (const auto& [key, name] : calls_) {
        if (key.first != type) {
            type = key.first;
            out << "\n\nEVENT_TYPE\n9   " << type << "    " << type_title(type)
                << "\nVALUES\n0   Outside MPI\n";
        }
        out << key.second << "   " << name << '\n';
    }
    if (definitions_.world_size() != 0) write_operation_types(out);
    if (regions_.empty()) return;
    out << "\n\nEVENT_TYPE\n0    " << kParaverFunction << "    User function\nVALUES\n0   End\n";
    for (const u64 region : regions_) {
        out << region + 1 << "   " << printable(definitions_.region_name(region)) << '\n';
    }
}

void ParaverNames::write_operation_types(TextOut& out) {
    out << "\n\nEVENT_TYPE\n1    " << kParaverSent << "    Send Size in MPI Global OP\n1    "
        << kParaverReceived << "    Recv Size in MPI Global OP\n1    " << kParaverRoot
        << "    Root in MPI Global OP\n1    " << kParaverCommunicator
        << "    Communicator in MPI Global OP\n";
}

namespace {

auto message_key(const ParaverMessageEnd& end) {
    return std::tie(end.sender, end.receiver, end.comm, end.tag, end.number);
}

TextOut& operator<<(TextOut& out, const ParaverPlace& place) {
    return out << place.cpu << ":1:" << place.task << ':' << place.thread << ':';
}

}  // namespace

bool ParaverMessageEnd::operator<(const ParaverMessageEnd& other) const {
    return std::tuple_cat(message_key(*this), std::tie(receives)) <
           std::tuple_cat(message_key(other), std::tie(other.receives));
}

bool ParaverMessageEnd::is_other_end_of(const ParaverMessageEnd& other) const {
    return message_key(*this) == message_key(other) && receives != other.receives;
}

bool ParaverTimeline::Record::operator<(const Record& other) const {
    return std::tie(time, kind, location, number) <
           std::tie(other.time, other.kind, other.location, other.number);
}

void ParaverTimeline::add(Record record) {
    record.number = records_.count();
    records_.add(record);
}

void ParaverTimeline::state(u32 location, u64 begin, u64 end, ParaverState state) {
    if (end <= begin) return;
    end_ = std::max(end_, end);
    add({.time = begin,
         .kind = Kind::state,
         .location = location,
         .a = end,
         .b = static_cast<u64>(state)});
}

void ParaverTimeline::event(u32 location, u64 time, u32 type, u64 value, bool joins) {
    end_ = std::max(end_, time);
    add({.time = time,
         .kind = Kind::event,
         .location = location,
         .a = type,
         .b = value,
         .tag = joins ? 1U : 0U});
}

ParaverTimeline::Messages ParaverTimeline::join_messages() {
    Messages result;
    std::optional<ParaverMessageEnd> send;
    ends_.finish();
    ends_.for_each([&](const ParaverMessageEnd& end) {
        if (send && end.is_other_end_of(*send)) {
            ++result.whole;
            result.backwards += end.end < send->begin ? 1 : 0;
            end_ = std::max(end_, end.end);
            add({.time = send->begin,
                 .kind = Kind::message,
                 .location = send->location,
                 .a = end.begin,
                 .b = end.end,
                 .bytes = send->bytes,
                 .receiver = end.location,
                 .tag = end.tag});
            send.reset();
            return;
        }
        result.never_received += send ? 1 : 0;
        send.reset();
        if (end.receives == 0) {
            send = end;
        } else {
            ++result.never_sent;
        }
    });
    result.never_received += send ? 1 : 0;
    records_.finish();
    return result;
}

ParaverTimeline::Parts ParaverTimeline::parts(u32 threads, u64 records) const {
    std::vector<u64> times;
    for (u64 last = 0; const Record& cut : records_.cuts(records)) {
        if (cut.time != std::exchange(last, cut.time)) times.push_back(cut.time);
    }
    return records_.divide(
        times, [](const Record& record, u64 time) { return record.time < time; }, threads);
}

/// Joined events have the same time, and so are in the same part.
void ParaverTimeline::write(const Parts& parts, std::size_t part,
                            const std::vector<ParaverPlace>& places, TextOut& out) const {
    const char* line_end = "";
    records_.for_each(parts, part, [&](const Record& record) {
        const bool joins = record.kind == Kind::event && record.tag != 0;
        if (!joins) {
            out << line_end << static_cast<u32>(record.kind) << ':' << places[record.location]
                << record.time << ':';
        } else {
            out << ':';
        }
        line_end = "\n";
        if (record.kind == Kind::message) {
            out << record.time << ':' << places[record.receiver] << record.a << ':' << record.b
                << ':' << record.bytes << ':' << record.tag;
        } else {
            out << record.a << ':' << record.b;
        }
    });
    out << line_end;
}

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An OTF2 archive written through libotf2 in few words, with any ids, records and mistakes that a
// recorder may make.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <otf2/otf2.h>

namespace tracefold::testing {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using Text = std::string;
using Names = std::vector<Text>;
using Ids = std::vector<u64>;

constexpr u32 kNone = OTF2_UNDEFINED_UINT32;
constexpr OTF2_RegionRole kFunction = OTF2_REGION_ROLE_FUNCTION;

inline void ok(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS) throw std::runtime_error(OTF2_Error_GetDescription(code));
}

// ---- records by their names --------------------------------------------------------------------

using Event = std::function<void(OTF2_EvtWriter*, OTF2_AttributeList*, u64, const Ids&)>;
using Definition = std::function<void(OTF2_GlobalDefWriter*, const Ids&)>;

/// Calls `write` with `leading` and one value for each further parameter.
template <typename... Fields, typename Write, std::size_t... I, typename... Leading>
void call(Write write, const Ids& values, std::index_sequence<I...>, Leading... leading) {
    if (values.size() != sizeof...(Fields)) throw std::logic_error("a record of other fields");
    ok(write(leading..., static_cast<Fields>(values[I])...));
}
template <typename... Fields>
Event event(OTF2_ErrorCode (*write)(OTF2_EvtWriter*, OTF2_AttributeList*, u64, Fields...)) {
    return [write](OTF2_EvtWriter* writer, OTF2_AttributeList* list, u64 time, const Ids& values) {
        call<Fields...>(write, values, std::index_sequence_for<Fields...>(), writer, list, time);
    };
}
template <typename... Fields>
Definition definition(OTF2_ErrorCode (*write)(OTF2_GlobalDefWriter*, Fields...)) {
    return [write](OTF2_GlobalDefWriter* writer, const Ids& values) {
        call<Fields...>(write, values, std::index_sequence_for<Fields...>(), writer);
    };
}

inline const std::map<Text, Event>& events() {
    static const std::map<Text, Event> all{
#define EVENT(name) {#name, event(OTF2_EvtWriter_##name)}
        // clang-format off
        EVENT(MpiSend), EVENT(MpiRecv), EVENT(MpiIsend), EVENT(MpiIsendComplete),
        EVENT(MpiIrecvRequest), EVENT(MpiIrecv), EVENT(MpiCollectiveBegin), EVENT(MpiCollectiveEnd),
        EVENT(NonBlockingCollectiveRequest), EVENT(NonBlockingCollectiveComplete),
        EVENT(CommCreate), EVENT(CommDestroy), EVENT(RmaWinCreate), EVENT(RmaWinDestroy),
        EVENT(RmaPut), EVENT(RmaGet), EVENT(RmaAtomic), EVENT(RmaOpCompleteBlocking),
        EVENT(RmaCollectiveBegin), EVENT(RmaCollectiveEnd), EVENT(ThreadFork), EVENT(ThreadJoin),
        EVENT(ThreadTeamBegin), EVENT(ThreadTeamEnd), EVENT(ThreadCreate), EVENT(ThreadBegin),
        EVENT(ThreadWait), EVENT(ThreadEnd), EVENT(ThreadTaskCreate), EVENT(ThreadTaskSwitch),
        EVENT(ThreadTaskComplete), EVENT(CallingContextSample), EVENT(IoCreateHandle), EVENT(IoDestroyHandle),
        EVENT(IoOperationBegin), EVENT(IoOperationIssued), EVENT(IoOperationComplete),
        EVENT(IoOperationCancelled), EVENT(ParameterInt), EVENT(ProgramEnd), EVENT(Enter),
        EVENT(Leave), EVENT(BufferFlush), EVENT(MeasurementOnOff)
    // clang-format on
#undef EVENT
    };
    return all;
}
inline const std::map<Text, Definition>& definitions() {
    static const std::map<Text, Definition> all{
#define DEFINITION(name) {#name, definition(OTF2_GlobalDefWriter_Write##name)}
        // clang-format off
        DEFINITION(SystemTreeNode), DEFINITION(LocationGroup), DEFINITION(Location),
        DEFINITION(Region), DEFINITION(Comm), DEFINITION(InterComm), DEFINITION(RmaWin),
        DEFINITION(Attribute), DEFINITION(MetricMember), DEFINITION(Parameter),
        DEFINITION(InterruptGenerator), DEFINITION(CallingContext), DEFINITION(IoRegularFile),
        DEFINITION(IoHandle), DEFINITION(IoPreCreatedHandleState), DEFINITION(ClockProperties)
    // clang-format on
#undef DEFINITION
    };
    return all;
}
inline const std::map<Text, u64> kConstants{{"none", kNone},
                                            {"undefined", OTF2_UNDEFINED_UINT64},
                                            {"barrier", OTF2_COLLECTIVE_OP_BARRIER},
                                            {"allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE},
                                            {"openmp", OTF2_PARADIGM_OPENMP},
                                            {"increment", OTF2_RMA_ATOMIC_TYPE_FETCH_AND_INCREMENT},
                                            {"all", OTF2_RMA_SYNC_LEVEL_PROCESS},
                                            {"read", OTF2_IO_OPERATION_MODE_READ},
                                            {"write", OTF2_IO_OPERATION_MODE_WRITE},
                                            {"readonly", OTF2_IO_ACCESS_MODE_READ_ONLY},
                                            {"nonblocking", OTF2_IO_OPERATION_FLAG_NON_BLOCKING},
                                            {"precreated", OTF2_IO_HANDLE_FLAG_PRE_CREATED},
                                            {"events", OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS},
                                            {"on", OTF2_MEASUREMENT_ON},
                                            {"off", OTF2_MEASUREMENT_OFF}};

// ---- archives ----------------------------------------------------------------------------------

struct World;

/// A location, whose events are written in order; `t` is the time of the next one. A script has
/// statements between bars:
///   +NAME        Enter           -TICKS [NAME]  Leave after so many ticks, of the innermost region
///   *TICKS NAME  both            ~TICKS, @TIME  time passes, or is set
///   EVENT FIELDS an event of OTF2: numbers, constants as above, # for the next argument
/// "3x ..." repeats the whole script.
struct Place {
    World& world;
    OTF2_EvtWriter* writer;
    u64 id;
    u32 name, group;
    bool stream;
    u64 t = 0;
    std::vector<u32> open{};
    OTF2_AttributeList* attributes = OTF2_AttributeList_New();

    template <typename... Arguments>
    Place& operator()(const Text& script, Arguments... arguments) {
        return run(script, {static_cast<u64>(arguments)...});
    }
    Place& run(const Text& script, const Ids& arguments);
    void step(const Text& statement, Ids::const_iterator& argument);
    void enter(u32 region) {
        open.push_back(region);
        ok(OTF2_EvtWriter_Enter(writer, attributes, t, region));
    }
    void leave(u64 ticks, u32 region) {
        t += ticks;
        if (!open.empty()) open.pop_back();
        ok(OTF2_EvtWriter_Leave(writer, attributes, t, region));
    }
    Place& metric(u32 metric, OTF2_Type type, OTF2_MetricValue value) {
        return ok(OTF2_EvtWriter_Metric(writer, nullptr, t, metric, 1, &type, &value)), *this;
    }
    Place& attribute(u32 attribute, u64 value) {
        return ok(OTF2_AttributeList_AddUint64(attributes, attribute, value)), *this;
    }
};

struct World {
    explicit World(const Text& folder, Text pattern) : spelling(std::move(pattern)) {
        archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, 1U << 20,
                                    1U << 22, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
        if (archive == nullptr) throw std::runtime_error("no archive in " + folder);
        static OTF2_FlushCallbacks flush{[](void*, OTF2_FileType, OTF2_LocationRef, void*,
                                            bool) -> OTF2_FlushType { return OTF2_FLUSH; },
                                         nullptr};
        ok(OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr));
        ok(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
        ok(OTF2_Archive_SetCreator(archive, "make_world"));
        ok(OTF2_Archive_OpenEvtFiles(archive));
        ok(OTF2_Archive_OpenDefFiles(archive));
        defs = OTF2_Archive_GetGlobalDefWriter(archive);
        text("");
        define("SystemTreeNode", {0, text("machine"), text("machine"), kNone});
    }
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    void define(const Text& record, const Ids& values) { definitions().at(record)(defs, values); }
    u32 text(const Text& content) {
        const auto [found, is_new] = texts.try_emplace(content, number(content, texts.size()));
        if (is_new) ok(OTF2_GlobalDefWriter_WriteString(defs, found->second, content.c_str()));
        return found->second;
    }
    u32 region(const Text& name) {
        const Text shown = name.starts_with("MPI_") ? spelled(name) : name;
        const auto [found, is_new] = regions.try_emplace(shown, number(shown, regions.size()));
        if (is_new) define_region(found->second, shown, kind_of(name));
        return found->second;
    }
    void define_region(u32 id, const Text& name, std::pair<OTF2_Paradigm, OTF2_RegionRole> kind) {
        const u32 ref = text(name);
        define("Region", {id, ref, ref, 0, kind.second, kind.first, 0, 0, 0, 0});
    }
    u32 process(const Text& name, u32 node = 0, u32 host = kNone) {
        const u64 type = host == kNone && !name.starts_with("gfx")
                             ? OTF2_LOCATION_GROUP_TYPE_PROCESS
                             : OTF2_LOCATION_GROUP_TYPE_ACCELERATOR;
        define("LocationGroup", {processes, text(name), type, node, host});
        return processes++;
    }
    Place& place(u64 id, const Text& name, u32 process, bool stream = false) {
        return places.emplace_back(
            Place{*this, OTF2_Archive_GetEvtWriter(archive, id), id, text(name), process, stream});
    }
    u32 group(OTF2_GroupType type, OTF2_Paradigm paradigm, const Ids& members) {
        ok(OTF2_GlobalDefWriter_WriteGroup(defs, groups, text(""), type, paradigm, 0,
                                           static_cast<u32>(members.size()), members.data()));
        return groups++;
    }
    u32 comm_of(OTF2_Paradigm paradigm, const Ids& members, const Text& name = "", u64 flags = 0) {
        const u32 ranks = group(OTF2_GROUP_TYPE_COMM_GROUP, paradigm, members);
        define("Comm", {comms, text(name), ranks, kNone, flags});
        return comms++;
    }
    u32 comm_of_locations(OTF2_Paradigm paradigm, const Ids& all, const Text& name) {
        group(OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm, all);
        Ids members;
        for (u64 i = 0; i < all.size(); ++i) members.push_back(i);
        return comm_of(paradigm, members, name);
    }
    u32 metric(const Text& name, OTF2_MetricMode mode, OTF2_Type type, u64 exponent = 0) {
        define("MetricMember", {metrics, text(name), 0, OTF2_METRIC_TYPE_OTHER, mode, type,
                                OTF2_BASE_DECIMAL, exponent, text("count")});
        ok(OTF2_GlobalDefWriter_WriteMetricClass(defs, metrics, 1, &metrics,
                                                 OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
        return metrics++;
    }
    OTF2_DefWriter* local(u64 place) { return OTF2_Archive_GetDefWriter(archive, place); }
    void offset(u64 place, u64 time, u64 ticks) {
        ok(OTF2_DefWriter_WriteClockOffset(local(place), time, static_cast<i64>(ticks), 0));
    }
    /// Ranks with one location each; communicator 0 is MPI_COMM_WORLD.
    void mpi(u64 count, u64 stride = 1, const Names& nodes = {}) {
        Ids ids;
        for (u64 r = 0; r < count; ++r) {
            const u64 node = nodes.empty() ? 0 : r + 1;
            if (node > 0) define("SystemTreeNode", {node, text(nodes[r]), text("node"), 0});
            ids.push_back(r * stride);
            const u32 rank = process("MPI Rank " + std::to_string(r), static_cast<u32>(node));
            place(ids.back(), "Master thread", rank);
        }
        comm_of_locations(OTF2_PARADIGM_MPI, ids, "MPI_COMM_WORLD");
    }
    /// A location by the order in which they were made.
    Place& operator[](std::size_t i) { return places.at(i); }
    template <typename... Arguments>
    void all(const Text& script, Arguments... arguments) {
        for (Place& one : places) one(script, arguments...);
    }
    void close() {
        define("ClockProperties", {ticks_per_second, begin, length, OTF2_UNDEFINED_TIMESTAMP});
        for (Place& one : places) {
            u64 count = 0;
            ok(OTF2_EvtWriter_GetNumberOfEvents(one.writer, &count));
            define("Location", {one.id, one.name,
                                one.stream ? u64{OTF2_LOCATION_TYPE_ACCELERATOR_STREAM}
                                           : u64{OTF2_LOCATION_TYPE_CPU_THREAD},
                                told_events > 0 ? told_events : count, one.group});
            OTF2_AttributeList_Delete(one.attributes);
            ok(OTF2_Archive_CloseDefWriter(archive, local(one.id)));
            ok(OTF2_Archive_CloseEvtWriter(archive, one.writer));
        }
        ok(OTF2_Archive_CloseDefFiles(archive));
        ok(OTF2_Archive_CloseEvtFiles(archive));
        ok(OTF2_Archive_CloseGlobalDefWriter(archive, defs));
        ok(OTF2_Archive_Close(archive));
    }
    [[nodiscard]] u32 number(const Text& content, std::size_t next) const {
        if (!hashed || content.empty()) return static_cast<u32>(next);
        return static_cast<u32>(std::hash<Text>{}(content));
    }
    [[nodiscard]] std::pair<OTF2_Paradigm, OTF2_RegionRole> kind_of(const Text& name) const {
        if (const auto told = kinds.find(name); told != kinds.end()) return told->second;
        const std::pair<const char*, OTF2_Paradigm> prefixes[] = {
            {"MPI_", OTF2_PARADIGM_MPI},         {"shmem_", OTF2_PARADIGM_SHMEM},
            {"pthread_", OTF2_PARADIGM_PTHREAD}, {"hip", OTF2_PARADIGM_HIP},
            {"cuda", OTF2_PARADIGM_CUDA},        {"cl", OTF2_PARADIGM_OPENCL}};
        for (const auto& [prefix, paradigm] : prefixes) {
            if (name.starts_with(prefix)) return {paradigm, kFunction};
        }
        if (name.starts_with("!$omp task")) return {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK};
        if (name.starts_with("!$omp")) return {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_PARALLEL};
        return {OTF2_PARADIGM_USER, kFunction};
    }
    /// % stands for MPI_Send, %l for mpi_send, %u for MPI_SEND, and %x for MPI::Comm::Send.
    /// Functions without counts have no large ones.
    [[nodiscard]] Text spelled(const Text& name) const {
        const bool plain = name == "MPI_Init" || name == "MPI_Finalize";
        Text pattern = spelling;
        for (const Text large : {"_large", "_c"}) {
            const std::size_t found = pattern.find(large);
            if (found == Text::npos || !(plain || name == "MPI_Waitall")) continue;
            pattern.erase(found, large.size());
        }
        const std::size_t at = pattern.find('%');
        const char form = at + 1 < pattern.size() ? pattern[at + 1] : ' ';
        const bool has_form = form == 'l' || form == 'u' || form == 'x';
        Text result = name;
        for (char& c : result) {
            if (form == 'l' && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
            if (form == 'u' && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        }
        if (form == 'x') {
            const Text owner = name == "MPI_Waitall" ? "Request::" : "Comm::";
            result = "MPI::" + (plain ? "" : owner) + name.substr(4);
        }
        return pattern.substr(0, at) + result + pattern.substr(at + (has_form ? 2 : 1));
    }

    OTF2_Archive* archive;
    OTF2_GlobalDefWriter* defs = nullptr;
    Text spelling;
    u64 ticks_per_second = 1'000'000'000, begin = 0, length = 1'000'000;
    bool hashed = false;  // strings and regions are numbered by hashes
    u64 told_events = 0;  // number of events that all locations promise, where it is wrong
    std::map<Text, std::pair<OTF2_Paradigm, OTF2_RegionRole>> kinds{};
    std::map<Text, u32> texts{}, regions{};
    std::deque<Place> places{};
    u32 processes = 0, groups = 0, comms = 0, metrics = 0;
};

inline void Place::step(const Text& statement, Ids::const_iterator& argument) {
    const auto number = [&](const Text& word) -> u64 {
        if (word == "#") return *argument++;
        const auto constant = kConstants.find(word);
        return constant != kConstants.end() ? constant->second : std::stoull(word);
    };
    std::istringstream words(statement.substr(1));
    Text first, rest;
    words >> first;
    std::getline(words >> std::ws, rest);
    switch (statement[0]) {
        case '+':
            return enter(world.region(statement.substr(1)));
        case '-':
            return leave(number(first), rest.empty() ? open.back() : world.region(rest));
        case '*':
            return enter(world.region(rest)), leave(number(first), open.back());
        case '~':
            t += number(first);
            return;
        case '@':
            t = number(first);
            return;
        default:
            break;
    }
    std::istringstream fields(statement);
    fields >> first;
    Ids values;
    for (Text word; fields >> word;) values.push_back(number(word));
    events().at(first)(writer, attributes, t, values);
}
inline Place& Place::run(const Text& script, const Ids& arguments) {
    const std::size_t times =
        script.find("x ") == 1 ? static_cast<std::size_t>(script[0] - '0') : 1;
    for (std::size_t i = 0; i < times; ++i) {
        auto argument = arguments.begin();
        std::istringstream statements(times > 1 ? script.substr(3) : script);
        for (Text one; std::getline(statements, one, '|');) {
            one.erase(0, one.find_first_not_of(' '));
            one.erase(one.find_last_not_of(' ') + 1);
            step(one, argument);
        }
    }
    return *this;
}

}  // namespace tracefold::testing

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/event_table.hpp"
#include "otf2/archive_writer.hpp"
#include "support/definition_writer.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace tracefold::testing {

/// An archive of two MPI ranks, each on a node of its own with a clock of its own and one stream of
/// an accelerator. The events are the test's. Windows 0 and 1 are those in which a rank and its
/// stream copy, as Score-P's CUDA recorder defines them.
class StreamTrace {
  public:
    static constexpr u64 kHost = 0;  ///< locations of rank r: kHost + r and kStream + r
    static constexpr u64 kStream = 10;
    enum Region : u64 { init, barrier, finalize, copy_call, kernel_a, kernel_b, kernel_z };

    u64 ticks_per_second = 1'000'000'000;
    /// Times and offsets, by location.
    std::map<u64, std::vector<std::pair<u64, i64>>> offsets;

    void event(u64 location, u64 time, EventType type, const std::vector<u64>& fields = {}) {
        RecordBatch& batch = events_[location];
        std::ranges::copy(fields,
                          batch.add(static_cast<u8>(type), time, static_cast<u32>(fields.size())));
    }
    void enter(u64 location, u64 time, Region region) {
        event(location, time, EventType::Enter, {region});
    }
    void leave(u64 location, u64 time, Region region) {
        event(location, time, EventType::Leave, {region});
    }
    void call(u64 location, u64 begin, u64 end, Region region) {
        enter(location, begin, region);
        leave(location, end, region);
    }

    void write(const std::string& directory) {
        ArchiveInfo info;
        info.name = "traces";
        info.event_chunk_size = u64{1} << 20U;
        info.definition_chunk_size = u64{1} << 22U;
        for (const u64 location : kLocations) events_.try_emplace(location);
        info.location_count = events_.size();
        info.creator = "tracefold test";
        info.machine_name = "Linux";
        ArchiveWriter writer(directory, info, {.restore_anchor = false});
        for (const auto& [location, events] : events_) {
            DefinitionWriter local;
            for (const auto& [time, offset] : offsets[location]) {
                local.add(DefinitionType::ClockOffset, {time, static_cast<u64>(offset), 0});
            }
            writer.write_local_definitions(location, local.batch());
            writer.write_events(location, events);
            writer.close_location(location);
        }
        define();
        writer.write_global_definitions(out_.batch());
        writer.finish();
    }

  private:
    static constexpr u64 kLocations[] = {kHost, kHost + 1, kStream, kStream + 1};
    // Enumerators of OTF2.
    static constexpr u64 kMpi = 4;
    static constexpr u64 kCuda = 5;
    static constexpr u64 kCommLocations = 4;
    static constexpr u64 kCommGroup = 5;

    void define() {
        out_.string("");
        out_.add(DefinitionType::ClockProperties, {ticks_per_second, 0, 1, ~u64{0}});
        for (const u64 rank : {0, 1}) {
            const u64 name = out_.string("node" + std::to_string(rank));
            out_.add(DefinitionType::SystemTreeNode, {rank, out_.string("node"), name, kNone});
            const u64 process = out_.string("MPI Rank " + std::to_string(rank));
            out_.add(DefinitionType::LocationGroup, {rank, process, 1, rank, kNone});
        }
        for (const u64 location : kLocations) {
            const u64 type = location < kStream ? 1 : 2;
            out_.add(DefinitionType::Location,
                     {location, out_.string(type == 1 ? "host" : "stream"), type,
                      events_[location].size(), location % 2});
        }
        u64 id = 0;
        for (const char* name : {"MPI_Init", "MPI_Barrier", "MPI_Finalize", "cuMemcpyHtoD_v2",
                                 "kernelA", "kernelB", "kernelZ"}) {
            const u64 text = out_.string(name);
            const u64 paradigm = id <= finalize ? kMpi : kCuda;
            out_.add(DefinitionType::Region, {id++, text, text, 0, 1, paradigm, 0, 0, 0, 0});
        }
        group(0, kCommLocations, kMpi, {kHost, kHost + 1});
        group(1, kCommGroup, kMpi, {0, 1});
        out_.add(DefinitionType::Comm, {0, out_.string("MPI_COMM_WORLD"), 1, kNone, 0});
        group(2, kCommLocations, kCuda, {kHost, kStream, kHost + 1, kStream + 1});
        for (const u64 rank : {0, 1}) {
            group(3 + rank, kCommGroup, kCuda, {2 * rank, 2 * rank + 1});
            out_.add(DefinitionType::Comm, {1 + rank, 0, 3 + rank, kNone, 0});
            out_.add(DefinitionType::RmaWin, {rank, out_.string("CUDA_WINDOW"), 1 + rank, 0});
        }
    }

    void group(u64 id, u64 type, u64 paradigm, const std::vector<u64>& members) {
        out_.add(DefinitionType::Group, {id, 0, type, paradigm, 0, members.size()});
        for (const u64 member : members) out_.batch().push(member);
    }

    std::map<u64, RecordBatch> events_;  ///< by location
    DefinitionWriter out_;
};

}  // namespace tracefold::testing

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/accelerator_trace.hpp"

#include "model/event_table.hpp"
#include "otf2/archive_writer.hpp"
#include "support/definition_writer.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <iterator>
#include <map>
#include <vector>

namespace tracefold::testing {

namespace accelerator_trace {

using Step = AcceleratorStep;

constexpr u64 kEmpty = 0;
constexpr u64 kEnd = Step::kFirst + Step::kSteps * Step::kLength + 1'000;

// Enumerators of OTF2.
constexpr u64 kProcess = 1;
constexpr u64 kAccelerator = 2;
constexpr u64 kCpuThread = 1;
constexpr u64 kStream = 2;
constexpr u64 kMetricLocation = 3;
constexpr u64 kUser = 1;
constexpr u64 kMpi = 4;
constexpr u64 kCuda = 5;
constexpr u64 kHip = 23;
constexpr u64 kFunction = 1;
constexpr u64 kBarrier = 15;
constexpr u64 kReduceRole = 25;
constexpr u64 kDataTransfer = 30;
constexpr u64 kUint64 = 4;
constexpr u64 kDouble = 10;
constexpr u64 kPapi = 1;
constexpr u64 kOther = 0;
constexpr u64 kAccumulatedStart = 0;
constexpr u64 kAbsolutePoint = 1 | 1U << 4U;
constexpr u64 kAbsoluteNext = 1 | 3U << 4U;
constexpr u64 kSynchronousStrict = 0;
constexpr u64 kSynchronous = 1;
constexpr u64 kAsynchronous = 2;
constexpr u64 kAllreduce = 11;
constexpr u64 kCommLocations = 4;
constexpr u64 kCommGroup = 5;

// Metrics.
constexpr u64 kCounters = 0;
constexpr u64 kPower = 1;
constexpr u64 kMemory = 2;

struct RegionKind {
    const char* cuda;
    const char* hip;
    u64 role;
    bool of_accelerator;
};

enum Region : u64 {
    main_region,
    init,
    allreduce,
    finalize,
    copy_call,
    launch,
    synchronise,
    stencil,
    reduce,
    copy_to,
    copy_from,
};

constexpr RegionKind kRegions[] = {
    {"main", "main", kFunction, false},
    {"MPI_Init", "MPI_Init", kFunction, false},
    {"MPI_Allreduce", "MPI_Allreduce", kReduceRole, false},
    {"MPI_Finalize", "MPI_Finalize", kFunction, false},
    {"cudaMemcpyAsync", "hipMemcpyAsync", kFunction, true},
    {"cudaLaunchKernel", "hipLaunchKernel", kFunction, true},
    {"cudaStreamSynchronize", "hipStreamSynchronize", kBarrier, true},
    {"stencil<double>(double const*, double*, int)", "stencil(double const*, double*, int)",
     kFunction, true},
    {"reduce<256>(double const*, double*)", "reduce(double const*, double*)", kFunction, true},
    {"", "MEMORY_COPY_HOST_TO_DEVICE", kDataTransfer, true},
    {"", "MEMORY_COPY_DEVICE_TO_HOST", kDataTransfer, true},
};

constexpr u64 host_of(u32 rank) { return u64{rank} << 8U; }
constexpr u64 stream_of(u32 rank, u32 stream) { return host_of(rank) + 1 + stream; }
constexpr u64 kPowerLocation = 99;

class AcceleratorProgram {
  public:
    AcceleratorProgram(AcceleratorRecorder recorder, AcceleratorHost host)
        : is_cuda_(recorder == AcceleratorRecorder::cuda),
          has_mpi_(host == AcceleratorHost::mpi),
          processes_(has_mpi_ ? Step::kRanks : 1) {
        for (u32 rank = 0; rank < processes_; ++rank) run(rank);
        for (u64 sample = 0; sample * Step::kPowerPeriod < kEnd; ++sample) {
            event(kPowerLocation, 500 + sample * Step::kPowerPeriod, EventType::Metric,
                  {kPower, 1, kDouble, std::bit_cast<u64>(accelerator_power(sample))});
        }
    }

    void write(const std::string& directory) {
        ArchiveInfo info;
        info.name = "traces";
        info.version = {3, 0, 0};
        info.event_chunk_size = u64{1} << 20U;
        info.definition_chunk_size = u64{1} << 22U;
        info.location_count = events_.size();
        info.creator = "tracefold test";
        info.machine_name = "Linux";
        ArchiveWriter writer(directory, info, {.restore_anchor = false});
        for (const auto& [location, events] : events_) {
            writer.write_local_definitions(location, {});
            writer.write_events(location, events);
            writer.close_location(location);
        }
        add_definitions();
        writer.write_global_definitions(out_.batch());
        writer.finish();
    }

  private:
    void run(u32 rank) {
        enter(rank, 100, main_region);
        if (has_mpi_) call(rank, init, 200, 900);
        for (u32 step = 0; step < Step::kSteps; ++step) {
            const u64 begin = Step::kFirst + step * Step::kLength;
            work_on_device(rank, begin);
            work_on_host(rank, begin);
        }
        if (has_mpi_) call(rank, finalize, kEnd - 500, kEnd - 100);
        leave(rank, kEnd, main_region);
    }

    void work_on_host(u32 rank, u64 begin) {
        call(rank, copy_call, begin, begin + Step::kCallLength);
        call(rank, launch, begin + 100, begin + 100 + Step::kCallLength);
        call(rank, launch, begin + 200, begin + 200 + Step::kCallLength);
        call(rank, copy_call, begin + 300, begin + 300 + Step::kCallLength);
        call(rank, synchronise, begin + 400, begin + 400 + Step::kHostWait + rank * Step::kLateBy);
        if (has_mpi_) reduce_all(rank, begin + 7'000);
    }

    void reduce_all(u32 rank, u64 begin) {
        enter(rank, begin, allreduce);
        event(host_of(rank), begin, EventType::MpiCollectiveBegin, {});
        event(host_of(rank), begin + 300, EventType::MpiCollectiveEnd,
              {kAllreduce, 0, 0xFFFFFFFF, 8, 8});
        leave(rank, begin + 300, allreduce);
    }

    void work_on_device(u32 rank, u64 begin) {
        u64 time = begin + 100;
        const u64 first = stream_of(rank, 0);
        event(first, time, EventType::Metric, {kMemory, 1, kUint64, Step::kBytesTo});
        time = copy(rank, time, true);
        time = kernel(first, stencil, time, Step::kStencil);
        kernel(stream_of(rank, 1), reduce, begin + 1'500, Step::kReduce);
        copy(rank, time + 100, false);
    }

    u64 kernel(u64 stream, Region region, u64 begin, u64 length) {
        event(stream, begin, EventType::Enter, {region});
        event(stream, begin + length, EventType::Leave, {region});
        return begin + length;
    }

    /// On the first stream.
    u64 copy(u32 rank, u64 begin, bool to_device) {
        const u64 stream = stream_of(rank, 0);
        const u64 length = to_device ? Step::kToDevice : Step::kFromDevice;
        if (!is_cuda_) return kernel(stream, to_device ? copy_to : copy_from, begin, length);
        constexpr u64 kHostInWindow = 0;
        event(stream, begin, to_device ? EventType::RmaGet : EventType::RmaPut,
              {rank, kHostInWindow, to_device ? Step::kBytesTo : Step::kBytesFrom, 42});
        event(stream, begin + length, EventType::RmaOpCompleteBlocking, {rank, 42});
        return begin + length;
    }

    void call(u32 rank, Region region, u64 begin, u64 end) {
        enter(rank, begin, region);
        leave(rank, end, region);
    }
    void enter(u32 rank, u64 time, Region region) {
        count(rank, time);
        event(host_of(rank), time, EventType::Enter, {region});
    }
    void leave(u32 rank, u64 time, Region region) {
        count(rank, time);
        event(host_of(rank), time, EventType::Leave, {region});
    }
    void count(u32 rank, u64 time) {
        event(host_of(rank), time, EventType::Metric,
              {kCounters, 2, kUint64, kUint64, Step::kCycles * time, time / 10});
    }

    void event(u64 location, u64 time, EventType type, std::initializer_list<u64> fields) {
        RecordBatch& batch = events_[location];
        std::ranges::copy(fields,
                          batch.add(static_cast<u8>(type), time, static_cast<u32>(fields.size())));
    }

    void add_definitions() {
        out_.string("");
        out_.add(DefinitionType::ClockProperties, {1'000'000'000, 0, kEnd + 1, ~u64{0}});
        add_paradigms();
        add_locations();
        add_regions();
        add_communicators();
        add_metrics();
    }

    void add_paradigms() {
        if (has_mpi_) out_.add(DefinitionType::Paradigm, {kMpi, out_.string("MPI"), 0});
        const u64 name = out_.string(is_cuda_ ? "CUDA" : "HIP");
        out_.add(DefinitionType::Paradigm, {is_cuda_ ? kCuda : kHip, name, 3});
    }

    void add_locations() {
        const u64 machine = out_.string("machine");
        out_.add(DefinitionType::SystemTreeNode, {0, out_.string("Linux"), machine, kNone});
        const u64 node = out_.string("node");
        out_.add(DefinitionType::SystemTreeNode, {1, out_.string("gpu01"), node, 0});
        for (u32 rank = 0; rank < processes_; ++rank) {
            const u64 name = out_.string(has_mpi_ ? "MPI Rank " + std::to_string(rank) : "Process");
            out_.add(DefinitionType::LocationGroup, {rank, name, kProcess, 1, kNone});
        }
        for (u32 rank = 0; is_cuda_ && rank < processes_; ++rank) {
            out_.add(DefinitionType::LocationGroup,
                     {processes_ + rank, out_.string("CUDA Context 1"), kAccelerator, 1, rank});
        }
        const u64 master = out_.string("Master thread");
        for (u32 rank = 0; rank < processes_; ++rank) {
            add_location(host_of(rank), master, kCpuThread, rank);
            for (const u32 stream : {0U, 1U}) add_stream(rank, stream);
        }
        add_location(kPowerLocation, out_.string("power of gpu01"), kMetricLocation, 0);
    }

    void add_stream(u32 rank, u32 stream) {
        const std::string number = stream == 0 ? "0:7" : "0:13";
        const u64 name = out_.string((is_cuda_ ? "CUDA[" : "HIP[") + number + "]");
        add_location(stream_of(rank, stream), name, kStream, is_cuda_ ? processes_ + rank : rank);
    }

    void add_location(u64 id, u64 name, u64 type, u64 group) {
        out_.add(DefinitionType::Location, {id, name, type, events_.at(id).size(), group});
    }

    void add_regions() {
        const u64 device = is_cuda_ ? kCuda : kHip;
        for (u64 id = 0; id < std::size(kRegions); ++id) {
            const RegionKind& kind = kRegions[id];
            const std::string name = is_cuda_ ? kind.cuda : kind.hip;
            if (name.empty()) continue;
            const u64 text = out_.string(name);
            const bool is_mpi = name.starts_with("MPI_");
            if (is_mpi && !has_mpi_) continue;
            const u64 paradigm = kind.of_accelerator ? device : is_mpi ? kMpi : kUser;
            out_.add(DefinitionType::Region,
                     {id, text, text, kEmpty, kind.role, paradigm, 0, kEmpty, 0, 0});
        }
    }

    void add_group(u64 id, u64 type, u64 paradigm, const std::vector<u64>& members) {
        out_.add(DefinitionType::Group, {id, kEmpty, type, paradigm, 0, members.size()});
        for (const u64 member : members) out_.batch().push(member);
    }

    void add_communicators() {
        if (has_mpi_) {
            add_group(0, kCommLocations, kMpi, {host_of(0), host_of(1)});
            add_group(1, kCommGroup, kMpi, {0, 1});
            out_.add(DefinitionType::Comm, {0, out_.string("MPI_COMM_WORLD"), 1, kNone, 0});
        }
        if (is_cuda_) add_windows();
    }

    void add_windows() {
        std::vector<u64> all;
        for (u32 rank = 0; rank < processes_; ++rank) {
            for (const u64 part : {0, 1, 2}) all.push_back(host_of(rank) + part);
        }
        add_group(2, kCommLocations, kCuda, all);
        const u64 name = out_.string("CUDA_WINDOW");
        for (u32 rank = 0; rank < processes_; ++rank) {
            const u64 first = 3 * u64{rank};
            add_group(3 + rank, kCommGroup, kCuda, {first, first + 1, first + 2});
            out_.add(DefinitionType::Comm, {1 + rank, kEmpty, u64{3} + rank, kNone, 0});
            out_.add(DefinitionType::RmaWin, {rank, name, u64{1} + rank, 0});
        }
    }

    void add_member(u64 id, const char* name, u64 type, u64 mode, u64 value_type,
                    const char* unit) {
        const u64 text = out_.string(name);
        const u64 unit_text = out_.string(unit);
        out_.add(DefinitionType::MetricMember,
                 {id, text, kEmpty, type, mode, value_type, 1, 0, unit_text});
    }

    void add_class(u64 id, const std::vector<u64>& members, u64 occurrence, u64 recorder) {
        out_.add(DefinitionType::MetricClass, {id, members.size()});
        for (const u64 member : members) out_.batch().push(member);
        out_.batch().push(occurrence);
        out_.batch().push(recorder);
    }

    void add_metrics() {
        add_member(0, "PAPI_TOT_CYC", kPapi, kAccumulatedStart, kUint64, "#");
        add_member(1, "PAPI_FP_OPS", kPapi, kAccumulatedStart, kUint64, "#");
        add_member(2, "power", kOther, kAbsolutePoint, kDouble, "W");
        add_member(3, "gpu_mem_usage", kOther, kAbsoluteNext, kUint64, "bytes");
        add_class(kCounters, {0, 1}, kSynchronousStrict, 2);
        add_class(kPower, {2}, kAsynchronous, 1);
        add_class(kMemory, {3}, kSynchronous, 3);
    }

    bool is_cuda_;
    bool has_mpi_;
    u32 processes_;
    std::map<u64, RecordBatch> events_;  ///< by location
    DefinitionWriter out_;
};

}  // namespace accelerator_trace

void write_accelerator_archive(AcceleratorRecorder recorder, const std::string& directory,
                               AcceleratorHost host) {
    accelerator_trace::AcceleratorProgram(recorder, host).write(directory);
}

}  // namespace tracefold::testing

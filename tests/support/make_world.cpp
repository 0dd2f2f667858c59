// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// make_world KIND DIR [SPELLING]: an archive as another recorder, or another kind of program,
// writes it, through libotf2. Without arguments: the names of all kinds. They follow the public
// sources of rocprofv3, APEX, TAU, Otter, lo2s, EZTrace and Score-P. tests/world/world_test.py has
// the numbers that the tools must give, worked out by hand.
#include "support/world_archive.hpp"

#include <array>
#include <iostream>
#include <tuple>

namespace tracefold::testing {
namespace {

// ---- MPI ---------------------------------------------------------------------------------------

/// 18 calls, 4 messages with 364 bytes, 2 collective operations.
void spell(World& w) {
    w.mpi(2);
    w.all("*100 MPI_Init");
    w[0]("3x ~20 | +MPI_Send | MpiSend 1 0 7 100 | -50");
    w[1]("3x ~20 | +MPI_Recv | MpiRecv 0 0 7 100 | -60");
    w.all("2x +MPI_Allreduce|MpiCollectiveBegin|MpiCollectiveEnd allreduce 0 none 16 16|-30");
    w[0]("+MPI_Isend | MpiIsend 1 0 7 64 5 | -10 | +MPI_Waitall | MpiIsendComplete 5 | -10");
    w[1]("+MPI_Irecv | MpiIrecvRequest 9 | -10 | +MPI_Waitall | MpiIrecv 0 0 7 64 9 | -10");
    w.all("*100 MPI_Finalize");
}
void partitioned(World& w) {
    w.mpi(2);
    w.all("*100 MPI_Init");
    w[0]("*10 MPI_Psend_init")(
        "2x *10 MPI_Start | *10 MPI_Pready | *10 MPI_Pready |"
        "*10 MPI_Pready | *10 MPI_Pready | *10 MPI_Wait");
    w[1]("*10 MPI_Precv_init")("2x *10 MPI_Start | *10 MPI_Parrived | *10 MPI_Wait");
    w.all("*10 MPI_Request_free | *100 MPI_Finalize");
}
void isendrecv(World& w) {
    w.mpi(2);
    w.all("*100 MPI_Init");
    for (u64 k = 0; k < 2; ++k) {
        w[k](
            "3x +MPI_Isendrecv | MpiIsend # 0 7 # 4 | MpiIrecvRequest 5 | -20 |"
            "+MPI_Waitall | MpiIsendComplete 4 | MpiIrecv # 0 7 # 5 | -30",
            1 - k, 100 + k, 1 - k, 101 - k);
    }
    w.all("*100 MPI_Finalize");
}
void isendrecv_bare(World& w) {
    w.mpi(2);
    w.all("*100 MPI_Init | *20 MPI_Isendrecv | *30 MPI_Wait | *100 MPI_Finalize");
}
void sessions(World& w) {
    w.mpi(2);
    const u32 c = w.comm_of(OTF2_PARADIGM_MPI, {0, 1}, "of group", kConstants.at("events"));
    w.all(
        "*100 MPI_Session_init | *10 MPI_Group_from_session_pset |"
        "+MPI_Comm_create_from_group | CommCreate # | -40",
        c);
    w.all("5x +MPI_Allreduce|MpiCollectiveBegin|MpiCollectiveEnd allreduce # none 16 16|-30", c);
    w.all("+MPI_Comm_free | CommDestroy # | -10 | *100 MPI_Session_finalize", c);
}
/// Ranks 0 and 1 spawn 2 and 3; member i of one side talks to member 1 - i of the other.
void spawn(World& w) {
    w.mpi(4);
    const u32 parents = w.comm_of(OTF2_PARADIGM_MPI, {0, 1}, "MPI_COMM_WORLD");
    const u32 children = w.comm_of(OTF2_PARADIGM_MPI, {2, 3}, "MPI_COMM_WORLD");
    const u32 bridge = w.comms++;
    w.define("InterComm", {bridge, w.text("spawned"), 2, 3, 0, kConstants.at("events")});
    for (u32 i = 0; i < 4; ++i) {
        const Text how = i < 2 ? "MPI_Comm_spawn" : "MPI_Comm_get_parent";
        w[i]("*100 MPI_Init | +" + how +
                 " | CommCreate # | -300 | +MPI_Barrier |"
                 "MpiCollectiveBegin | MpiCollectiveEnd barrier # none 0 0 | -50",
             bridge, i < 2 ? parents : children);
    }
    for (u32 i = 0; i < 2; ++i) {
        w[i]("3x +MPI_Send | MpiSend # # 7 # | -40", 1 - i, bridge, 1000 * (i + 1));
        w[3 - i]("3x +MPI_Recv | MpiRecv # # 7 # | -40", i, bridge, 1000 * (i + 1));
    }
    w.all("*100 MPI_Finalize");
}
void persistent_collectives(World& w) {
    w.mpi(2);
    w.all("*100 MPI_Init | *10 MPI_Allreduce_init");
    w.all(
        "3x +MPI_Start | NonBlockingCollectiveRequest 4 | -10 | +MPI_Wait |"
        "NonBlockingCollectiveComplete allreduce 0 none 16 16 4 | -20");
    w.all("*10 MPI_Request_free | *100 MPI_Finalize");
}
/// Requests begun on one thread and completed on another.
void thread_wait(World& w) {
    w.mpi(2);
    w.all("*100 MPI_Init_thread");
    for (u32 k = 0; k < 2; ++k) w.place(100 + k, "thread 1", k);
    for (u64 i = 0; i < 4; ++i) {
        w[0]("+MPI_Isend | MpiIsend 1 0 7 500 # | -10 | ~90", i);
        w[1]("+MPI_Irecv | MpiIrecvRequest # | -10 | ~90", i);
        w[2]("@# | +MPI_Wait | MpiIsendComplete # | -30", 130 + 100 * i, i);
        w[3]("@# | +MPI_Wait | MpiIrecv 0 0 7 500 # | -30", 140 + 100 * i, i);
    }
    for (u32 k = 0; k < 2; ++k) w[k]("*100 MPI_Finalize");
}
/// Non-blocking writes of MPI-IO, begun on one thread and waited for on another.
void io_wait(World& w) {
    w.mpi(2);
    const u32 file = w.text("/data/out"), name = w.text("MPI-IO");
    ok(OTF2_GlobalDefWriter_WriteIoParadigm(w.defs, 0, name, name, OTF2_IO_PARADIGM_CLASS_PARALLEL,
                                            OTF2_IO_PARADIGM_FLAG_NONE, 0, nullptr, nullptr,
                                            nullptr));
    w.define("IoRegularFile", {0, file, 0});
    w.define("IoHandle", {0, file, 0, 0, 0, 0, kNone});
    w.all("*100 MPI_Init_thread | +MPI_File_open | IoCreateHandle 0 write 0 0 | -100");
    for (u32 k = 0; k < 2; ++k) w.place(100 + k, "thread 1", k);
    for (u64 i = 0; i < 4; ++i) {
        for (u32 k = 0; k < 2; ++k) {
            w[k](
                "+MPI_File_iwrite | IoOperationBegin 0 write nonblocking 4096 # |"
                "IoOperationIssued 0 # | -10 | ~90",
                i, i);
            w[2 + k]("@# | +MPI_Wait | IoOperationComplete 0 4096 # | -30", 230 + 100 * i, i);
        }
    }
    for (u32 k = 0; k < 2; ++k) {
        w[k]("+MPI_File_close | IoDestroyHandle 0 | -100 | *100 MPI_Finalize");
    }
}
void large_counts(World& w, u64 bytes) {
    w.mpi(2);
    w.all("*9 MPI_Abi_get_version | *100 MPI_Init | *9 MPI_Abi_get_info | *9 MPI_Comm_toint");
    w[0]("2x +MPI_Send_c | MpiSend 1 0 7 # | -50", bytes);
    w[1]("2x +MPI_Recv_c | MpiRecv 0 0 7 # | -50", bytes);
    w.all("*100 MPI_Finalize");
}
/// Received sizes near 2^63, as recorders write them that read an uninitialised status.
void received_nonsense(World& w) {
    w.mpi(2);
    w.all("*100 MPI_Init");
    w[0]("3x +MPI_Send | MpiSend 1 0 7 100 | -50");
    w[1]("3x +MPI_Recv | MpiRecv 0 0 7 # | -50", (u64{1} << 63) + 5);
    w.all("*100 MPI_Finalize");
}
/// Rank 1 has no events.
void silent_ranks(World& w) {
    w.mpi(3);
    w[0]("*100 MPI_Init | *600 work | +MPI_Send | MpiSend 2 0 7 100 | -100 | ~200");
    w[2]("*100 MPI_Init | *800 work | +MPI_Recv | MpiRecv 0 0 7 100 | -100");
    for (u32 k : {0, 2}) w[k]("*100 MPI_Finalize");
}
/// Names with (), no collective records, sparse locations, microseconds, a window nobody uses.
void tau(World& w) {
    w.ticks_per_second = 1'000'000;
    w.begin = 1000;
    w.spelling = "%()";
    w.mpi(2, 128);
    w.define("RmaWin", {0, w.text("RMA_WIN_WORLD"), 0, 0});
    w.all(
        "@1000 | +.TAU application | +int main(int, char **) C [{a.c} {3,1}-{9,2}] |"
        "*5 MPI_Init | RmaWinCreate 0");
    for (int i = 0; i < 4; ++i) {
        w[0]("+MPI_Isend | MpiSend 1 0 7 800 | -2 | *3 MPI_Wait");
        w[1]("*2 MPI_Irecv | +MPI_Wait | MpiRecv 0 0 7 800 | -3");
        w.all("*4 MPI_Barrier");
    }
    w.all("*5 MPI_Finalize | -10 | -1");
}
/// EZTrace 2: all regions are USER, and each process defines its own; two groups have one id;
/// locations promise 2 events; a collective begins in MPI_Iallreduce and ends in MPI_Wait; no
/// MPI_Init, MPI_Finalize or events of communicators. `crossed`: completions of receives are lost,
/// and sends complete under the receives' requests, as it happens with MPI_STATUSES_IGNORE.
void eztrace(World& w, bool crossed) {
    w.told_events = 2;
    constexpr u64 apart = 0x3fffffff;
    for (const u64 k : {0, 1}) w.place(k * apart, "P", w.process("P#" + std::to_string(k)));
    w.group(OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, {0, apart});
    w.groups = 0;
    w.comm_of(OTF2_PARADIGM_MPI, {0, 1}, "MPI_COMM_WORLD");
    const Names names{"Working",   "MPI_Send",    "MPI_Recv",       "MPI_Isend",
                      "MPI_Irecv", "MPI_Waitall", "MPI_Iallreduce", "MPI_Wait"};
    for (u32 k = 0; k < 2; ++k) {
        w.regions.clear();
        for (u32 i = 0; i < names.size(); ++i) {
            w.regions[names[i]] = static_cast<u32>(apart) * k + i;
            w.define_region(w.regions[names[i]], names[i], {OTF2_PARADIGM_USER, kFunction});
        }
        w[k]("ThreadBegin none # | +Working", k);
        for (int i = 0; i < 3; ++i) {
            w[k](k == 0 ? "+MPI_Send | MpiSend 1 0 7 100 | -50"
                        : "+MPI_Recv | MpiRecv 0 0 7 100 | -50");
            w[k](
                "+MPI_Irecv | MpiIrecvRequest 140731707026168 | -10 |"
                "+MPI_Isend | MpiIsend # 0 3 200 140731707026176 | -10 | +MPI_Waitall",
                1 - k);
            w[k]("MpiIsendComplete #", crossed ? 140'731'707'026'168 : 140'731'707'026'176);
            if (!crossed) w[k]("MpiIrecv # 0 3 200 140731707026168", 1 - k);
            w[k]("-20");
        }
        w[k](
            "+MPI_Iallreduce | MpiCollectiveBegin | -10 | +MPI_Wait |"
            "MpiCollectiveEnd allreduce 0 none 8 8 | -30 | -10 | ThreadEnd none #",
            k);
    }
}

// ---- tasks and nesting -------------------------------------------------------------------------

/// APEX: location = rank << 32 | thread; a yield is a Leave and a resumption an Enter; messages
/// outside of regions; samples of counters in between.
void apex(World& w) {
    w.mpi(2, u64{1} << 32);
    w.define("Attribute", {0, w.text("GUID"), w.text("GUID"), OTF2_TYPE_UINT64});
    w.kinds["async_task"] = {OTF2_PARADIGM_USER, OTF2_REGION_ROLE_TASK};
    w.kinds["APEX MAIN"] = {OTF2_PARADIGM_MEASUREMENT_SYSTEM, OTF2_REGION_ROLE_TASK};
    const u32 load = w.metric("CPU User %", OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_DOUBLE);
    w.all("+APEX MAIN");
    for (u32 i = 0; i < 5; ++i) {
        OTF2_MetricValue value;
        value.floating_point = 10.0 * i;
        for (u32 k = 0; k < 2; ++k) {
            w[k].attribute(0, 77 + i)("*40 async_task").metric(load, OTF2_TYPE_DOUBLE, value);
            w[k]("~10").attribute(0, 77 + i)("*30 async_task");
        }
        w[0]("MpiSend 1 0 7 256");
        w[1]("MpiRecv 0 0 7 256");
    }
    w.all("-100");
}
/// Renamed leaves that nest: by position outer 100, and inner 40 in it.
void renamed(World& w) {
    w.place(0, "main", w.process("process"));
    w[0]("3x +outer | ~20 | +inner | -40 outer | -40 inner | ~10");
}
/// Task A is suspended within `deep` on thread 0, where task B runs, and resumed on thread 1.
void migrating_tasks(World& w) {
    const u32 p = w.process("process");
    for (u64 i = 0; i < 2; ++i) w.place(i, "thread " + std::to_string(i), p);
    w.comm_of_locations(OTF2_PARADIGM_OPENMP, {0, 1}, "team");
    w[0]("+!$omp parallel | ThreadFork openmp 2");
    w.all("ThreadTeamBegin 0 | +implicit");
    for (u32 i = 1; i <= 4; ++i) {
        w[0](
            "@# | +create | ThreadTaskCreate 0 0 # | -10 | ThreadTaskSwitch 0 0 # |"
            "+!$omp task A | +deep | ~50",
            1000 * i, 2 * i, 2 * i);
        w[0](
            "ThreadTaskCreate 0 0 # | ThreadTaskSwitch 0 0 # | *30 !$omp task B |"
            "ThreadTaskComplete 0 0 # | ThreadTaskSwitch 0 0 0",
            2 * i + 1, 2 * i + 1, 2 * i + 1);
        w[1](
            "@# | ThreadTaskSwitch 0 0 # | -60 deep | -10 !$omp task A |"
            "ThreadTaskComplete 0 0 # | ThreadTaskSwitch 0 1 0",
            1000 * i + 300, 2 * i, 2 * i);
    }
    w.all("@6000 | -0 implicit | ThreadTeamEnd 0");
    w[0]("ThreadJoin openmp | -100 !$omp parallel");
}
/// Otter: task switches without an identity; the Enter and Leave records nest.
void otter(World& w) {
    w.place(0, "thread 0", w.process("OMP Process"));
    w[0]("+root")(
        "5x ThreadTaskCreate none none 0 | +!$omp task | ThreadTaskSwitch none none 0 |"
        "*30 body | -20 | ThreadTaskComplete none none 0 | ~10")("-40");
}
void deep(World& w) {
    w.place(0, "main", w.process("process"));
    for (int i = 0; i < 100'000; ++i) w[0]("+recurse | ~2");
    for (int i = 0; i < 100'000; ++i) w[0]("-1");
}
/// rocprofv3 sorts ends before beginnings: a call of no length is a Leave and then an Enter.
void reversed_pairs(World& w) {
    w.place(1, "Thread 4711", w.process("./a.out"));
    for (u64 i = 0; i < 4; ++i) {
        w[0]("@# | *100 hipMalloc | *200 hipFree | Leave # | Enter #", 1000 * i,
             w.region("hipGetDevice"), w.region("hipGetDevice"));
    }
}

// ---- accelerators ------------------------------------------------------------------------------

/// rocprofv3: ids are hashes; groups of devices without a creating group; kernels of one name that
/// overlap in a queue; operations on memory of the host are a stream of the process.
void rocprof(World& w) {
    w.hashed = true;
    w.length = 6000;
    w.kinds = {{"axpy(float*)", {OTF2_PARADIGM_HIP, kFunction}},
               {"MEMORY_COPY", {OTF2_PARADIGM_HIP, OTF2_REGION_ROLE_DATA_TRANSFER}},
               {"MEMORY_ALLOCATION", {OTF2_PARADIGM_HIP, OTF2_REGION_ROLE_ALLOCATE}}};
    const u32 host = w.process("./a.out");
    const u32 gpu = w.process("gfx90a");
    w.place(1, "Thread 4711", host);
    w.place(2, "Thread 4711, Copy to GPU 0", gpu, true)("@500 | *300 MEMORY_COPY");
    w.place(3, "Thread 4711, Memory Operation at UNK 0", host, true)("@100|*50 MEMORY_ALLOCATION");
    w.place(4, "Thread 4711, Compute on GPU 0, Queue 0", gpu, true);
    for (u64 i = 1; i < 5; ++i) {  // 0-300 and 100-500 of each 1000
        w[0]("@# | *20 hipLaunchKernel | *20 hipLaunchKernel", 1000 * i - 50);
        w[3]("@# | +axpy(float*) | ~100 | +axpy(float*) | -200 | -200", 1000 * i);
    }
    w[0]("@5950 | *50 hipDeviceSynchronize");
}
/// Queues of two accelerators, and nothing of the host.
void queues_only(World& w) {
    w.kinds["kern"] = {OTF2_PARADIGM_HIP, kFunction};
    w.place(1, "queue a", w.process("gfx90a"), true)("4x *300 kern | ~100");
    w.place(2, "queue b", w.process("gfx942"), true)("4x *200 kern | ~200");
}
/// Kernels of two names overlap on one stream (100-400, 200-600) and nest on another.
void hip_streams(World& w) {
    w.mpi(2);
    w.all("*1000 MPI_Init");
    w.kinds["stencil"] = w.kinds["reduce"] = {OTF2_PARADIGM_HIP, kFunction};
    for (u32 k = 0; k < 2; ++k) {
        const u32 gpu = w.process("HIP Context 0", 0, k);
        for (u64 s = 0; s < 2; ++s) {
            w.place(10 + 2 * k + s, "HIP Stream " + std::to_string(s), gpu, true);
        }
        for (u64 t = 1000; t < 4000; t += 1000) {
            w[k]("@# | *30 hipLaunchKernel | *30 hipLaunchKernel", t);
            w[2 + 2 * k]("@#|+stencil|~100|+reduce|-200 stencil|-200 reduce", t + 100);
            w[3 + 2 * k]("@#|+stencil|~100|+stencil|-100|-100", t + 100);
        }
        w[k](
            "@4000 | *100 hipStreamSynchronize | +MPI_Barrier | MpiCollectiveBegin |"
            "MpiCollectiveEnd barrier 0 none 0 0 | -50 | *100 MPI_Finalize");
    }
}
/// CUDA: the window of a process has a group of two members, or is over all `locations`.
void cuda(World& w, bool locations) {
    w.mpi(2);
    w.all("*100 MPI_Init");
    const u32 all = w.group(OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_CUDA, {1, 51, 0, 50});
    for (u32 k = 0; k < 2; ++k) {
        w.place(50 + k, "CUDA[0:7]", w.process("CUDA Context", 0, k), true)("@100");
        const u32 c = w.comm_of(OTF2_PARADIGM_CUDA, k == 0 ? Ids{2, 3} : Ids{0, 1});
        if (locations) w.define("Comm", {w.comms, 0, all, kNone, 0});
        w.define("RmaWin", {k, w.text("CUDA memory"), locations ? w.comms++ : c, 0});
        const u64 host = locations && k == 0 ? 2 : 0;
        w[k]("RmaWinCreate #", k)("3x *40 cudaMemcpyAsync");
        w[2 + k]("RmaWinCreate #", k)(
            "3x RmaGet # # 4096 1 | ~100 | RmaOpCompleteBlocking # 1 | ~10 |"
            "RmaPut # # 1024 2 | ~50 | RmaOpCompleteBlocking # 2",
            k, host, k, k, host, k)("RmaWinDestroy #", k);
        w[k](
            "@1000 | RmaWinDestroy # | +MPI_Barrier | MpiCollectiveBegin |"
            "MpiCollectiveEnd barrier 0 none 0 0 | -50 | *100 MPI_Finalize",
            k);
    }
}
void opencl(World& w) {
    w.place(0, "main", w.process("process"));
    w.place(1, "OpenCL queue", w.process("device", 0, 0), true);
    w.kinds["vadd"] = {OTF2_PARADIGM_OPENCL, kFunction};
    for (u64 t = 0; t < 6000; t += 1000) {
        w[0]("@# | *50 clEnqueueNDRangeKernel | *450 clFinish", t);
        w[1]("@# | *400 vadd", t + 60);
    }
}

// ---- clocks ------------------------------------------------------------------------------------

/// 3 GHz. The clock of rank 1 is 9e12 ticks ahead and runs at half the speed.
void interpolated(World& w) {
    w.ticks_per_second = 3'000'000'000;
    w.begin = 1000;
    w.mpi(2, 1, {"near", "far"});
    constexpr u64 ahead = 9'000'000'000'000;
    for (const u64 t : {1000, 61000}) w.offset(0, t, 0);
    for (const u64 t : {500, 30500}) w.offset(1, ahead + t, t - ahead);
    w[0]("@1000 | *3000 MPI_Init")("3x *6000 work|+MPI_Send|MpiSend 1 0 7 100|-600|~300");
    w[1]("@# | *1500 MPI_Init", ahead + 500)("3x *3000 work|+MPI_Recv|MpiRecv 0 0 7 100|-450");
    w[0]("*3000 MPI_Finalize");
    w[1]("*1500 MPI_Finalize");
}
void ticks(World& w, u64 per_second, u64 start) {
    w.ticks_per_second = per_second;
    w.begin = start;
    w.mpi(2);
    w.all("@# | *100 MPI_Init", start);
    w[0]("3x *700 work | +MPI_Send | MpiSend 1 0 7 100 | -100");
    w[1]("3x *700 work | +MPI_Recv | MpiRecv 0 0 7 100 | -100");
    w.all("*100 MPI_Finalize");
}
/// The clock of rank 1 is 5000 s ahead; without `nodes` the recorder knows of one machine only.
void skew(World& w, const Names& nodes) {
    w.mpi(2, 1, nodes);
    w.kinds["kern"] = {OTF2_PARADIGM_HIP, kFunction};
    for (u32 k = 0; k < 2; ++k) {
        const u64 boot = 5'000'000'000'000 * k;
        w.place(10 + k, "HIP Stream", w.process("HIP", nodes.empty() ? 0 : k + 1, k), true);
        for (const u64 id : {k, 10 + k}) {
            for (const u64 t : {boot, boot + 2000}) w.offset(id, t, 0 - boot);
        }
        w[k]("@# | *100 MPI_Init | *50 hipLaunchKernel | ~1750 | *100 MPI_Finalize", boot);
        w[2 + k]("@# | *500 kern | ~100 | *500 kern", boot + 200);
    }
}

// ---- programs without MPI ----------------------------------------------------------------------

/// OpenSHMEM: a window per PE, all over one communicator; PE p puts to p + 1.
void shmem(World& w) {
    for (u64 p = 0; p < 3; ++p) w.place(10 * p, "thread", w.process("PE " + std::to_string(p)));
    w.comm_of_locations(OTF2_PARADIGM_SHMEM, {0, 10, 20}, "SHMEM world");
    w.all("*100 shmem_init");
    for (u32 p = 0; p < 3; ++p) {
        w.define("RmaWin", {p, w.text("heap " + std::to_string(p)), 0, 0});
        w[p]("5x *200 work | +shmem_putmem | RmaPut # # 100 1 | ~50 | RmaOpCompleteBlocking # 1|-0",
             p, (p + 1) % 3, p);
        w[p]("+shmem_int_finc | RmaAtomic # 0 increment 0 4 9 | ~20 | RmaOpCompleteBlocking # 9|-0",
             p, p);
        w[p](
            "+shmem_barrier_all | RmaCollectiveBegin |"
            "RmaCollectiveEnd barrier all # none 0 0 | -80 | *100 shmem_finalize",
            p);
    }
}
void pthreads(World& w) {
    const u32 p = w.process("process");
    w.place(0, "main", p)("+main");
    w.comm_of_locations(OTF2_PARADIGM_PTHREAD, {0, 1, 2}, "pthreads");
    for (u64 i = 1; i < 3; ++i) {
        w[0]("+pthread_create | ThreadCreate 0 # | -50", i);
        w.place(i, "Pthread " + std::to_string(i), p);
        w[i]("@# | ThreadBegin 0 # | +worker | *# work | -100 | ThreadEnd 0 #", 50 * i, i, 400 * i,
             i);
    }
    for (u64 i = 1; i < 3; ++i) w[0]("+pthread_join | ThreadWait 0 # | -500", i);
    w[0]("-100");
}
/// HPX: 2 localities with 2 threads each; no groups, no forks.
void hpx(World& w) {
    for (u64 i = 0; i < 4; ++i) {
        const u64 k = i / 2;
        if (i % 2 == 0) w.process("process " + std::to_string(4000 + k));
        w.place((k << 32) + i % 2, "thread " + std::to_string(i % 2), static_cast<u32>(k));
        w[i]("5x *# hpx_task | ~# | *# hpx_task | ~#", 30 + 30 * k, 70 - 30 * k, 30 + 30 * k,
             70 - 30 * k);
    }
}

// ---- files, definitions, and the rest ----------------------------------------------------------

/// POSIX aio: begun by thread 0, completed by thread 1 in the opposite order; one result is
/// undefined, one operation is cancelled; standard input exists before.
void aio(World& w) {
    const u32 p = w.process("process"), in = w.text("/data/in"), name = w.text("POSIX");
    for (u64 i = 0; i < 2; ++i) w.place(i, "thread " + std::to_string(i), p);
    ok(OTF2_GlobalDefWriter_WriteIoParadigm(w.defs, 0, name, name, OTF2_IO_PARADIGM_CLASS_SERIAL,
                                            OTF2_IO_PARADIGM_FLAG_OS, 0, nullptr, nullptr,
                                            nullptr));
    w.define("IoRegularFile", {0, in, 0});
    w.define("IoHandle", {0, in, 0, 0, 0, kNone, kNone});
    w.define("IoHandle", {1, w.text("stdin"), kNone, 0, kConstants.at("precreated"), kNone, kNone});
    w.define("IoPreCreatedHandleState", {1, kConstants.at("readonly"), 0});
    w[0]("IoCreateHandle 0 readonly 0 0");
    const Text begin =
        "+aio_read | IoOperationBegin # read nonblocking # # |"
        "IoOperationIssued # # | -10";
    const Text end = "@# | +aio_return | IoOperationComplete # # # | -10";
    for (u64 i = 0; i < 4; ++i) {
        const u64 t = 1000 * i, a = 2 * i, b = 2 * i + 1;
        w[0]("@#", t)(begin, 0, 4096, a, 0, a)(begin, 1, 512, b, 1, b);
        w[1](end, t + 210, 1, 512, b)(end, t + 300, 0, i == 3 ? OTF2_UNDEFINED_UINT64 : 4096, a);
    }
    w[0]("@5000")(begin, 0, 64, 100, 0, 100);
    w[1]("@5100 | IoOperationCancelled 0 100");
}
/// Strings and regions in local definitions, which both locations number differently.
void local_strings(World& w) {
    for (u32 k = 0; k < 2; ++k) {
        w.place(k, "Master thread", w.process("process " + std::to_string(k)));
        OTF2_IdMap* maps[] = {OTF2_IdMap_Create(OTF2_ID_MAP_DENSE, 2),
                              OTF2_IdMap_Create(OTF2_ID_MAP_DENSE, 2)};
        for (u32 i = 0; i < 2; ++i) {
            const Text name = i == k ? "secret_solve" : "alice_io";
            ok(OTF2_DefWriter_WriteString(w.local(k), i, name.c_str()));
            ok(OTF2_DefWriter_WriteRegion(w.local(k), i, i, i, i, kFunction, OTF2_PARADIGM_USER,
                                          OTF2_REGION_FLAG_NONE, i, 0, 0));
            ok(OTF2_IdMap_AddIdPair(maps[0], i, w.text(name)));
            ok(OTF2_IdMap_AddIdPair(maps[1], i, w.region(name)));
        }
        ok(OTF2_DefWriter_WriteMappingTable(w.local(k), OTF2_MAPPING_STRING, maps[0]));
        ok(OTF2_DefWriter_WriteMappingTable(w.local(k), OTF2_MAPPING_REGION, maps[1]));
        for (OTF2_IdMap* map : maps) OTF2_IdMap_Free(map);
        w[k]("3x Enter # | ~50 | Leave # | Enter # | ~20 | Leave #", k, k, 1 - k, 1 - k);
    }
}
/// Regions before their strings, ids from the top down, locations beyond 2^32.
void unordered(World& w) {
    const u32 p = w.process("process");
    constexpr u32 top = 4'000'000'000;
    for (u32 i = 0; i < 3; ++i) {
        w.define("Region", {top - 7 * i, top - 1 - i, 0, 0, 1, OTF2_PARADIGM_USER, 0, 0, 0, 0});
    }
    for (u32 i = 3; i-- > 0;) {
        ok(OTF2_GlobalDefWriter_WriteString(w.defs, top - 1 - i,
                                            ("f" + std::to_string(i)).c_str()));
    }
    for (const u64 id : {(u64{1} << 62) + 1, u64{1} << 40, u64{3}}) w.place(id, "thread", p);
    for (u32 i = 0; i < 3; ++i)
        w.all("Enter # | ~# | Leave #", top - 7 * i, 10 * i + 10, top - 7 * i);
}
void names(World& w) {
    Place& l = w.place(0, "th\tread\n\"0\"", w.process("pro,cess; <b>&"));
    std::vector<u32> ids{1000, 1001, 1002, 77'777};  // the last one is not defined
    for (const u32 id : {1000U, 1001U})
        w.define_region(id, "twin", {OTF2_PARADIGM_USER, kFunction});
    w.define("Region", {1002, kNone, kNone, kNone, 0, 0, 0, kNone, 0, 0});
    for (const char* name : {"größe", "tab\there", "new\nline", "bell\a\x1b[31m", "bad\xff\xfeutf8",
                             "quote\"comma,", "<b>&amp;</b>", "a/b\\c", ""}) {
        ids.push_back(w.region(name));
    }
    for (const u32 id : ids) l("Enter # | ~10 | Leave #", id, id);
}
void many_regions(World& w) {
    w.place(0, "main", w.process("process"))("+main");
    for (int i = 0; i < 5000; ++i) w[0]("*10 f" + std::to_string(i));
    w[0]("-100");
}
/// lo2s, Score-P's sampling: contexts main > f > g; 10 samples in g and 5 in f per thread.
void samples(World& w) {
    const u32 p = w.process("process");
    w.define("InterruptGenerator", {0, w.text("cycles"), 0, OTF2_BASE_DECIMAL, 0, 1000});
    const char* functions[] = {"main", "f", "g"};
    for (u32 i = 0; i < 3; ++i) {
        w.kinds[functions[i]] = {OTF2_PARADIGM_SAMPLING, kFunction};
        w.define("CallingContext", {i, w.region(functions[i]), kNone, i == 0 ? kNone : i - 1});
    }
    for (u64 k = 0; k < 2; ++k) w.place(k, "thread " + std::to_string(k), p);
    w.all(
        "5x ~100 | CallingContextSample 2 3 0 | ~100 | CallingContextSample 2 3 0 |"
        "~100 | CallingContextSample 1 3 0");
}
void markers(World& w) {
    w.place(0, "main", w.process("process"))("*1000 work");
    OTF2_MarkerWriter* writer = OTF2_Archive_GetMarkerWriter(w.archive);
    ok(OTF2_MarkerWriter_WriteDefMarker(writer, 0, "group", "here", OTF2_SEVERITY_HIGH));
    ok(OTF2_MarkerWriter_WriteMarker(writer, 500, 0, 0, OTF2_MARKER_SCOPE_GLOBAL, 0, "half way"));
    ok(OTF2_Archive_CloseMarkerWriter(w.archive, writer));
}
void program(World& w) {
    w.define("Parameter", {0, w.text("n"), OTF2_PARAMETER_TYPE_INT64});
    const u32 arguments[] = {w.text("--size"), w.text("")};
    for (u64 k = 0; k < 2; ++k) {
        Place& l = w.place(k, "Master thread", w.process("process " + std::to_string(k)));
        ok(OTF2_EvtWriter_ProgramBegin(l.writer, nullptr, 0, w.text("./solver"), 2, arguments));
        l("3x +solve | ParameterInt 0 # | -100", i64{-2})("~50 | ProgramEnd #", i64{-7});
    }
}
/// Values 10, 20 and 40 at 100, 200 and 300, in all modes; and -10, -20, -40 thousands.
void metrics(World& w) {
    Place& l = w.place(0, "main", w.process("process"));
    const std::pair<const char*, int> bases[] = {{"accumulated", OTF2_METRIC_VALUE_ACCUMULATED},
                                                 {"absolute", OTF2_METRIC_VALUE_ABSOLUTE},
                                                 {"relative", OTF2_METRIC_VALUE_RELATIVE}};
    const std::pair<const char*, int> timings[] = {{"_start", OTF2_METRIC_TIMING_START},
                                                   {"_point", OTF2_METRIC_TIMING_POINT},
                                                   {"_last", OTF2_METRIC_TIMING_LAST},
                                                   {"_next", OTF2_METRIC_TIMING_NEXT}};
    for (const auto& [base, bits] : bases) {
        for (const auto& [timing, more] : timings) {
            if (bits != OTF2_METRIC_VALUE_ACCUMULATED && more == OTF2_METRIC_TIMING_START) continue;
            w.metric(Text(base) + timing, static_cast<OTF2_MetricMode>(bits | more),
                     OTF2_TYPE_UINT64);
        }
    }
    const u32 scaled = w.metric("scaled", OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_INT64, 3);
    for (const u32 value : {10U, 20U, 40U}) {
        OTF2_MetricValue number;
        number.unsigned_int = value;
        l("~100");
        for (u32 id = 0; id < scaled; ++id) l.metric(id, OTF2_TYPE_UINT64, number);
        number.signed_int = -i64{value};
        l.metric(scaled, OTF2_TYPE_INT64, number);
    }
    l("*100 work");
}

/// Counters of a location in one of the ways of OTF2. Values are read, one record each, where the
/// location is: `instructions` and `cycles` more than at the reading before.
class Counters {
  public:
    Counters(World& world, Place& place, int mode, const Text& instructions, const Text& cycles)
        : place_(place), mode_(mode) {
        for (const Text& name : {instructions, cycles}) {
            ids_.push_back(
                world.metric(name, static_cast<OTF2_MetricMode>(mode), OTF2_TYPE_UINT64));
        }
    }
    void read(u64 instructions, u64 cycles) {
        const bool is_amount = (mode_ & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_RELATIVE;
        const u64 amounts[] = {instructions, cycles};
        for (std::size_t i = 0; i < 2; ++i) {
            sums_[i] += amounts[i];
            OTF2_MetricValue value;
            value.unsigned_int = is_amount ? amounts[i] : sums_[i];
            place_.metric(ids_[i], OTF2_TYPE_UINT64, value);
        }
    }

  private:
    Place& place_;
    int mode_;
    std::vector<u32> ids_;
    u64 sums_[2] = {5'000, 7'000};
};

/// Three steps of computation, in which each rank has so many ticks, instructions and cycles, and
/// an MPI_Allreduce with 7 instructions and 100 cycles. Each rank counts in a way of its own. The
/// last rank of `gap` lacks the values at the end of the second computation.
void counters(World& w, u64 ranks, const std::array<u64, 3>& amounts, bool gap = false) {
    w.mpi(ranks);
    const std::tuple<int, Text, Text> ways[] = {
        {OTF2_METRIC_ACCUMULATED_START, "PAPI_TOT_INS", "PAPI_TOT_CYC"},
        {OTF2_METRIC_RELATIVE_LAST, "perf::INSTRUCTIONS:u", "perf::CPU_CYCLES:u"},
        {OTF2_METRIC_ABSOLUTE_POINT, "INSTR_RETIRED_ANY", "CPU_CLK_UNHALTED_CORE"},
        {OTF2_METRIC_ACCUMULATED_POINT, "instructions", "cpu-cycles"}};
    for (u64 rank = 0; rank < ranks; ++rank) {
        Place& l = w[rank];
        const auto& [mode, instructions, cycles] = ways[rank % 4];
        Counters counter(w, l, mode, instructions, cycles);
        const auto call = [&](const Text& name, const Text& event, bool reads = true) {
            if (reads) counter.read(0, 0);
            l("+" + name + (event.empty() ? "" : " | " + event) + " | ~50");
            counter.read(7, 100);
            l("-0");
        };
        call("MPI_Init", "");
        for (int step = 0; step < 3; ++step) {
            l("+work | ~" + std::to_string(amounts[0]));
            counter.read(amounts[1], amounts[2]);
            l("-0");
            const bool lacks = gap && step == 1 && rank + 1 == ranks;
            if (lacks) l("~10");
            call("MPI_Allreduce", "MpiCollectiveEnd allreduce 0 none 8 8", !lacks);
        }
        call("MPI_Finalize", "");
    }
}
/// Rank 0 flushes 300 of 1000 ticks of computation, and 20 of 100 in MPI_Barrier; rank 1 does not
/// measure for 400 of them, and flushes half of that time and 50 after it.
void flushes(World& w) {
    w.mpi(2);
    w.all("*100 MPI_Init");
    w[0](
        "+work | ~600 | BufferFlush 1000 | ~400 | -0 | ~0 | +MPI_Barrier | ~10 | BufferFlush 1130 "
        "| ~20 | "
        "MpiCollectiveEnd barrier 0 none 0 0 | -70");
    w[1](
        "~200 | MeasurementOnOff off | ~200 | BufferFlush 750 | ~200 | MeasurementOnOff on | ~400 "
        "| "
        "+MPI_Barrier | MpiCollectiveEnd barrier 0 none 0 0 | -100");
    w.all("~100 | *10 MPI_Finalize");
}

const std::map<Text, std::function<void(World&)>>& all_kinds() {
    constexpr u64 late = 1'700'000'000'000'000'000;
    static const std::map<Text, std::function<void(World&)>> all{
        {"abi", [](World& w) { large_counts(w, 5000); }},
        {"huge_messages", [](World& w) { large_counts(w, 5'000'000'000); }},
        {"eztrace", [](World& w) { eztrace(w, false); }},
        {"eztrace_crossed", [](World& w) { eztrace(w, true); }},
        {"counters",
         [](World& w) {
             counters(w, 4, {600, 1100, 1200});
         }},
        {"counters_of_two",
         [](World& w) {
             counters(w, 2, {1000, 2000, 2500});
         }},
        {"counters_with_gap",
         [](World& w) {
             counters(w, 2, {1000, 2000, 2500}, true);
         }},
        {"megahertz", [](World& w) { ticks(w, 1'000'000, 5); }},
        {"odd_clock", [](World& w) { ticks(w, 2'596'123'457, late); }},
        {"skewed_gpus",
         [](World& w) {
             skew(w, {"n0", "n1"});
         }},
        {"cuda_windows", [](World& w) { cuda(w, false); }},
        {"cuda_locations", [](World& w) { cuda(w, true); }},
        {"skewed_processes", [](World& w) { skew(w, {}); }},
#define KIND(name) {#name, name}
        // clang-format off
        KIND(spell), KIND(partitioned), KIND(isendrecv), KIND(isendrecv_bare), KIND(sessions),
        KIND(spawn), KIND(persistent_collectives), KIND(thread_wait), KIND(io_wait), KIND(received_nonsense),
        KIND(silent_ranks), KIND(tau), KIND(apex), KIND(renamed), KIND(migrating_tasks),
        KIND(otter), KIND(deep), KIND(reversed_pairs), KIND(rocprof), KIND(hip_streams),
        KIND(queues_only), KIND(opencl), KIND(interpolated), KIND(shmem), KIND(pthreads),
        KIND(hpx), KIND(aio), KIND(local_strings), KIND(unordered), KIND(names), KIND(many_regions),
        KIND(flushes),
        KIND(samples), KIND(markers), KIND(program), KIND(metrics)
    // clang-format on
#undef KIND
    };
    return all;
}

}  // namespace
}  // namespace tracefold::testing

int main(int argc, char** argv) {
    using tracefold::testing::all_kinds;
    try {
        if (argc == 1) {
            for (const auto& [name, make] : all_kinds()) std::cout << name << '\n';
            return 0;
        }
        const auto kind = argc < 3 ? all_kinds().end() : all_kinds().find(argv[1]);
        if (kind == all_kinds().end())
            throw std::invalid_argument("usage: make_world KIND DIR [SPELLING]");
        tracefold::testing::World world(argv[2], argc > 3 ? argv[3] : "%");
        kind->second(world);
        world.close();
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "make_world: " << error.what() << '\n';
        return 1;
    }
}

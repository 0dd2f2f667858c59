// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "event_recorder.hpp"

namespace tracefold {

namespace {

constexpr u64 kWorld = GeneratedDefinitions::kWorld;
constexpr u64 kCreateHandle = 17;
constexpr u64 kDestroyHandle = 18;
constexpr u8 kUint64 = 4;
constexpr u64 kFirstProcessId = 4000;
constexpr u64 kTicks = 100;

}  // namespace

void EventRecorder::event(EventType type, std::initializer_list<u64> values, bool same_time) {
    if (!same_time) time_ += kTicks;
    batch_.begin(static_cast<u8>(type), time_);
    for (const u64 value : values) batch_.push(value);
}

void EventRecorder::enter(const std::string& name) {
    compute(gap_);
    region_ = definitions_.region(name);
    event(EventType::Enter, {region_});
}

u64 EventRecorder::irecv() {
    enter("MPI_Irecv");
    event(EventType::MpiIrecvRequest, {++request_});
    leave();
    return request_;
}

u64 EventRecorder::isend(u64 to, u64 tag, u64 bytes) {
    enter("MPI_Isend");
    event(EventType::MpiIsend, {to, kWorld, tag, bytes, ++request_});
    leave();
    return request_;
}

void EventRecorder::send(u64 to, u64 tag, u64 bytes, u64 waited) {
    enter("MPI_Send");
    event(EventType::MpiSend, {to, kWorld, tag, bytes});
    time_ += waited;
    leave();
}

void EventRecorder::receive(u64 from, u64 tag, u64 bytes, u64 waited) {
    enter("MPI_Recv");
    time_ += waited;
    event(EventType::MpiRecv, {from, kWorld, tag, bytes});
    leave();
}

void EventRecorder::received(u64 from, u64 tag, u64 bytes, u64 request) {
    event(EventType::MpiIrecv, {from, kWorld, tag, bytes, request});
}

void EventRecorder::collective(const std::string& name, u64 operation, u64 sent, u64 received,
                               u64 waited, u64 root) {
    enter(name);
    event(EventType::MpiCollectiveBegin, {}, true);
    time_ += waited;
    if (operation == kCreateHandle) communicators(EventType::CommCreate);
    if (operation == kDestroyHandle) communicators(EventType::CommDestroy);
    event(EventType::MpiCollectiveEnd, {operation, kWorld, root, sent, received});
    leave();
}

void EventRecorder::begin_program() {
    time_ += kTicks;
    batch_.begin(static_cast<u8>(EventType::ProgramBegin), time_);
    const std::vector<u64>& command = definitions_.command();
    batch_.push(command[0]);
    batch_.push(command.size() - 1);
    for (std::size_t i = 1; i < command.size(); ++i) batch_.push(command[i]);
    batch_.push_attribute(
        {static_cast<u32>(GeneratedDefinitions::kProcessId), kUint64, kFirstProcessId + rank_});
    collective("MPI_Init", kCreateHandle);
    for (const char* name : {"MPI_Comm_rank", "MPI_Comm_size"}) {
        enter(name);
        leave();
    }
    collective("MPI_Barrier", kBarrier);
}

void EventRecorder::end_program() {
    collective("MPI_Barrier", kBarrier);
    collective("MPI_Finalize", kDestroyHandle);
    event(EventType::ProgramEnd, {0});
    flush();
}

void EventRecorder::flush() {
    writer_.write_events(rank_, batch_);
    batch_.clear();
}

void EventRecorder::communicators(EventType type) {
    event(type, {kWorld});
    event(type, {GeneratedDefinitions::kSelf});
}

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/location_profiler.hpp"

#include "model/record_kinds.hpp"
#include "query/call_names.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u64 kMeasurementOff = 2;  // OTF2_MEASUREMENT_OFF

}  // namespace

LocationProfiler::LocationProfiler(TraceFile& file, u32 location, u32 number, bool with_times,
                                   CallTree& tree, TraceThreads& threads, MetricCollector* metrics)
    : stream_(file, location, with_times ? Times::read : Times::skip),
      number_(number),
      tree_(tree),
      stack_(tree, &threads.regions),
      teams_(threads.forks),
      metrics_(metrics),
      on_stream_(file.definitions().locations()[location].is_stream()) {}

std::vector<NodeValues> LocationProfiler::run() {
    while (stream_.next()) {
        for (std::size_t record = 0; record < stream_.records().size(); ++record) {
            advance(stream_.records()[record].time);
            take(record);
        }
    }
    return std::move(values_);
}

void LocationProfiler::advance(u64 time) {
    const bool counts = !stack_.empty() && !stack_.is_attached();
    if (started_ && time > time_ && counts) value(ProfileMetric::time) += time - time_;
    if (!started_ || time > time_) time_ = time;
    started_ = true;
}

void LocationProfiler::take(std::size_t record) {
    const RecordBatch::Head& head = stream_.records()[record];
    if (is_enter(head.type)) {
        const CallReader::Region region = stream_.region(record);
        stack_.enter_region(region.id, region.is_mpi, next_order());
        ++value(ProfileMetric::visits);
    } else if (is_leave(head.type)) {
        stack_.leave(stream_.region(record).id);
    } else if (const TaskChange* const change = stream_.task_change(record)) {
        stack_.change_task(*change, next_order());
    } else {
        take_other(head, stream_.records().values(head));
    }
}

void LocationProfiler::take_other(const RecordBatch::Head& head, std::span<const u64> values) {
    if (changes_thread_place(head.type)) return change_thread(head, values);
    switch (static_cast<EventType>(head.type)) {
        case EventType::ProgramBegin:
            return enter(CallTree::Kind::program,
                         stream_.tables().global(FieldKind::string, values[0]));
        case EventType::ProgramEnd:
            return stack_.clear();
        case EventType::BufferFlush:
            return flush(head.time, values[0]);
        case EventType::MeasurementOnOff:
            return switch_on_or_off(values[0]);
        case EventType::IoOperationBegin:
        case EventType::IoOperationComplete:
        case EventType::IoOperationCancelled:
            return add_io(head, values);
        case EventType::Metric:
            if (metrics_ != nullptr) metrics_->add(stack_.here(), values, stream_.tables());
            return;
        default:
            if (on_stream_) copy(head.type);
            if (!stack_.empty()) add_bytes(static_cast<EventType>(head.type), values);
    }
}

void LocationProfiler::add_bytes(EventType type, std::span<const u64> values) {
    switch (type) {
        case EventType::MpiSend:
        case EventType::MpiIsend:
            value(ProfileMetric::sent_messages) += values[3];
            break;
        case EventType::MpiRecv:
        case EventType::MpiIrecv:
            value(ProfileMetric::received_messages) += values[3];
            break;
        case EventType::MpiMrecv:
        case EventType::MpiImrecv:
            value(ProfileMetric::received_messages) += values[1];
            break;
        case EventType::MpiCollectiveEnd:
        case EventType::NonBlockingCollectiveComplete:
            value(ProfileMetric::sent_collective) += values[3];
            value(ProfileMetric::received_collective) += values[4];
            break;
        default:
            break;
    }
}

void LocationProfiler::change_thread(const RecordBatch::Head& head, std::span<const u64> values) {
    stack_.change(teams_.follow(head.type, values, stream_.tables(), stack_.here()));
}

void LocationProfiler::add_io(const RecordBatch::Head& head, std::span<const u64> values) {
    const std::optional<IoOperation> done = io_.follow(head, values, stream_.tables(), 0);
    if (!done || stack_.empty()) return;
    if (done->mode == IoMode::read) value(ProfileMetric::read) += done->bytes;
    if (done->mode == IoMode::write) value(ProfileMetric::written) += done->bytes;
}

void LocationProfiler::enter(CallTree::Kind kind, u64 ref) {
    stack_.enter(kind, ref, next_order());
    ++value(ProfileMetric::visits);
}

/// A region of its own, from the record's time to the one that it names.
void LocationProfiler::flush(u64 begin, u64 end) {
    enter(CallTree::Kind::flush, 0);
    advance(std::max(begin, end));
    stack_.pop();
}

void LocationProfiler::switch_on_or_off(u64 mode) {
    if (stack_.empty()) return;
    if (mode == kMeasurementOff) return enter(CallTree::Kind::off, 0);
    if (tree_[stack_.here()].kind == CallTree::Kind::off) stack_.pop();
}

void LocationProfiler::copy(u8 type) {
    if (begins_copy(type)) {
        const bool to_device = type == static_cast<u8>(EventType::RmaGet);
        enter(CallTree::Kind::copy, to_device ? 1 : 0);
    } else if (ends_copy(type) && !stack_.empty() &&
               tree_[stack_.here()].kind == CallTree::Kind::copy) {
        stack_.pop();
    }
}

u64& LocationProfiler::value(ProfileMetric metric) {
    return values_of(stack_.here()).values[index_of(metric)];
}

NodeValues& LocationProfiler::values_of(u32 node) {
    if (node >= places_.size()) places_.resize(tree_.size(), kNone);
    u32& place = places_[node];
    if (place == kNone) {
        place = static_cast<u32>(values_.size());
        values_.push_back({node, {}});
    }
    return values_[place];
}

}  // namespace tracefold

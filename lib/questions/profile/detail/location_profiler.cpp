// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/location_profiler.hpp"

#include "base/types.hpp"
#include "file/call_names.hpp"
#include "model/record_kinds.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u64 kMeasurementOff = 2;  // OTF2_MEASUREMENT_OFF

}  // namespace

LocationProfiler::LocationProfiler(TraceFile& file, u32 location, u32 number, bool with_times,
                                   CallTree& tree, TraceThreads& threads, MetricCollector* metrics,
                                   const IoCrossings* crossings)
    : definitions_(file.definitions()),
      stream_(file, location, with_times ? Times::read : Times::skip),
      number_(number),
      tree_(tree),
      on_stream_(file.definitions().locations()[location].is_stream()),
      stack_(tree, &threads.regions, on_stream_),
      io_(crossings == nullptr ? IoTracker() : IoTracker(*crossings, location)),
      teams_(threads.forks),
      metrics_(metrics) {}

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
    const bool counts = !stack_.empty() && !stack_.is_attached() && !(on_stream_ && runs());
    if (started_ && time > time_ && counts) value(ProfileMetric::time) += time - time_;
    if (!started_ || time > time_) time_ = time;
    started_ = true;
}

void LocationProfiler::take(std::size_t record) {
    const RecordBatch::Head& head = stream_.records()[record];
    if (is_enter(head.type)) {
        const CallReader::Region region = stream_.region(record);
        stack_.enter_region(region.id, region.is_mpi, next_order(), time_);
        ++value(ProfileMetric::visits);
    } else if (is_leave(head.type)) {
        leave(stream_.region(record).id);
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
        case EventType::CallingContextSample:
            return add_sample(stream_.tables().global(FieldKind::calling_context, values[0]));
        case EventType::Metric:
            if (metrics_ != nullptr) metrics_->add(stack_.here(), time_, values, stream_.tables());
            return;
        default:
            if (on_stream_) copy(head.type, values);
            if (!stack_.empty()) add_bytes(static_cast<EventType>(head.type), values);
    }
}

void LocationProfiler::add_bytes(EventType type, std::span<const u64> values) {
    switch (type) {
        case EventType::MpiSend:
        case EventType::MpiIsend:
            add(ProfileMetric::sent_messages, values[3]);
            break;
        case EventType::MpiRecv:
        case EventType::MpiIrecv:
            add(ProfileMetric::received_messages, values[3]);
            break;
        case EventType::MpiMrecv:
        case EventType::MpiImrecv:
            add(ProfileMetric::received_messages, values[1]);
            break;
        case EventType::MpiCollectiveEnd:
        case EventType::NonBlockingCollectiveComplete:
            add(ProfileMetric::sent_collective, values[3]);
            add(ProfileMetric::received_collective, values[4]);
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
    if (done->mode == IoMode::read) add(ProfileMetric::read, done->known_bytes());
    if (done->mode == IoMode::write) add(ProfileMetric::written, done->known_bytes());
}

/// A sample has its own call path below the location's program: other records lack its regions.
void LocationProfiler::add_sample(u64 context) {
    const u32 program = stack_.program();
    const auto [known, fresh] = sampled_.try_emplace({context, program}, program);
    if (fresh) {
        const u64 first = CallTree::call_order(number_, static_cast<u32>(values_.size()));
        for (const u64 region : definitions_.regions_of_context(context)) {
            known->second = tree_.add(known->second, CallTree::Kind::region, region, first);
            // Parents of a node are tree nodes with values, too.
            values_of(known->second);
        }
    }
    if (known->second != kNone) ++values_of(known->second).values[index_of(ProfileMetric::samples)];
}

void LocationProfiler::enter(CallTree::Kind kind, u64 ref) {
    stack_.enter(kind, ref, next_order(), false, time_);
    ++value(ProfileMetric::visits);
}

/// A flush is a region, from the record's time to the stop time in the record.
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

void LocationProfiler::copy(u8 type, std::span<const u64> values) {
    if (begins_copy(type)) {
        const StreamCopies::Copy& begun = copies_.begin(type, values);
        const u64 first = CallTree::call_order(number_, static_cast<u32>(values_.size()));
        stack_.enter_copy(begun.to_device, begun.id, first, time_);
        ++value(ProfileMetric::visits);
    } else if (ends_copy(type)) {
        if (const auto ended = copies_.end(values)) leave(ended->id);
    }
}

void LocationProfiler::add(ProfileMetric metric, u64 bytes) { add_saturated(value(metric), bytes); }
/// On a stream, a region gets its time when it ends.
void LocationProfiler::leave(u64 region) {
    const std::span<const PathStack::OpenNode> ended = stack_.leave(region);
    if (!on_stream_) return;
    for (const PathStack::OpenNode& it : ended) {
        values_of(it.node).values[index_of(ProfileMetric::time)] += time_ - it.begin;
    }
}

/// Whether a stream runs a kernel or a copy.
bool LocationProfiler::runs() const {
    const CallTree::Kind kind = tree_[stack_.here()].kind;
    return kind == CallTree::Kind::region || kind == CallTree::Kind::copy;
}

NodeValues& LocationProfiler::add_values(u32 node) {
    if (node >= places_.size()) places_.resize(tree_.size(), kNone);
    places_[node] = static_cast<u32>(values_.size());
    return values_.emplace_back(NodeValues{node, {}});
}

}  // namespace tracefold

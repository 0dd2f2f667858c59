// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/location_profiler.hpp"

#include "pipeline/call_names.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u64 kMeasurementOff = 2;  // OTF2_MEASUREMENT_OFF

}  // namespace

LocationProfiler::LocationProfiler(TraceFile& file, u32 location, u32 number, bool with_times,
                                   CallTree& tree)
    : definitions_(file.definitions()),
      stream_(file, location, with_times ? Times::read : Times::skip),
      number_(number),
      tree_(tree) {}

std::vector<NodeValues> LocationProfiler::run() {
    while (stream_.next()) {
        const RecordBatch& records = stream_.records();
        for (const RecordBatch::Head& head : records.heads()) {
            advance(head.time);
            take(head, records.values(head));
        }
    }
    return std::move(values_);
}

void LocationProfiler::advance(u64 time) {
    if (started_ && time > time_ && !stack_.empty()) value(ProfileMetric::time) += time - time_;
    if (!started_ || time > time_) time_ = time;
    started_ = true;
}

void LocationProfiler::take(const RecordBatch::Head& head, std::span<const u64> values) {
    if (is_enter(head.type)) return enter(CallTree::Kind::region, region_of(head, values[0]));
    if (is_leave(head.type)) return leave(region_of(head, values[0]));
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
        default:
            break;
    }
    if (stack_.empty()) return;
    switch (static_cast<EventType>(head.type)) {
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

u64 LocationProfiler::region_of(const RecordBatch::Head& head, u64 ref) const {
    const FieldKind kind = event_info(head.type).fields[0].kind;
    return definitions_.region_of(kind, stream_.tables().global(kind, ref));
}

void LocationProfiler::enter(CallTree::Kind kind, u64 ref) {
    const u32 parent = stack_.empty() ? kNone : stack_.back();
    stack_.push_back(tree_.add(parent, kind, ref,
                               CallTree::call_order(number_, static_cast<u32>(values_.size()))));
    ++value(ProfileMetric::visits);
}

void LocationProfiler::leave(u64 region) {
    const auto is_it = [&](u32 node) {
        return tree_[node].kind == CallTree::Kind::region && tree_[node].ref == region;
    };
    const auto found = std::find_if(stack_.rbegin(), stack_.rend(), is_it);
    if (found != stack_.rend()) stack_.erase(found.base() - 1, stack_.end());
}

/// A region of its own, from the record's time to the one that it names.
void LocationProfiler::flush(u64 begin, u64 end) {
    enter(CallTree::Kind::flush, 0);
    advance(std::max(begin, end));
    stack_.pop_back();
}

void LocationProfiler::switch_on_or_off(u64 mode) {
    if (stack_.empty()) return;
    if (mode == kMeasurementOff) return enter(CallTree::Kind::off, 0);
    if (tree_[stack_.back()].kind == CallTree::Kind::off) stack_.pop_back();
}

u64& LocationProfiler::value(ProfileMetric metric) {
    return values_of(stack_.back()).values[index_of(metric)];
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

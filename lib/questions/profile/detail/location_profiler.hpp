// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_reader.hpp"
#include "file/io_files.hpp"
#include "file/region_stack.hpp"
#include "file/thread_forks.hpp"
#include "questions/profile/metric_profile.hpp"
#include "questions/profile/path_walk.hpp"

#include <map>
#include <utility>
#include <vector>

namespace tracefold {

/// Unwinds the events of a location into the exclusive values of its call paths, adding to a tree.
///
/// What threads do that were forked or created belongs below the call path that started them. Time
/// belongs to the region entered last; outside of all regions and of the program to none, so that
/// a worker has none before its first region. A task that is suspended has none, either. As in
/// Score-P's profiles, times without measurement and flushes of the buffer are call paths of their
/// own, and bytes of a receive, or of an operation on a file, belong to the call that completes it,
/// or that begins it if another location completes it. On a stream of an accelerator, copies that
/// are accesses to a window are call paths of their own, too; kernels and copies that run at the
/// same time have each all of their time, which those that never end do not have.
class LocationProfiler {
  public:
    /// `number` of the location in the profile; without times all are 0. `threads` are those of
    /// the locations before, in nodes of the tree (forking_first()). `metrics` get the metric
    /// records if not null. `crossings` tell of operations on files that others complete; null:
    /// there are none. All of them must outlive the profiler.
    LocationProfiler(TraceFile& file, u32 location, u32 number, bool with_times, CallTree& tree,
                     TraceThreads& threads, MetricCollector* metrics = nullptr,
                     const IoCrossings* crossings = nullptr);

    /// Call once. Cost: the location's events. Throws Error(corrupt).
    std::vector<NodeValues> run();

  private:
    void take(std::size_t record);
    void take_other(const RecordBatch::Head& head, std::span<const u64> values);
    void change_thread(const RecordBatch::Head& head, std::span<const u64> values);
    void add_bytes(EventType type, std::span<const u64> values);
    void add_io(const RecordBatch::Head& head, std::span<const u64> values);
    void add_sample(u64 context);
    void advance(u64 time);
    void enter(CallTree::Kind kind, u64 ref);
    /// Of a node that is new.
    [[nodiscard]] u64 next_order() const {
        return CallTree::call_order(number_, static_cast<u32>(values_.size()));
    }
    void flush(u64 begin, u64 end);
    void switch_on_or_off(u64 mode);
    void copy(u8 type, std::span<const u64> values);
    void leave(u64 region);
    [[nodiscard]] bool runs() const;
    void add(ProfileMetric metric, u64 bytes);
    u64& value(ProfileMetric metric) { return values_of(stack_.here()).values[index_of(metric)]; }
    NodeValues& values_of(u32 node) {
        const bool is_known = node < places_.size() && places_[node] != kNone;
        return is_known ? values_[places_[node]] : add_values(node);
    }
    NodeValues& add_values(u32 node);

    const DefinitionIndex& definitions_;
    CallReader stream_;
    u32 number_;
    CallTree& tree_;
    bool on_stream_;
    PathStack stack_;
    StreamCopies copies_;
    IoTracker io_;
    ThreadTeams teams_;
    MetricCollector* metrics_;
    std::vector<u32> places_;  ///< by node: in values_, kNone if it is not there
    std::vector<NodeValues> values_;
    std::map<std::pair<u64, u32>, u32> sampled_;  ///< nodes, by calling context and program
    u64 time_ = 0;
    bool started_ = false;
};

}  // namespace tracefold

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

/// Unwinds the events of a location into exclusive values of its call paths and adds these to a
/// tree.
///
/// Forked or created threads belong below the call path that starts them. Time belongs to the
/// innermost region; time outside of all regions and of the program counts nowhere, so workers have
/// none before their first region, and suspended tasks have none. As in Score-P's profiles, pauses
/// of measurement and buffer flushes are call paths of their own; bytes of a receive or a file
/// operation belong to the completing call, or to the beginning call if another location completes
/// the operation. On an accelerator stream, copies recorded as window accesses are call paths of
/// their own; concurrent kernels and copies each have their full time, unfinished ones none.
class LocationProfiler {
  public:
    /// `number` of the location in the profile; without times all times are 0. `threads`: forked
    /// threads of the preceding locations, by tree node (forking_first()). `metrics` receives the
    /// metric records, may be null. `crossings`: file operations that other locations complete;
    /// null: none. All arguments must outlive the profiler.
    LocationProfiler(TraceFile& file, u32 location, u32 number, bool with_times, CallTree& tree,
                     TraceThreads& threads, MetricCollector* metrics = nullptr,
                     const IoCrossings* crossings = nullptr);

    /// Returns the values. Call once. Cost: the location's events. Throws Error(corrupt).
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
    /// Call order of a new node.
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
    std::vector<u32> places_;  ///< by node: index into values_, kNone: absent
    std::vector<NodeValues> values_;
    std::map<std::pair<u64, u32>, u32> sampled_;  ///< nodes by calling context and program
    u64 time_ = 0;
    bool started_ = false;
};

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/record_source.hpp"
#include "model/definition_index.hpp"
#include "model/event_table.hpp"
#include "support/definition_writer.hpp"

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::testing {

/// A trace that a test makes call by call, to be folded at once, whatever records the libotf2 at
/// hand knows, or to be written as an archive. The clock counts calls, of all locations together.
/// Communicator 0 is MPI_COMM_WORLD, and 1 is MPI_COMM_SELF, whose windows are 0 and, without
/// MPI, 1.
class MadeTrace final : public TraceSource {
  public:
    static constexpr u64 kShmem = 13;
    static constexpr u64 kNoParadigm = 22;

    struct Shape {
        u32 ranks = 2;
        u32 threads = 1;  ///< locations of each rank
        /// Ranks are location groups (OTF2 3.2), the last of which have no location at all.
        bool of_groups = false;
        u32 ranks_without_location = 0;
        /// Of the processes: MPI's, kShmem (then functions of OpenSHMEM begin with "shmem_"), or
        /// kNoParadigm: no group numbers them.
        u64 paradigm = kParadigmMpi;
        /// Window 0 of all ranks, and groups of one rank each, with the ids kFirstAlone + rank.
        bool windows = false;
        bool files = false;  ///< a file that all ranks open through MPI, with handle 0
    };
    struct Event {
        EventType type;
        std::vector<u64> fields;
    };

    explicit MadeTrace(const Shape& shape);

    /// The next call of all.
    void call(u32 rank, const std::string& function, const std::vector<Event>& events = {}) {
        call_of(rank, 0, function, events);
    }
    void call_of(u32 rank, u32 thread, const std::string& function,
                 const std::vector<Event>& events = {});

    /// A call from `begin` to `end`, whose records follow its beginning tick by tick.
    void timed_call(u32 rank, u64 begin, u64 end, const std::string& function,
                    const std::vector<Event>& events = {});

    static constexpr u64 kFirstAlone = 10;

    /// The next record comes at this time.
    void at(u64 time) { clock_ = time; }
    void pass(u64 ticks) { clock_ += ticks; }
    /// The next record of all.
    void record(u32 rank, u32 thread, EventType type, const std::vector<u64>& fields);
    /// The id of a region.
    u64 region(const std::string& name) {
        return regions_.try_emplace(name, regions_.size()).first->second;
    }

    /// The local definitions of a location, to be added to.
    DefinitionWriter& local(u32 rank, u32 thread) { return locals_[location_id(rank, thread)]; }
    /// Adds definitions after all others, with string() of the argument.
    void define(std::function<void(DefinitionWriter&)> more) { more_.push_back(std::move(more)); }

    /// Folds it into a file.
    void fold(const std::string& path, TimingLevel timing = TimingLevel::exact);
    /// Writes it as `<directory>/traces.otf2`.
    void write(const std::string& directory);

    [[nodiscard]] const ArchiveInfo& info() const override { return info_; }
    [[nodiscard]] u64 archive_bytes() const override { return 0; }
    [[nodiscard]] u64 unknown_records() const override { return 0; }
    void read_global_definitions(const BatchSink& sink) override;
    [[nodiscard]] bool has_local_definitions(u64 location) const override {
        return locals_.contains(location);
    }
    [[nodiscard]] bool has_events(u64 location) const override {
        return events_.contains(location);
    }
    void read_local_definitions(u64 location, const BatchSink& sink) override {
        const auto found = locals_.find(location);
        if (found != locals_.end()) sink(found->second.batch());
    }
    u64 read_events(u64 location, const BatchSink& sink) override;
    void read_files(const std::vector<u64>& /*locations*/, bool /*extra*/,
                    const std::string& /*except*/,
                    const std::function<void(const CarriedFile&)>& /*sink*/) override {}

    /// The id of a location.
    [[nodiscard]] static u64 location_id(u32 rank, u32 thread) { return 10 * u64{rank} + thread; }

  private:
    static constexpr u64 kEmpty = 0;  ///< the empty string

    RecordBatch definitions();
    void add_locations(DefinitionWriter& out) const;
    void add_groups(DefinitionWriter& out) const;

    Shape shape_;
    ArchiveInfo info_;
    std::map<u64, RecordBatch> events_;       ///< by location
    std::map<u64, DefinitionWriter> locals_;  ///< by location
    std::vector<std::function<void(DefinitionWriter&)>> more_;
    std::map<std::string, u64> regions_;
    u64 clock_ = 0;
};

}  // namespace tracefold::testing

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/mapping_tables.hpp"
#include "model/definition_index.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "model/record_batch.hpp"
#include "model/symbol.hpp"

#include <initializer_list>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {

/// Regions of a SmallWorld, by id.
enum class Region : u64 {
    main,
    user,
    send,
    recv,
    isend,
    irecv,
    wait,
    waitall,
    waitany,
    testsome,
    startall,
    bcast,
    allreduce,
    ibcast,
    put,
    fence,
    file_write,
    cancel,
};

/// Writes event records one after the other, `step` ticks apart.
class RecordBuilder {
  public:
    explicit RecordBuilder(u64 first_time = 1000, u64 step = 7) : time_(first_time), step_(step) {}

    RecordBuilder& event(EventType type, std::initializer_list<u64> values,
                         std::initializer_list<Attribute> attributes = {});
    RecordBuilder& event(EventType type, const std::vector<u64>& values,
                         const std::vector<Attribute>& attributes = {});
    RecordBuilder& enter(Region region) { return event(EventType::Enter, {id(region)}); }
    RecordBuilder& leave(Region region) { return event(EventType::Leave, {id(region)}); }
    /// A region that holds one record.
    RecordBuilder& call(Region region, EventType type, std::initializer_list<u64> values);
    /// An MPI_Isend or MPI_Irecv.
    RecordBuilder& isend(u64 peer, u64 comm, u64 tag, u64 bytes, u64 request);
    RecordBuilder& irecv(u64 request);
    /// The completion of a receive or a send.
    RecordBuilder& received(u64 peer, u64 comm, u64 tag, u64 bytes, u64 request);
    RecordBuilder& sent(u64 request);
    RecordBuilder& step(u64 ticks) {
        step_ = ticks;
        return *this;
    }

    [[nodiscard]] const RecordBatch& batch() const { return batch_; }

  private:
    static u64 id(Region region) { return static_cast<u64>(region); }

    RecordBatch batch_;
    u64 time_;
    u64 step_;
};

/// Communicators and windows of a SmallWorld, by id.
inline constexpr u64 kWorld = 0;
inline constexpr u64 kSelf = 1;
inline constexpr u64 kEven = 2;       ///< even world ranks
inline constexpr u64 kOdd = 3;        ///< odd world ranks
inline constexpr u64 kReversed = 4;   ///< all ranks, last first
inline constexpr u64 kInter = 5;      ///< even ranks on one side, odd ones on the other
inline constexpr u64 kLocations = 6;  ///< all ranks, by the group of locations itself
inline constexpr u64 kNoGroup = 7;    ///< of a group without a definition
inline constexpr u64 kUnknown = 99;   ///< without a definition
inline constexpr u64 kWorldWindow = 0;
inline constexpr u64 kEvenWindow = 1;

/// The definitions of a program of `ranks` processes, one location each, with sparse ids, and of
/// one location that belongs to no MPI process.
RecordBatch small_world_records(u32 ranks);

class SmallWorld {
  public:
    explicit SmallWorld(u32 ranks);

    [[nodiscard]] const DefinitionIndex& definitions() const { return definitions_; }
    /// The location of a world rank; `ranks` itself is the location without MPI.
    [[nodiscard]] const LocationDefinition& location(u32 rank) const {
        return definitions_.locations()[rank];
    }

  private:
    DefinitionIndex definitions_;
};

/// (local, global)
using IdPairs = std::vector<std::pair<u64, u64>>;
/// Tables read from a MappingTable record for each kind.
MappingTables make_tables(const std::vector<std::pair<FieldKind, IdPairs>>& tables);

/// Equal types, values, attributes and characters; ticks are not looked at.
::testing::AssertionResult same_records(Stream stream, const RecordBatch& expected,
                                        const RecordBatch& actual);

}  // namespace tracefold

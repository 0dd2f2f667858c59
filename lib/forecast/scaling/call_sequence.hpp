// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "model/structure.hpp"
#include "model/symbol.hpp"

#include <map>
#include <string>
#include <vector>

namespace tracefold {

/// One kind of call or definition, the same in all runs, and its arguments.
struct CallType {
    struct Argument {
        std::string name;
        FieldKind kind = FieldKind::value;
        SlotShape shape = SlotShape::one;
        bool late = false;  ///< known only when the request completes
        u16 element = 0;    ///< of the symbol
    };

    std::string name;  ///< for messages: "MPI_Isend", "Location"
    Symbol symbol;     ///< of events and local definitions: with the ids of the first run
    std::string text;  ///< of a string definition: an example, from which others differ by numbers
    std::vector<Argument> arguments;
};

/// The calls and definitions of all runs, numbered.
class CallTypes {
  public:
    /// The number of what goes by this key; `make` describes it if it is new.
    template <class Make>
    u32 number(const std::string& key, const Make& make) {
        const auto [known, is_new] = numbers_.try_emplace(key, static_cast<u32>(kinds_.size()));
        if (is_new) kinds_.push_back(make());
        return known->second;
    }
    [[nodiscard]] const CallType& operator[](u32 number) const { return kinds_[number]; }
    [[nodiscard]] const std::vector<CallType>& all() const { return kinds_; }

  private:
    std::map<std::string, u32> numbers_;
    std::vector<CallType> kinds_;
};

/// What one location does, call by call, or what it defines.
struct CallSequence {
    std::vector<u32> calls;          ///< kind of each
    std::vector<std::size_t> first;  ///< by call: its first value
    /// Argument by argument; an argument of shape `each` stands behind its count, value by value
    /// and then field by field.
    std::vector<u64> values;
    /// How the location sees the peers of an argument; by kind, argument. May be shorter.
    std::vector<std::vector<PeerView>> views;
    /// Ticks from the record before to each record; empty without times. Of several locations that
    /// do the same, the sum.
    std::vector<u64> ticks;
    u32 locations = 1;
};

/// The events of a location as calls, whose peers are relative. Without clock: without ticks.
/// Throws Error(corrupt). Cost: linear in the events, which are all in memory.
CallSequence read_events(TraceFile& file, u32 location, CallTypes& kinds);

/// The definitions of a location but for clock offsets, which are about times that were measured.
CallSequence read_local_definitions(TraceFile& file, u32 location, CallTypes& kinds);

/// The global definitions. Strings that differ by numbers only are of one kind.
CallSequence read_global_definitions(TraceFile& file, CallTypes& kinds);

/// Appends the definition that a call of read_local_definitions() or read_global_definitions()
/// stands for.
void append_definition(const CallType& kind, std::span<const u64> values, RecordBatch& out);

}  // namespace tracefold

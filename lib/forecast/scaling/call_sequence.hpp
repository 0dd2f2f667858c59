// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "model/definition_table.hpp"
#include "model/structure.hpp"
#include "model/symbol.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// A kind of call or definition, shared by all runs, with its arguments.
struct CallType {
    struct Argument {
        std::string name;
        FieldKind kind = FieldKind::value;
        SlotShape shape = SlotShape::one;
        bool late = false;  ///< known only at completion of the request
        u16 element = 0;    ///< of the symbol
    };

    std::string name;  ///< for messages: "MPI_Isend"; of definitions "communicators", "threads"
    Symbol symbol;     ///< of events and local definitions: with ids of the first run
    std::string text;  ///< of a string definition: an example; others differ by numbers
    std::vector<Argument> arguments;
    std::optional<DefinitionType> definition = {};  ///< none: a call
};

/// The kinds of calls and definitions of all runs, numbered.
class CallTypes {
  public:
    /// The number of a key; `make` describes a new one.
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

/// The calls, or the definitions, of one location.
struct CallSequence {
    std::vector<u32> calls;          ///< kind of each
    std::vector<std::size_t> first;  ///< by call: index of its first value
    /// By call and argument; an argument of shape `each` follows its count, by value, then field.
    std::vector<u64> values;
    /// The numbering of an argument's peers on the location; by kind, argument. May be shorter.
    std::vector<std::vector<PeerView>> views;
    /// Ticks from the preceding record; empty without times. Summed over identical locations.
    std::vector<u64> ticks;
    u32 locations = 1;
};

/// The values of a call.
inline std::span<const u64> values_of(const CallSequence& sequence, std::size_t call) {
    const std::size_t end =
        call + 1 < sequence.first.size() ? sequence.first[call + 1] : sequence.values.size();
    return std::span(sequence.values).subspan(sequence.first[call], end - sequence.first[call]);
}

/// Reads the events of a location as calls with relative peers. Without a clock: without ticks.
/// Throws Error(corrupt). Cost: linear in the events, which are all in memory.
CallSequence read_events(TraceFile& file, u32 location, CallTypes& kinds);

/// Reads the definitions of a location, except clock offsets, which depend on measured times.
CallSequence read_local_definitions(TraceFile& file, u32 location, CallTypes& kinds);

/// Reads the global definitions. Strings that differ only by numbers share a kind.
CallSequence read_global_definitions(TraceFile& file, CallTypes& kinds);

/// Appends the definition of a call from read_local_definitions() or read_global_definitions().
void append_definition(const CallType& kind, std::span<const u64> values, RecordBatch& out);

}  // namespace tracefold

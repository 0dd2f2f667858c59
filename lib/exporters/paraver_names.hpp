// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/text_file.hpp"
#include "model/definition_index.hpp"
#include "replay/mpi_call.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

namespace tracefold {

/// What a thread does for a while, numbered as Paraver does.
enum class ParaverState : u8 {
    running = 1,
    waiting_for_message = 3,
    blocking_send = 4,
    synchronisation = 5,
    other = 7,
    wait = 8,
    collective = 9,
    immediate_send = 10,
    immediate_receive = 11,
};

/// Types of events, numbered as Extrae does.
inline constexpr u32 kParaverPointToPoint = 50000001;
inline constexpr u32 kParaverCollective = 50000002;
inline constexpr u32 kParaverOtherMpi = 50000003;
inline constexpr u32 kParaverSent = 50100001;
inline constexpr u32 kParaverReceived = 50100002;
inline constexpr u32 kParaverRoot = 50100003;
inline constexpr u32 kParaverCommunicator = 50100004;
inline constexpr u32 kParaverFunction = 60000019;

ParaverState paraver_state(const MpiCall& call);
/// Point-to-point, collective, or other.
u32 paraver_call_type(const MpiCall& call);

/// The numbers of functions, and which of them occurred: the content of the .pcf file.
class ParaverNames {
  public:
    explicit ParaverNames(const DefinitionIndex& definitions) : definitions_(definitions) {}

    /// Extrae's number where it is well known; else one from 1000 on.
    u32 call_value(const MpiCall& call);
    /// From 1 on.
    u64 region_value(u64 region);

    /// Those that occurred elsewhere, too.
    void take(ParaverNames other) {
        calls_.merge(other.calls_);
        regions_.merge(other.regions_);
    }

    void write(TextOut& out) const;

  private:
    static void write_operation_types(TextOut& out);
    const DefinitionIndex& definitions_;
    /// Names of calls by type of event and value.
    std::map<std::pair<u32, u32>, std::string> calls_;
    std::set<u64> regions_;
};

}  // namespace tracefold

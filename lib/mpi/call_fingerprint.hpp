// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/wildcards.hpp"
#include "mpi/window.hpp"

#include <optional>
#include <string>
#include <unordered_map>

namespace tracefold {

/// Hash of the calls of one location in order: function, members of the communicator, peer, tag,
/// bytes, root, members of new communicators. It depends on the trace alone, neither on the MPI
/// library nor on times. Receives of any source count without the message that they got.
class CallFingerprint {
  public:
    /// `wildcards` (or null): of all calls of the rank. Both must outlive this object.
    CallFingerprint(const CommunicatorTable& table, const Wildcards* wildcards, u64 neighbour_bytes)
        : table_(table), wildcards_(wildcards), neighbour_bytes_(neighbour_bytes) {}

    /// Begins again, for another repetition.
    void restart() { hash_ = 0; }

    /// Adds an issued call.
    void add(const MpiCall& call);
    /// Adds a number of the caller's, such as that of a call that was not issued as recorded.
    void note(u64 value) { hash_ = mix(hash_ + value + 1) + hash_; }

    /// The summand of location number `location` of a rank in the fingerprint of all ranks.
    [[nodiscard]] u64 value(u64 rank, u64 location) const {
        return mix(mix((rank << 32U) + location + 1) ^ hash_);
    }

  private:
    void add(const Action& action);
    void add(const Envelope& envelope, bool has_message);
    void note_members(u64 comm);

    const CommunicatorTable& table_;
    const Wildcards* wildcards_;
    u64 neighbour_bytes_;
    std::unordered_map<u64, u64> members_;  ///< hashes by communicator
    u64 hash_ = 0;
};

/// What a replay is asked for.
struct FingerprintRequest {
    WindowRequest window;
    WildcardChoice wildcards = WildcardChoice::none;
    std::optional<u64> neighbour_bytes;
    bool skip_unsupported = false;
};

/// The fingerprint of the calls that a replay of the file issues. Cost: two walks, three with
/// wildcards, and that of check_replay() if a call lacks a partner. Throws Error: as
/// check_window(), unsupported if a replay would refuse it.
u64 replay_fingerprint(TraceFile& file, const FingerprintRequest& request);

/// 16 hexadecimal digits, of a file or of issued calls.
std::string fingerprint_text(u64 fingerprint);

}  // namespace tracefold

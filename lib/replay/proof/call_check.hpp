// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/call_fingerprint.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/wildcards.hpp"
#include "replay/detail/buffers.hpp"
#include "replay/proof/observation.hpp"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// The result of a comparison of issued calls with the trace.
struct ProofResult {
    u64 calls = 0;        ///< compared
    u64 parts = 0;        ///< messages, collectives, completions, ... compared
    u64 differences = 0;  ///< calls that differ
    u64 fingerprint = 0;  ///< CallFingerprint of one repetition, if there are no differences
    std::vector<std::string> first;  ///< descriptions of the first differences
    /// Calls issued instead of others: recorded name, issued names.
    std::map<std::pair<std::string, std::string>, u64> substitutes;

    static void each_field(auto& self, auto& visit) {
        visit(self.calls, self.parts, self.differences, self.fingerprint, self.first,
              self.substitutes);
    }
    void merge(const ProofResult& other);
    /// Calls in all substitutes.
    [[nodiscard]] u64 substituted() const;
};

/// Compares the issued calls of one location, in order, with the trace: function, members of the
/// communicator, peer, tag, bytes, order of completion.
class CallCheck {
  public:
    static constexpr std::size_t kFirst = 5;

    /// `table` must outlive the check; `place` names the location in sentences ("rank 3").
    /// `wildcards` (or null) are the receives of any source; prepared before the first call.
    /// `bytes_scale`: of the sizes that are issued.
    CallCheck(const CommunicatorTable& table, std::string place,
              const Wildcards* wildcards = nullptr, u64 neighbour_bytes = 0,
              double bytes_scale = 1.0)
        : table_(table),
          place_(std::move(place)),
          wildcards_(wildcards),
          amounts_(bytes_scale),
          fingerprint_(table, wildcards, neighbour_bytes) {}

    /// Call before the program starts again: handles may then denote other communicators.
    void restart() {
        members_.clear();
        fingerprint_.restart();
    }

    void compare(const MpiCall& call, const Observation& observation);
    [[nodiscard]] const ProofResult& result() const { return result_; }
    /// A difference if the receives of any source did not get all recorded messages.
    [[nodiscard]] ProofResult wildcard_result() const;
    /// Of the calls since restart(); a call that differs changes it.
    [[nodiscard]] const CallFingerprint& fingerprint() const { return fingerprint_; }

  private:
    using Kind = ObservedPart::Kind;
    struct Members {
        std::vector<u64> own;
        std::vector<u64> remote;
    };

    void note_substitute(const MpiCall& call, const Observation& observation);
    [[nodiscard]] std::string difference(const MpiCall& call, const Observation& observation);
    [[nodiscard]] std::string difference_in(const Action& action, const ObservedPart* part);
    [[nodiscard]] std::string probe_difference(const MpiCall& call, const Observation& observation);
    [[nodiscard]] std::string silent_difference(const ObservedPart& part);
    [[nodiscard]] std::string message_difference(const Envelope& envelope, const ObservedPart& part,
                                                 bool with_comm);
    [[nodiscard]] bool is_wildcard(const Envelope& envelope) const {
        return wildcards_ != nullptr && wildcards_->has(envelope.comm, envelope.tag);
    }
    [[nodiscard]] std::string wildcard_difference(const Action& action, const ObservedPart& part);
    /// Empty if `found` bytes are those of the trace, scaled for each of so many partners.
    [[nodiscard]] std::string size_difference(const char* what, u64 wanted, u64 found,
                                              u64 partners = 1) const;
    [[nodiscard]] std::string collective_difference(const CollectivePart& wanted,
                                                    const ObservedPart& part);
    [[nodiscard]] bool is_communicator(u64 comm, MPI_Comm handle);
    const Members& members_of(MPI_Comm handle);
    [[nodiscard]] std::string creation_difference(const Action& action,
                                                  const Observation& observation);

    const CommunicatorTable& table_;
    std::string place_;
    const Wildcards* wildcards_;
    Amounts amounts_;
    u64 wildcard_balance_ = 0;  ///< messages of the trace minus messages received, as hashes
    ProofResult result_;
    CallFingerprint fingerprint_;
    std::unordered_map<MPI_Comm, Members> members_;
};

}  // namespace tracefold

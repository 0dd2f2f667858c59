// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/wildcards.hpp"
#include "replay/proof/observation.hpp"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// What a comparison of issued calls with those of the trace came to.
struct ProofResult {
    u64 calls = 0;        ///< compared
    u64 parts = 0;        ///< messages, collectives, completions, ... compared
    u64 differences = 0;  ///< calls with any
    /// Of everything that was compared, in order on each location; equal for equal calls.
    u64 fingerprint = 0;
    std::vector<std::string> first;  ///< a sentence for each of the first of them
    /// Calls that stand for others: recorded name, issued names.
    std::map<std::pair<std::string, std::string>, u64> substitutes;

    static void each_field(auto& self, auto& visit) {
        visit(self.calls, self.parts, self.differences, self.fingerprint, self.first,
              self.substitutes);
    }
    void merge(const ProofResult& other);
};

/// Compares, call by call, what MPI was asked for with what the trace says: function, members of
/// the communicator, peer, tag, bytes, order of completion. For the calls of one location in order.
class CallCheck {
  public:
    static constexpr std::size_t kFirst = 5;

    /// `table` must outlive the check; `place` names the location in sentences ("rank 3").
    /// `wildcards`, if not null, says which receives take messages of any source; prepared before
    /// the first call.
    CallCheck(const CommunicatorTable& table, std::string place,
              const Wildcards* wildcards = nullptr)
        : table_(table), place_(std::move(place)), wildcards_(wildcards) {}

    /// Before the program begins again: handles may stand for other communicators now.
    void forget_communicators() { members_.clear(); }

    void compare(const MpiCall& call, const Observation& observation);
    [[nodiscard]] const ProofResult& result() const { return result_; }
    /// A difference if receives of any source did not get, all together, the messages that the
    /// trace has for them.
    [[nodiscard]] ProofResult wildcard_result() const;
    /// A number for what was compared so far: the same calls with the same arguments in the same
    /// order give the same one. What is waited for after a test, a poll or MPI_Waitsome that did
    /// not find it does not count, since that is a matter of time. `location` tells locations
    /// apart.
    [[nodiscard]] u64 fingerprint(u64 location) const {
        return mix(mix(location + 1) ^ fingerprint_);
    }

  private:
    using Kind = ObservedPart::Kind;
    struct Members {
        std::vector<u64> own;
        std::vector<u64> remote;
    };

    /// Adds to the fingerprint.
    void note(u64 value) { fingerprint_ = mix(fingerprint_ + value + 1) + fingerprint_; }
    void note(const ObservedPart& part);
    void note_calls(const MpiCall& call, const Observation& observation);
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
    [[nodiscard]] std::string collective_difference(const CollectivePart& wanted,
                                                    const ObservedPart& part);
    [[nodiscard]] bool is_communicator(u64 comm, MPI_Comm handle);
    const Members& members_of(MPI_Comm handle);
    [[nodiscard]] std::string creation_difference(const Action& action,
                                                  const Observation& observation);

    const CommunicatorTable& table_;
    std::string place_;
    const Wildcards* wildcards_;
    u64 wildcard_balance_ = 0;  ///< messages of the trace minus messages received, as hashes
    ProofResult result_;
    u64 fingerprint_ = 0;
    std::unordered_map<MPI_Comm, Members> members_;
};

}  // namespace tracefold

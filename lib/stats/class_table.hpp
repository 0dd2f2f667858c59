// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "core/hash.hpp"
#include "model/participants.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold::inline stats {

/// Sets of locations by what they share, as bytes.
class ClassTable {
  public:
    void add(const std::string& key, u32 location) { sets_[key].add(location); }

    [[nodiscard]] const std::map<std::string, ParticipantList>& sets() const { return sets_; }

    /// Unites the sets of all processes on process 0. Collective.
    void reduce(Communicator& comm, int fanout);

  private:
    void merge(std::string_view bytes);

    std::map<std::string, ParticipantList> sets_;
};

/// A sequence of addresses as bytes, runs of equal ones once; and back. Throws Error(corrupt).
std::string sequence_key(const std::vector<ContentHash>& sequence);
std::vector<ContentHash> sequence_of(std::string_view key);

}  // namespace tracefold::inline stats

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/wildcards.hpp"

#include <map>
#include <utility>

namespace tracefold {

/// Finds the receives of a rank that may take messages of any source, which is inferred
/// (Wildcards): they come in the recorded order, which may be another one on another network.
/// Memory: that of Wildcards.
class AnySource {
  public:
    struct Receives {
        u64 count = 0;
        double seconds = 0;  ///< in the calls that completed them, as recorded
    };

    /// Every call of the rank in order, and how long it took.
    void add(const MpiCall& call, double seconds) {
        wildcards_.add(call);
        for (const Action& action : call.actions) {
            const bool receives = action.kind == Action::Kind::receive ||
                                  action.kind == Action::Kind::complete_receive;
            if (!receives) continue;
            Receives& of_class = receives_[{action.envelope.comm, action.envelope.tag}];
            ++of_class.count;
            // A call counts once.
            of_class.seconds += std::exchange(seconds, 0);
        }
    }
    /// After the last call.
    [[nodiscard]] Receives of_any_source() {
        wildcards_.decide(WildcardChoice::detected, false);
        Receives all;
        for (const auto& [channel, receives] : receives_) {
            if (!wildcards_.has(channel.first, channel.second)) continue;
            all.count += receives.count;
            all.seconds += receives.seconds;
        }
        return all;
    }

  private:
    Wildcards wildcards_;
    std::map<std::pair<u64, u32>, Receives> receives_;  ///< by communicator and tag
};

}  // namespace tracefold

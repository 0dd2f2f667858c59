// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedules/communication_survey.hpp"

#include <vector>

namespace tracefold {

/// The communicators on which ranks meet, made by splits of that of all ranks: a split makes all
/// those that have no rank in common. Those of two groups are left out. Memory: a number for each
/// rank and split.
class DumpiCommunicators {
  public:
    /// Throws Error(unsupported) if there are more than the format has numbers for.
    DumpiCommunicators(const CommunicationSurvey& survey, u32 ranks);

    /// Number of the communicator of a context.
    [[nodiscard]] u16 number(const CommunicationSurvey::Context& context) const {
        return numbers_[context.number];
    }

    struct Split {
        std::vector<u32> colors;  ///< by rank; kNone: none
        std::vector<u32> keys;
        u16 number = 0;  ///< of the new communicators
    };
    [[nodiscard]] const std::vector<Split>& splits() const { return splits_; }

  private:
    void split(const CommunicationSurvey::Context& context, u32 ranks);
    [[nodiscard]] bool fits(const Split& split, const CommunicationSurvey::Context& context) const;

    std::vector<u16> numbers_;  ///< by context
    std::vector<Split> splits_;
};

}  // namespace tracefold

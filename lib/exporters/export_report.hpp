// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace tracefold {

/// What became of a part of a trace in a conversion.
enum class Fate : u8 {
    written,       ///< as the format has it
    expanded,      ///< several things of the format stand for it
    approximated,  ///< it is there, but not all that was recorded of it
    merged,        ///< only its time is there, as computation
    dropped,       ///< it is not there
};
inline constexpr std::size_t kFates = 5;

/// "written"
std::string_view fate_name(Fate fate);

/// What a conversion did: how many of which things had which fate. Things are named by their MPI
/// function ("MPI_Put"), by their record type ("Metric records"), or by what they are in the format
/// ("isend").
class ExportReport {
  public:
    using Counts = std::map<std::string, u64, std::less<>>;

    void count(Fate fate, std::string_view thing, u64 times = 1);
    [[nodiscard]] const Counts& of(Fate fate) const {
        return counts_[static_cast<std::size_t>(fate)];
    }
    [[nodiscard]] u64 total(Fate fate) const;

    u32 ranks = 0;
    u64 calls = 0;  ///< MPI calls of the trace
    u64 bytes = 0;  ///< of the output

  private:
    std::array<Counts, kFates> counts_;
};

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedules/fate.hpp"

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace tracefold {

/// "written"
std::string_view fate_name(Fate fate);

/// What is approximated with SizeSource::sender.
inline constexpr std::string_view kSizesOfSenders = "receives (in the size of their sends)";

/// What a conversion did: how many of which things of the trace had which fate, named by their MPI
/// function ("MPI_Put") or record type ("Metric records"), and what the output has how often, in
/// the words of its format ("isend").
class ExportReport {
  public:
    using Counts = std::map<std::string, u64, std::less<>>;

    void count(Fate fate, std::string_view thing, u64 times = 1) {
        add(counts_[static_cast<std::size_t>(fate)], thing, times);
    }
    [[nodiscard]] const Counts& of(Fate fate) const {
        return counts_[static_cast<std::size_t>(fate)];
    }
    [[nodiscard]] u64 total(Fate fate) const;
    void contain(std::string_view thing, u64 times) { add(contents_, thing, times); }
    [[nodiscard]] const Counts& contents() const { return contents_; }

    /// What else was converted: all but the ranks, of which each report has the same.
    void add(const ExportReport& other);

    u32 ranks = 0;
    u64 calls = 0;  ///< MPI calls of the trace
    u64 bytes = 0;  ///< of the output

  private:
    static void add(Counts& counts, std::string_view thing, u64 times);

    Counts contents_;
    std::array<Counts, kFates> counts_;
};

}  // namespace tracefold

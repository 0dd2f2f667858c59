// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "model/mpi_function.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace tracefold {

/// True for regions that are functions of MPI.
inline bool is_mpi_function(const DefinitionIndex& definitions, u64 region) {
    return definitions.is_mpi_region(region) &&
           find_mpi_function(definitions.region_name(region), definitions.region_role(region))
               .has_value();
}

/// An open region: its global id.
struct OpenRegion {
    u64 region;
};

/// The regions that a location is in, each with what the user of the stack keeps for it: `Entry`
/// has a member `region`.
///
/// The stack has the one rule for records that do not nest. A Leave ends the innermost open region
/// with its id, and with it all regions entered since, whose own Leave is missing. While an MPI
/// call is open, this concerns only the call itself and what was entered within it: recorders write
/// Enter and Leave of MPI functions in one place, so that these can be relied on. A Leave that
/// finds no such region is ignored. Memory: the regions that were ever open at once.
template <class Entry>
class RegionStack {
  public:
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] const Entry& back() const { return entries_[size_ - 1]; }
    /// Outermost first.
    [[nodiscard]] std::span<const Entry> open() const { return {entries_.data(), size_}; }
    [[nodiscard]] bool in_mpi_call() const { return mpi_call_ < size_; }

    /// `is_mpi`: is_mpi_function().
    void enter(const Entry& entry, bool is_mpi) {
        if (is_mpi && !in_mpi_call()) mpi_call_ = size_;
        if (size_ == entries_.size()) {
            entries_.push_back(entry);
        } else {
            entries_[size_] = entry;
        }
        ++size_;
    }

    /// Ends what a Leave of this region ends. Returns it, outermost first, valid until the next
    /// enter(); empty if the Leave is ignored.
    std::span<const Entry> leave(u64 region) {
        const std::size_t bottom = in_mpi_call() ? mpi_call_ : 0;
        for (std::size_t i = size_; i-- > bottom;) {
            if (entries_[i].region != region) continue;
            const std::span<const Entry> ended(entries_.data() + i, size_ - i);
            cut_to(i);
            return ended;
        }
        return {};
    }

    /// Ends the innermost region. Precondition: there is one.
    void pop() { cut_to(size_ - 1); }
    void clear() { cut_to(0); }

    static void each_field(auto& self, auto& visit) {
        visit(self.entries_, self.size_, self.mpi_call_);
    }

  private:
    static constexpr std::size_t kNoCall = ~std::size_t{0};

    void cut_to(std::size_t size) {
        size_ = size;
        if (mpi_call_ >= size_) mpi_call_ = kNoCall;
    }

    std::vector<Entry> entries_;  ///< those from size_ on have ended
    std::size_t size_ = 0;
    std::size_t mpi_call_ = kNoCall;  ///< place of the outermost open MPI call
};

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "model/mpi_function.hpp"
#include "model/record_kinds.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

inline bool is_mpi_function(const DefinitionIndex& definitions, u64 region) {
    return definitions.is_mpi_region(region) &&
           find_mpi_function(definitions.region_name(region), definitions.region_role(region))
               .has_value();
}

struct OpenRegion {
    u64 region;
};

/// The region that a Leave ends if it does not name the innermost open one. RegionNesting chooses.
enum class LeaveRule : u8 {
    /// The innermost open one.
    position,
    /// The innermost open one of its name, including all regions entered since, whose Leaves are
    /// missing. During an MPI call, only the call itself and regions within it are candidates:
    /// recorders write Enter and Leave of MPI functions together, which makes them reliable. A
    /// Leave without a match is ignored.
    name,
    /// As `name`, but outside of MPI calls a Leave without a match ends the innermost region,
    /// unless a region that ended with an enclosing one still lacks its Leave.
    name_or_position,
};

/// The open regions of a location, with user data: `Entry` has a member `region`. An explicit
/// task's regions are on top of those of the implicit task, which are hidden while it runs. Memory:
/// the maximum number of open regions.
///
/// On an accelerator stream regions are not nested: kernels and copies overlap and end in any
/// order. There a Leave ends only the oldest open region with its id.
template <class Entry>
class RegionStack {
  public:
    RegionStack() = default;
    /// `overlaps` is true for accelerator streams.
    explicit RegionStack(bool overlaps) : overlaps_(overlaps) {}

    [[nodiscard]] bool overlaps() const { return overlaps_; }
    [[nodiscard]] bool empty() const { return size_ == floor_; }
    [[nodiscard]] const Entry& back() const { return entries_[size_ - 1]; }
    /// Outermost first.
    [[nodiscard]] std::span<const Entry> open() const {
        return {entries_.data() + floor_, size_ - floor_};
    }
    [[nodiscard]] std::span<Entry> open() { return {entries_.data() + floor_, size_ - floor_}; }
    /// Outermost first; an explicit task's regions follow those of the implicit task.
    [[nodiscard]] std::span<const Entry> with_suspended() const { return {entries_.data(), size_}; }
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

    /// Ends the region of a Leave. Returns all ended regions, outermost first, valid until the next
    /// enter(); empty if the Leave is ignored. Regions from CallReader::region() need
    /// LeaveRule::name.
    std::span<const Entry> leave(u64 region, LeaveRule rule = LeaveRule::name) {
        if (empty()) return {};
        if (overlaps_) return leave_oldest(region);
        if (back().region == region || rule == LeaveRule::position) return end_from(size_ - 1);
        const std::size_t bottom = in_mpi_call() ? mpi_call_ : floor_;
        for (std::size_t i = size_ - 1; i-- > bottom;) {
            if (entries_[i].region != region) continue;
            unpaired_ += size_ - 1 - i;
            return end_from(i);
        }
        if (rule == LeaveRule::name || in_mpi_call()) return {};
        if (unpaired_ == 0) return end_from(size_ - 1);
        --unpaired_;
        return {};
    }

    /// Ends the innermost region. Precondition: there is one.
    void pop() { cut_to(size_ - 1); }
    void clear() { cut_to(floor_); }

    /// Switches from the implicit task to an explicit one without open regions.
    void begin_task() {
        in_task_ = true;
        floor_ = size_;
        outer_mpi_call_ = mpi_call_;
        mpi_call_ = kNoCall;
    }
    /// Switches to the implicit task; drops the regions of the explicit one.
    void end_task() {
        in_task_ = false;
        cut_to(floor_);
        floor_ = 0;
        mpi_call_ = outer_mpi_call_;
    }
    [[nodiscard]] bool in_task() const { return in_task_; }

    static void each_field(auto& self, auto& visit) {
        visit(self.entries_, self.size_, self.mpi_call_, self.floor_, self.outer_mpi_call_,
              self.in_task_, self.overlaps_, self.unpaired_);
    }

  private:
    static constexpr std::size_t kNoCall = ~std::size_t{0};

    std::span<const Entry> end_from(std::size_t first) {
        const std::span<const Entry> ended(entries_.data() + first, size_ - first);
        cut_to(first);
        return ended;
    }

    std::span<const Entry> leave_oldest(u64 region) {
        const auto begin = entries_.begin();
        const auto end = begin + static_cast<std::ptrdiff_t>(size_);
        const auto found =
            std::find_if(begin, end, [&](const Entry& it) { return it.region == region; });
        if (found == end) return {};
        std::rotate(found, found + 1, end);
        cut_to(size_ - 1);
        return {entries_.data() + size_, 1};
    }

    void cut_to(std::size_t size) {
        size_ = size;
        if (mpi_call_ >= size_) mpi_call_ = kNoCall;
    }

    std::vector<Entry> entries_;  ///< ended from size_ on
    std::size_t size_ = 0;
    std::size_t mpi_call_ = kNoCall;        ///< index of the outermost open MPI call
    std::size_t floor_ = 0;                 ///< entries before it belong to the implicit task
    std::size_t outer_mpi_call_ = kNoCall;  ///< of the implicit task while another one runs
    bool in_task_ = false;
    bool overlaps_ = false;
    u64 unpaired_ = 0;  ///< regions that ended with an enclosing one and lack their Leave
};

/// The copies running on an accelerator stream: window accesses between begins_copy() and
/// ends_copy() records. A completion belongs to the oldest copy with its window and matching id;
/// recorders without matching ids complete the oldest copy of the window. Memory: incomplete
/// copies.
class StreamCopies {
  public:
    struct Copy {
        u64 id = 0;  ///< unique among regions and copies of the location
        bool to_device = false;
        u64 bytes = 0;
        u64 window = 0;
        u64 matching = 0;
    };

    /// True for ids of copies; those of regions have 32 bits.
    static constexpr bool is_copy(u64 id) { return id >= kFirst; }

    const Copy& begin(u8 type, std::span<const u64> values) {
        return open_.emplace_back(Copy{kFirst + next_++, type == static_cast<u8>(EventType::RmaGet),
                                       values[2], values[0], values[3]});
    }
    /// Returns nothing if the record completes no copy.
    std::optional<Copy> end(std::span<const u64> values) {
        auto found = std::find_if(open_.begin(), open_.end(), [&](const Copy& it) {
            return it.window == values[0] && it.matching == values[1];
        });
        if (found == open_.end()) {
            found = std::find_if(open_.begin(), open_.end(),
                                 [&](const Copy& it) { return it.window == values[0]; });
        }
        if (found == open_.end()) return std::nullopt;
        const Copy copy = *found;
        open_.erase(found);
        return copy;
    }

  private:
    static constexpr u64 kFirst = u64{1} << 62U;

    std::vector<Copy> open_;
    u64 next_ = 0;
};

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "view/lane.hpp"

#include <condition_variable>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// The lanes of a trace, made when they are asked for and kept as long as there is room for them;
/// those that were not asked for the longest time go first. For concurrent use.
class LaneCache {
  public:
    /// Makes the lane of a location.
    using Maker = std::function<std::shared_ptr<const Lane>(u32 location)>;

    /// `most_bytes`: room for lanes; the lanes of one answer may exceed it for a while.
    explicit LaneCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    /// The lane of a location, made by `make` unless another thread is at it. Throws what `make`
    /// throws.
    std::shared_ptr<const Lane> get(u32 location, const Maker& make);
    /// The same, null instead of a wait where it would have to be made.
    std::shared_ptr<const Lane> find(u32 location);
    /// Makes the first of these lanes that nobody has made or is making; false if there is none, or
    /// no room.
    bool make_ahead(const std::vector<u32>& locations, const Maker& make);

    /// How many lanes there are, and their memory in bytes.
    struct Filling {
        std::size_t lanes = 0;
        std::size_t bytes = 0;
    };
    [[nodiscard]] Filling filling() const;

  private:
    struct Kept {
        std::shared_ptr<const Lane> lane;  ///< null: being made
        std::list<u32>::iterator use;
    };

    std::shared_ptr<const Lane> make_now(u32 location, const Maker& make,
                                         std::unique_lock<std::mutex>& lock);
    void let_go();

    std::size_t most_bytes_;
    mutable std::mutex mutex_;
    std::condition_variable made_;
    std::unordered_map<u32, Kept> lanes_;
    std::list<u32> uses_;  ///< the last used first
    std::size_t bytes_ = 0;
};

}  // namespace tracefold

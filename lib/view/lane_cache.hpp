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
#include <unordered_set>
#include <vector>

namespace tracefold {

/// The lanes of a trace, made when they are asked for and kept as long as there is room for them;
/// those that were released go first, then those that were not asked for the longest time. For
/// concurrent use.
class LaneCache {
  public:
    /// Makes the lane of a location.
    using Maker = std::function<std::shared_ptr<const Lane>(u32 location)>;

    /// `most_bytes`: room for lanes; the lanes of one answer may exceed it for a while.
    explicit LaneCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    /// The lane of a location, made by `make` unless another thread is at it. Throws what `make`
    /// throws.
    std::shared_ptr<const Lane> get(u32 location, const Maker& make);
    /// The same, null instead if it would have to be made and has no room. For this and
    /// make_ahead(), there is room where no other lane has to go but those that were released; a
    /// lane is expected to be as large as the largest one so far.
    std::shared_ptr<const Lane> get_if_room(u32 location, const Maker& make);
    /// Makes the first of these lanes that nobody has made or is making and that was not released;
    /// false if there is none, or no room.
    bool make_ahead(const std::vector<u32>& locations, const Maker& make);
    /// Takes a lane that was made elsewhere, if there is room and it is not here.
    void take(const std::shared_ptr<const Lane>& lane);
    /// Nobody needs the lane of this location, until it is asked for again.
    void release(u32 location);
    [[nodiscard]] bool contains(u32 location) const;

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

    std::shared_ptr<const Lane> find(u32 location, std::unique_lock<std::mutex>& lock);
    std::shared_ptr<const Lane> make_now(u32 location, const Maker& make,
                                         std::unique_lock<std::mutex>& lock);
    void note_made(u32 location, std::shared_ptr<const Lane> lane);
    [[nodiscard]] bool has_room() const;
    void let_go();

    std::size_t most_bytes_;
    mutable std::mutex mutex_;
    std::condition_variable made_;
    std::unordered_map<u32, Kept> lanes_;
    std::list<u32> uses_;               ///< the last used first, those released last
    std::unordered_set<u32> released_;  ///< kept or not
    std::size_t bytes_ = 0;
    std::size_t released_bytes_ = 0;  ///< of bytes_
    std::size_t largest_ = 0;         ///< of one lane so far
    std::size_t making_ = 0;          ///< lanes
};

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/flat_map.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// A part of a call, named by the location (among those that are walked), the number of the call
/// there, and the number of the action in the call.
struct CallPlace {
    CallPlace() = default;
    CallPlace(u32 of_walker, u64 of_index, u32 of_action)
        : index(of_index), walker(of_walker), action(of_action) {}

    bool operator==(const CallPlace&) const = default;

    u64 index = 0;  ///< comes first, so that there are no gaps
    u32 walker = 0;
    u32 action = 0;
};

/// Something for each of several places, for as long as it is outstanding. Each location has a
/// table of its own, which is small and at hand while its calls are walked.
template <class Value>
class ByPlace {
  public:
    /// Null if there is none; holds until something is added or removed.
    [[nodiscard]] Value* find(CallPlace place) {
        return place.walker < walkers_.size() ? walkers_[place.walker].find(part(place)) : nullptr;
    }
    [[nodiscard]] bool contains(CallPlace place) { return find(place) != nullptr; }
    /// What is there, or something new.
    Value& operator[](CallPlace place) {
        if (place.walker >= walkers_.size()) walkers_.resize(place.walker + std::size_t{1});
        return walkers_[place.walker][part(place)];
    }
    /// Removes what is there and gives it back; nothing if there is none.
    std::optional<Value> take(CallPlace place) {
        if (place.walker >= walkers_.size()) return std::nullopt;
        return walkers_[place.walker].take(part(place));
    }
    void erase(CallPlace place) { static_cast<void>(take(place)); }

  private:
    struct Part {
        u64 index = 0;
        u32 action = 0;

        bool operator==(const Part&) const = default;
    };
    struct Hash {
        u64 operator()(const Part& part) const { return u64{part.action} << 32U ^ part.index; }
    };
    static Part part(CallPlace place) { return {place.index, place.action}; }

    std::vector<FlatMap<Part, Value, Hash>> walkers_;
};

}  // namespace tracefold

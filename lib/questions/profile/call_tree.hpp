// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/flat_map.hpp"
#include "base/hash.hpp"
#include "base/types.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// A call tree: a region called from another one is its child. Nodes are numbered as they are
/// added, parents before children. Memory: 48 bytes per node, twice that while nodes are added.
class CallTree {
  public:
    enum class Kind : u8 {
        program,  ///< `ref`: string id of its name
        region,   ///< `ref`: global region id
        flush,    ///< buffer flush of the recorder
        off,      ///< recording switched off
        tasks,    ///< explicit tasks
        copy,     ///< on a stream; `ref` 1: to the accelerator, 0: from it
    };
    struct Node {
        Kind kind = Kind::region;
        u32 depth = 0;  ///< of roots 0
        u64 ref = 0;
        u32 parent = kNone;  ///< kNone: a root
        u64 first = 0;       ///< first call: location, then step there
        u32 first_child = kNone;
        u32 next_sibling = kNone;
        u32 last_child = kNone;
    };

    /// Position in the order of first calls: by location, then by step.
    static constexpr u64 call_order(u32 location, u32 step) { return u64{location} << 32U | step; }

    /// The node of this kind below `parent` (kNone: a root), created if missing, with the earliest
    /// `first`.
    u32 add(u32 parent, Kind kind, u64 ref, u64 first);

    [[nodiscard]] u32 size() const { return static_cast<u32>(nodes_.size()); }
    [[nodiscard]] const Node& operator[](u32 node) const { return nodes_[node]; }

    /// Adds the missing nodes of `other` after the existing ones. Returns the number here of each
    /// node of `other`. Associative: children keep the order of the first tree that contains them.
    std::vector<u32> merge(const CallTree& other);

    /// Nodes in depth-first preorder.
    [[nodiscard]] std::vector<u32> depth_first() const;
    /// A copy with children in the order of their first calls, numbered depth first.
    [[nodiscard]] CallTree in_call_order() const;

    [[nodiscard]] std::vector<u32> child_counts() const;

    [[nodiscard]] std::string to_bytes() const;
    /// Throws Error(corrupt).
    static CallTree from_bytes(std::string_view bytes);

  private:
    struct Key {
        u32 parent;
        Kind kind;
        u64 ref;

        bool operator==(const Key&) const = default;
    };
    struct Hash {
        u64 operator()(const Key& key) const {
            u64 h = (u64{key.parent} << 8U | static_cast<u64>(key.kind)) ^ (key.ref << 32U);
            h *= kGolden;
            return h ^ (h >> 29U);
        }
    };

    u32 append(u32 parent, Kind kind, u64 ref, u64 first);

    std::vector<Node> nodes_;
    FlatMap<Key, u32, Hash> numbers_;  ///< of all nodes once add() was called
    u32 first_root_ = kNone;
    u32 last_root_ = kNone;
};

}  // namespace tracefold

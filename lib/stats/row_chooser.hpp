// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "query/call_names.hpp"
#include "stats/row_tree.hpp"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

namespace tracefold {

/// What statistics are kept of, and of which calls.
struct RowRequest {
    enum class By : u8 {
        call,  ///< functions
        path,  ///< functions by the regions that they are called in
        loop,  ///< outermost loops, by the names of the calls in them
    };

    By by = By::call;
    /// Names of regions that are wanted; all if there is no function.
    std::function<bool(const std::string&)> matches;
    /// Functions of MPI only.
    bool only_mpi = false;
    /// All that is wanted in one row of this name.
    std::optional<std::string> together;
    /// Below which row those of a location stand; below the root if there is no function.
    std::function<u32(RowTree& rows, u32 location)> group;
};

/// Finds the row of a region where it is entered.
class RowChooser {
  public:
    struct Choice {
        u32 row = RowTree::kRoot;
        bool wanted = false;
    };

    /// Everything must outlive this object.
    RowChooser(const DefinitionIndex& definitions, const RowRequest& request, RowTree& rows)
        : definitions_(definitions), request_(request), rows_(rows) {}

    /// The row that all rows of a location stand below.
    u32 group(u32 location) {
        return request_.group ? request_.group(rows_, location) : RowTree::kRoot;
    }

    /// `outer`: the row of the region around, or the group. Cost: one look-up.
    Choice region(u32 group, u32 outer, u64 region);

    /// Of what stands in no region.
    Choice name(u32 group, const std::string& name, bool mpi);

    /// Of a loop, whose functions decide whether it is wanted.
    Choice loop(u32 group, const std::string& label, bool wanted);

    [[nodiscard]] bool wants(const std::string& name, bool mpi) const {
        return (mpi || !request_.only_mpi) && (!request_.matches || request_.matches(name));
    }

  private:
    Choice row(u32 group, const std::string& name, bool mpi, bool wanted);

    struct Key {
        u32 parent;
        u64 region;

        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const {
            return static_cast<std::size_t>(u64{key.parent} << 32U ^ key.region);
        }
    };

    const DefinitionIndex& definitions_;
    const RowRequest& request_;
    RowTree& rows_;
    std::unordered_map<Key, Choice, Hash> known_;
};

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/thread_team.hpp"
#include "base/types.hpp"
#include "file/call_names.hpp"
#include "file/location_blocks.hpp"
#include "file/trace_file.hpp"
#include "questions/structure/iterations.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// Hierarchical names that statistics are kept for, numbered by first use. Functions are below the
/// root, call paths below the functions that lead to them. Memory: the names.
class RowTree {
  public:
    static constexpr u32 kRoot = 0;
    /// Maximum depth: a path needs memory proportional to its depth.
    static constexpr u32 kDeepest = 1000;

    struct Row {
        u32 parent = kNone;  ///< smaller than the row's own number; kNone for the root
        std::string name;
        bool mpi = false;  ///< a function of MPI
        u32 depth = 0;     ///< number of ancestors
    };

    RowTree() : rows_(1) {}

    /// The row `name` below `parent`; created if missing. Throws Error(unsupported) below kDeepest.
    u32 child(u32 parent, std::string_view name, bool mpi);

    [[nodiscard]] u32 size() const { return static_cast<u32>(rows_.size()); }
    [[nodiscard]] const Row& operator[](u32 row) const { return rows_[row]; }
    /// Names from below the root down to a row.
    [[nodiscard]] std::vector<std::string> path(u32 row) const;

    void write(ByteWriter& out) const;
    /// Adds the rows of a serialised tree. Returns their numbers in this tree, by serialised
    /// number. Throws Error(corrupt).
    std::vector<u32> merge(ByteReader& in);

  private:
    std::vector<Row> rows_;
    std::map<std::pair<u32, std::string>, u32, std::less<>> numbers_;
};

/// Selects the rows and the calls that count for them.
struct RowRequest {
    enum class By : u8 {
        call,  ///< functions
        path,  ///< functions by enclosing regions
        loop,  ///< outermost loops, named by their calls
    };

    By by = By::call;
    /// Selects names of regions; empty function: all.
    std::function<bool(const std::string&)> matches;
    /// MPI functions only.
    bool only_mpi = false;
    /// Combines all selected calls in one row of this name.
    std::optional<std::string> together;
    /// The parent row of a location's rows; empty function: the root.
    std::function<u32(RowTree& rows, u32 location)> group;
};

/// Finds the row of an entered region.
class RowChooser {
  public:
    struct Choice {
        u32 row = RowTree::kRoot;
        bool wanted = false;
    };

    /// The arguments must outlive this object.
    RowChooser(const DefinitionIndex& definitions, const RowRequest& request, RowTree& rows)
        : definitions_(definitions), request_(request), rows_(rows) {}

    /// The row above all rows of a location.
    u32 group(u32 location) {
        return request_.group ? request_.group(rows_, location) : RowTree::kRoot;
    }

    /// The row of a region. `outer`: row of the enclosing region, or the group. Cost: one look-up.
    Choice region(u32 group, u32 outer, u64 region);

    /// The row of a record outside of all regions.
    Choice name(u32 group, const std::string& name, bool mpi);

    /// The row of a loop; its functions decide whether it is `wanted`.
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

/// Sum over all processes, on all of them. Collective.
inline u64 sum_over(Communicator& comm, u64 number) {
    const std::vector<u64> numbers = comm.all_gather(number);
    return std::accumulate(numbers.begin(), numbers.end(), u64{0});
}

/// Maximum number of iterations over all processes; `locations`: of this one. Collective.
inline u64 most_iterations(Communicator& comm, Iterations& iterations,
                           const std::vector<u32>& locations) {
    u64 most = 0;
    agree(comm, [&] {
        for (const u32 location : locations) most = std::max(most, iterations.count(location));
    });
    return std::ranges::max(comm.all_gather(most));
}

/// Merges the rows of all processes and their `values` on process 0. `write(value, out)` serialises
/// the value of one row, `merge(value, in)` adds a serialised value; `name` describes the value in
/// messages. Collective.
template <class Value, class Write, class Merge>
void reduce_rows(Communicator& comm, RowTree& rows, std::vector<Value>& values,
                 const std::string& name, const Write& write, const Merge& merge, int fanout) {
    const auto serialise = [&](std::vector<Value>& mine) {
        ByteWriter out;
        rows.write(out);
        mine.resize(rows.size());
        for (const Value& value : mine) write(value, out);
        return out.take();
    };
    const auto merge_bytes = [&](std::vector<Value>& mine, std::string_view bytes) {
        ByteReader in(bytes, name);
        const std::vector<u32> here = rows.merge(in);
        mine.resize(rows.size());
        for (const u32 row : here) merge(mine[row], in);
        in.expect_end();
    };
    reduce_tree(comm, values, serialise, merge_bytes, fanout);
}

inline void refuse_threads(const Communicator& comm, u32 threads) {
    if (threads < 2) return;
    throw Error(ErrorKind::usage,
                "each of the {} processes uses one thread; omit --threads, or start {} times as "
                "many processes",
                comm.size(), threads);
}

/// Runs collective work on a file and returns the result of process 0. Several processes use one
/// thread each. A single process uses up to `threads` threads that act as processes (0: one per
/// core for large files). `work` is work(comm) and must not change shared data. Collective; throws
/// what `work` throws, and Error(usage) for several processes with several threads.
template <class Work>
auto over_threads(Communicator& comm, const TraceFile& file, u32 threads, const Work& work) {
    using Result = decltype(work(comm));
    if (comm.size() != 1) {
        refuse_threads(comm, threads);
        return work(comm);
    }
    Result result{};
    run_as_team(useful_threads(file.definitions().locations(), threads), [&](Communicator& team) {
        Result own = work(team);
        if (team.rank() == 0) result = std::move(own);
    });
    return result;
}

}  // namespace tracefold

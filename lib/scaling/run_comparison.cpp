// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/run_comparison.hpp"

#include "core/error.hpp"
#include "core/hash.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tracefold {

namespace {

void expect_times(const std::vector<RunProfile>& runs) {
    for (const RunProfile& run : runs) {
        if (run.has_times) continue;
        throw Error(ErrorKind::usage, "{} has no times, so that there is nothing to compare",
                    run.name);
    }
}

/// By rank: how rarely it calls each path, as one number.
std::vector<u64> keys_of_ranks(const RunProfile& run) {
    std::vector<u64> keys(run.ranks, 0);
    for (const RunProfile::Path& path : run.paths) {
        std::vector<u64> different = path.visits;
        std::ranges::sort(different);
        different.erase(std::unique(different.begin(), different.end()), different.end());
        const u64 name = checksum(path.name);
        for (std::size_t rank = 0; rank < path.visits.size(); ++rank) {
            if (path.visits[rank] == 0) continue;
            const auto from_below = std::ranges::lower_bound(different, path.visits[rank]) -
                                    different.begin() - (different.front() == 0 ? 1 : 0);
            // A sum: runs may come to the paths in another order.
            keys[rank] += mix(mix(name) + static_cast<u64>(from_below));
        }
    }
    return keys;
}

/// By run and rank: its class, numbered by first appearance; and how many ranks each class has.
std::vector<std::vector<u32>> classes_of(const std::vector<RunProfile>& runs,
                                         std::vector<std::vector<u64>>& ranks) {
    std::map<u64, u32> numbers;
    std::vector<std::vector<u32>> classes;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        auto& of_run = classes.emplace_back();
        for (const u64 key : keys_of_ranks(runs[run])) {
            const auto [known, is_new] = numbers.try_emplace(key, static_cast<u32>(numbers.size()));
            if (is_new) ranks.emplace_back(runs.size(), 0);
            ++ranks[known->second][run];
            of_run.push_back(known->second);
        }
    }
    return classes;
}

/// Adds up times by path and class.
class Collector {
  public:
    explicit Collector(std::size_t runs) : runs_(runs) {}

    void add(std::size_t run, const std::string& path, u32 rank_class, double seconds) {
        const auto [known, is_new] = numbers_.try_emplace({rank_class, path}, paths_.size());
        if (is_new) paths_.push_back({path, rank_class, std::vector<double>(runs_, 0), 0});
        paths_[known->second].seconds[run] += seconds;
    }

    std::vector<ComparedPath> take() { return std::move(paths_); }

  private:
    std::size_t runs_;
    std::map<std::pair<u32, std::string>, std::size_t> numbers_;
    std::vector<ComparedPath> paths_;
};

}  // namespace

RunComparison compare_runs(const std::vector<RunProfile>& runs, bool by_class) {
    expect_times(runs);
    RunComparison result;
    std::vector<std::vector<u32>> classes;
    if (by_class) classes = classes_of(runs, result.class_ranks);
    Collector collector(runs.size());
    for (std::size_t run = 0; run < runs.size(); ++run) {
        for (const RunProfile::Path& path : runs[run].paths) {
            if (!by_class) {
                const double sum = path.totals[index_of(ProfileMetric::time)];
                collector.add(run, path.name, 0, sum / runs[run].ranks);
                continue;
            }
            for (std::size_t rank = 0; rank < path.seconds.size(); ++rank) {
                collector.add(run, path.name, classes[run][rank],
                              path.seconds[rank] / runs[run].ranks);
            }
        }
    }
    result.paths = collector.take();
    result.seconds.assign(runs.size(), 0);
    for (ComparedPath& path : result.paths) {
        for (std::size_t run = 0; run < runs.size(); ++run)
            result.seconds[run] += path.seconds[run];
        path.change = path.seconds.back() - path.seconds.front();
    }
    result.change = result.seconds.back() - result.seconds.front();
    std::ranges::stable_sort(result.paths, [](const ComparedPath& a, const ComparedPath& b) {
        return std::abs(a.change) > std::abs(b.change);
    });
    return result;
}

}  // namespace tracefold

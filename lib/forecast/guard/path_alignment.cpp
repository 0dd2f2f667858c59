// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/guard/path_alignment.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <string_view>

namespace tracefold {

namespace {

constexpr double kAlike = 0.8;
constexpr std::size_t kMostPairs = 10'000;  ///< of children that are compared

/// Calls by MPI function in a subtree; the visits of the path itself have no name.
using Likeness = std::map<std::string, u64>;

/// Of all paths.
std::vector<Likeness> likenesses(const GuardedRun& run) {
    std::vector<Likeness> all(run.paths.size());
    for (std::size_t i = run.paths.size(); i-- > 0;) {
        const GuardedRun::Path& path = run.paths[i];
        const u64 visits = RankNumbers::sum(path.numbers[0]);
        if (path.parent != kNone) {
            Likeness& above = all[path.parent];
            if (path.is_mpi && !path.polls) above[path.call] += visits;
            for (const auto& [call, count] : all[i]) above[call] += count;
        }
        all[i][""] = visits;
    }
    return all;
}

double similarity(const Likeness& a, const Likeness& b) {
    double common = 0;
    double whole = 0;
    for (const auto& [call, count] : a) {
        const auto other = b.find(call);
        const auto mine = static_cast<double>(count);
        const double theirs = other == b.end() ? 0 : static_cast<double>(other->second);
        common += std::min(mine, theirs);
        whole += std::max(mine, theirs);
    }
    for (const auto& [call, count] : b) whole += a.contains(call) ? 0 : static_cast<double>(count);
    return whole == 0 ? 0 : common / whole;
}

std::vector<std::vector<u32>> children_of(const GuardedRun& run, std::vector<u32>& roots) {
    std::vector<std::vector<u32>> children(run.paths.size());
    for (u32 i = 0; i < run.paths.size(); ++i) {
        const u32 parent = run.paths[i].parent;
        (parent == kNone ? roots : children[parent]).push_back(i);
    }
    return children;
}

/// Adds runs to the tree one by one.
class Aligner {
  public:
    explicit Aligner(const std::vector<const GuardedRun*>& runs)
        : runs_(runs), likenesses_(runs.size()) {}

    AlignedTree align() {
        for (u32 run = 0; run < runs_.size(); ++run) {
            std::vector<u32> roots;
            const auto children = children_of(*runs_[run], roots);
            places_.assign(runs_[run]->paths.size(), kNone);
            if (roots.size() == 1 && roots_.size() == 1) {
                place(run, roots.front(), roots_.front());
            } else {
                place_children(run, kNone, roots);
            }
            for (u32 path = 0; path < children.size(); ++path)
                place_children(run, places_[path], children[path]);
            taken_.push_back(places_);
        }
        finish();
        return std::move(tree_);
    }

  private:
    struct Pair {
        double likeness;
        u32 node;
        u32 path;
    };

    [[nodiscard]] const GuardedRun::Path& example(u32 node) const {
        return runs_[tree_.nodes[node].run]->paths[tree_.nodes[node].path];
    }

    /// Computed for a whole run at first use: most runs are aligned by names.
    const Likeness& likeness_of(u32 run, u32 path) {
        if (likenesses_[run].empty()) likenesses_[run] = likenesses(*runs_[run]);
        return likenesses_[run][path];
    }

    std::vector<u32>& below(u32 node) { return node == kNone ? roots_ : children_[node]; }

    void place(u32 run, u32 path, u32 node) {
        places_[path] = node;
        const std::string& call = runs_[run]->paths[path].call;
        if (example(node).call == call) return;
        const AlignedTree::Node& first = tree_.nodes[node];
        const std::pair names(runs_[first.run]->paths[first.path].name,
                              runs_[run]->paths[path].name);
        if (std::ranges::find(tree_.renamed, names) == tree_.renamed.end())
            tree_.renamed.push_back(names);
    }

    void place_children(u32 run, u32 parent, const std::vector<u32>& paths) {
        std::map<std::string_view, std::deque<u32>> named;
        for (const u32 node : below(parent)) named[example(node).call].push_back(node);
        std::vector<u32> left;
        for (const u32 path : paths) {
            const auto same = named.find(runs_[run]->paths[path].call);
            if (same == named.end() || same->second.empty()) {
                left.push_back(path);
            } else {
                place(run, path, same->second.front());
                same->second.pop_front();
            }
        }
        std::vector<u32> open;
        for (const auto& [name, nodes] : named) open.insert(open.end(), nodes.begin(), nodes.end());
        place_alike(run, open, left);
        for (const u32 path : left) {
            if (places_[path] != kNone) continue;
            places_[path] = static_cast<u32>(tree_.nodes.size());
            tree_.nodes.push_back({parent, run, path});
            children_.emplace_back();
            below(parent).push_back(places_[path]);
        }
    }

    void place_alike(u32 run, const std::vector<u32>& nodes, const std::vector<u32>& paths) {
        std::vector<Pair> pairs;
        if (nodes.size() * paths.size() > kMostPairs) return;
        for (const u32 node : nodes) {
            for (const u32 path : paths) {
                if (example(node).is_mpi || runs_[run]->paths[path].is_mpi) continue;
                const AlignedTree::Node& first = tree_.nodes[node];
                const double likeness =
                    similarity(likeness_of(first.run, first.path), likeness_of(run, path));
                if (likeness >= kAlike) pairs.push_back({likeness, node, path});
            }
        }
        for (const Pair& pair : pairs) {
            const auto rivals = std::ranges::count_if(pairs, [&](const Pair& other) {
                return (other.node == pair.node || other.path == pair.path) &&
                       other.likeness >= pair.likeness;
            });
            if (rivals == 1) place(run, pair.path, pair.node);  // the pair itself
        }
    }

    void finish() {
        for (const std::vector<u32>& places : taken_) {
            auto& paths = tree_.paths.emplace_back(tree_.nodes.size(), kNone);
            for (u32 path = 0; path < places.size(); ++path) paths[places[path]] = path;
        }
    }

    const std::vector<const GuardedRun*>& runs_;
    std::vector<std::vector<Likeness>> likenesses_;
    AlignedTree tree_;
    std::vector<u32> roots_;
    std::vector<std::vector<u32>> children_;  ///< by node
    std::vector<u32> places_;                 ///< nodes by path of the current run
    std::vector<std::vector<u32>> taken_;     ///< the same of all runs
};

}  // namespace

AlignedTree align_runs(const std::vector<const GuardedRun*>& runs) { return Aligner(runs).align(); }

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/script_union.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

using Pair = std::pair<BodyId, BodyId>;

/// Pairs of items of two bodies, in order; kNone if there is no counterpart.
using Matches = std::vector<std::pair<u32, u32>>;

constexpr u64 kMostCells = 16'000'000;  ///< per pair of scripts
constexpr u64 kMostInMemory = 4'000'000;

/// Aligns two patterns body by body for most common leaves; 0 above a limit of cost.
class Alignment {
  public:
    Alignment(const Pattern& a, const Pattern& b) : a_(a), b_(b) {
        sizes(a_, a_sizes_);
        sizes(b_, b_sizes_);
    }

    /// Number of common leaves of two bodies.
    u64 common(BodyId a, BodyId b) {
        const auto known = common_.find({a, b});
        if (known != common_.end()) return known->second;
        const u64 cells = cells_of(a, b);
        const bool can_tell = cells <= kMostInMemory && cells <= left_;
        if (!can_tell) return common_[{a, b}] = 0;
        left_ -= cells;
        return common_[{a, b}] = fill(a, b).back();
    }

    /// Precondition: common() of the two is not 0, or both are empty.
    [[nodiscard]] Matches matches(BodyId a, BodyId b) {
        const std::vector<u64> cells = fill(a, b);
        const auto& x = body_of(a_, a);
        const auto& y = body_of(b_, b);
        const std::size_t width = y.size() + 1;
        Matches found;
        auto i = static_cast<u32>(x.size());
        auto j = static_cast<u32>(y.size());
        while (i != 0 || j != 0) {
            const u64 here = cells[i * width + j];
            if (j != 0 && here == cells[i * width + j - 1]) {
                found.emplace_back(kNone, --j);
            } else if (i != 0 && here == cells[(i - 1) * width + j]) {
                found.emplace_back(--i, kNone);
            } else {
                found.emplace_back(--i, --j);
            }
        }
        std::reverse(found.begin(), found.end());
        return found;
    }

    [[nodiscard]] u64 size_a(BodyId body) const { return a_sizes_[body]; }
    [[nodiscard]] u64 size_b(BodyId body) const { return b_sizes_[body]; }

  private:
    /// Leaves of each body; loops count once.
    static void sizes(const Pattern& pattern, std::vector<u64>& of) {
        of.assign(pattern.loops.size() + 1, 0);
        const auto measure = [&](const std::vector<u32>& body) {
            return std::accumulate(body.begin(), body.end(), u64{0}, [&](u64 sum, u32 item) {
                return sum + (item < pattern.leaf_count ? 1 : of[item - pattern.leaf_count + 1]);
            });
        };
        for (std::size_t i = 0; i < pattern.loops.size(); ++i) {
            of[i + 1] = measure(pattern.loops[i]);
        }
        of[0] = measure(pattern.root);
    }

    u64 weight(u32 a, u32 b) {
        const bool leaf = a < a_.leaf_count;
        if (leaf != (b < b_.leaf_count)) return 0;
        if (leaf) return a == b ? 1 : 0;
        const BodyId x = a - a_.leaf_count + 1;
        const BodyId y = b - b_.leaf_count + 1;
        const u64 both = common(x, y);
        return 2 * both >= std::min(a_sizes_[x], b_sizes_[y]) ? both : 0;
    }

    [[nodiscard]] u64 cells_of(BodyId a, BodyId b) const {
        return u64{body_of(a_, a).size() + 1} * (body_of(b_, b).size() + 1);
    }

    /// The maximum number of common leaves of the first i and j items.
    std::vector<u64> fill(BodyId a, BodyId b) {
        const auto& x = body_of(a_, a);
        const auto& y = body_of(b_, b);
        const std::size_t width = y.size() + 1;
        std::vector<u64> cells((x.size() + 1) * width, 0);
        for (std::size_t i = 1; i <= x.size(); ++i) {
            for (std::size_t j = 1; j <= y.size(); ++j) {
                const u64 both = weight(x[i - 1], y[j - 1]);
                u64 best = std::max(cells[(i - 1) * width + j], cells[i * width + j - 1]);
                if (both != 0) best = std::max(best, cells[(i - 1) * width + j - 1] + both);
                cells[i * width + j] = best;
            }
        }
        return cells;
    }

    const Pattern& a_;
    const Pattern& b_;
    std::vector<u64> a_sizes_;
    std::vector<u64> b_sizes_;
    std::map<Pair, u64> common_;
    u64 left_ = kMostCells;
};

/// Makes the union of two patterns; kNone represents a missing body.
class Uniter {
  public:
    Uniter(const Pattern& a, const Pattern& b) : a_(a), b_(b), alignment_(a, b) {
        out_.leaf_count = a.leaf_count;
        // The same order as in ScriptUnion::likeness(), which stayed below the limit.
        alignment_.common(0, 0);
        unite(0, 0);
    }

    Pattern& pattern() { return out_; }
    /// The origin of each body of the union: the bodies merged, and their items.
    struct Origin {
        Pair bodies;
        Matches items;
    };
    [[nodiscard]] const std::map<BodyId, Origin>& origins() const { return origins_; }

  private:
    BodyId unite(BodyId a, BodyId b) {
        const auto known = ids_.find({a, b});
        if (known != ids_.end()) return known->second;
        const Matches items = items_of(a, b);
        std::vector<u32> body;
        for (const auto& [i, j] : items)
            body.push_back(unite_items(item(a_, a, i), item(b_, b, j)));
        const bool is_root = a == 0 && b == 0;
        if (is_root) {
            out_.root = std::move(body);
        } else {
            out_.loops.push_back(std::move(body));
        }
        const BodyId id = is_root ? 0 : static_cast<BodyId>(out_.loops.size());
        origins_[id] = {{a, b}, items};
        return ids_[{a, b}] = id;
    }

    Matches items_of(BodyId a, BodyId b) {
        if (a != kNone && b != kNone) return alignment_.matches(a, b);
        const std::size_t size = (a != kNone ? body_of(a_, a) : body_of(b_, b)).size();
        Matches items;
        for (u32 i = 0; i < size; ++i) {
            items.emplace_back(a != kNone ? i : kNone, b != kNone ? i : kNone);
        }
        return items;
    }

    static u32 item(const Pattern& pattern, BodyId body, u32 index) {
        return index == kNone ? kNone : body_of(pattern, body)[index];
    }

    u32 unite_items(u32 a, u32 b) {
        const u32 any = a != kNone ? a : b;
        if (any < out_.leaf_count) return any;
        const BodyId x = a == kNone ? kNone : a - a_.leaf_count + 1;
        const BodyId y = b == kNone ? kNone : b - b_.leaf_count + 1;
        return out_.leaf_count + unite(x, y) - 1;
    }

    const Pattern& a_;
    const Pattern& b_;
    Alignment alignment_;
    Pattern out_;
    std::map<Pair, BodyId> ids_;
    std::map<BodyId, Origin> origins_;
};

}  // namespace

const std::vector<u32>& body_of(const Pattern& pattern, BodyId body) {
    return body == 0 ? pattern.root : pattern.loops[body - 1];
}

ScriptUnion::ScriptUnion(Pattern first) : pattern_(std::move(first)), places_(1) {
    for (BodyId body = 0; body <= pattern_.loops.size(); ++body) {
        std::vector<u32>& items = places_[0][{body, body}];
        items.resize(body_of(pattern_, body).size());
        std::iota(items.begin(), items.end(), 0);
    }
}

double ScriptUnion::likeness(const Pattern& script) const {
    Alignment alignment(pattern_, script);
    const u64 all = alignment.size_a(0) + alignment.size_b(0);
    return all == 0 ? 1
                    : 2 * static_cast<double>(alignment.common(0, 0)) / static_cast<double>(all);
}

void ScriptUnion::add(const Pattern& script) {
    Uniter uniter(pattern_, script);
    std::vector<ScriptPlaces> places(places_.size() + 1);
    for (const auto& [body, origin] : uniter.origins()) {
        const auto& [mine, its] = origin.bodies;
        for (std::size_t i = 0; i < places_.size() && mine != kNone; ++i) {
            for (const auto& [bodies, items] : places_[i]) {
                if (bodies.second != mine) continue;
                std::vector<u32>& now = places[i][{bodies.first, body}];
                for (const auto& match : origin.items) {
                    now.push_back(match.first == kNone ? kNone : items[match.first]);
                }
            }
        }
        if (its == kNone) continue;
        std::vector<u32>& now = places.back()[{its, body}];
        for (const auto& match : origin.items) now.push_back(match.second);
    }
    places_ = std::move(places);
    pattern_ = std::move(uniter.pattern());
}

PlaceNumbers::PlaceNumbers(const Pattern& pattern) : first_{0} {
    for (BodyId body = 0; body <= pattern.loops.size(); ++body) {
        first_.push_back(first_.back() + static_cast<u32>(body_of(pattern, body).size()));
    }
}

PlaceWalk::PlaceWalk(const FoldedSource& source, const Script& script, const Pattern& whole)
    : script_(script),
      whole_(whole),
      numbers_(whole),
      counts_(source, script.pattern, script.counts) {
    enter(0, 0, 1);
}

void PlaceWalk::enter(BodyId own, BodyId whole, u64 trips) {
    frames_.push_back({own, whole, &script_.places.at({own, whole}), 0, trips});
}

bool PlaceWalk::advance() {
    while (frames_.back().next == frames_.back().items->size()) {
        Frame& frame = frames_.back();
        if (frame.trips_left > 1) {
            --frame.trips_left;
            frame.next = 0;
        } else if (frames_.size() == 1) {
            return false;
        } else {
            frames_.pop_back();
        }
    }
    return true;
}

bool PlaceWalk::passes_over() {
    return left_ == 0 && advance() && (*frames_.back().items)[frames_.back().next] == kNone;
}

PlaceWalk::Step PlaceWalk::next() {
    if (left_ != 0) {
        --left_;
        return {place_, true, false, 0};
    }
    if (!advance()) throw Error(ErrorKind::corrupt, "a script ends before its last call");
    Frame& frame = frames_.back();
    const auto place = static_cast<u32>(numbers_.first(frame.whole) + frame.next);
    const u32 whole = body_of(whole_, frame.whole)[frame.next];
    const u32 own = (*frame.items)[frame.next++];
    if (own == kNone) return {place, false, true, 0};
    const u32 node = body_of(script_.pattern, frame.own)[own];
    const u64 count = counts_.next(node);
    if (node < script_.pattern.leaf_count) {
        place_ = place;
        left_ = count - 1;
        return {place, true, true, count};
    }
    enter(node - script_.pattern.leaf_count + 1, whole - whole_.leaf_count + 1, count);
    return {place, false, true, count};
}

}  // namespace tracefold

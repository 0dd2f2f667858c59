// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/structure_diff.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace tracefold {

namespace {

using Sink = std::function<void(const Difference&)>;

/// Compares numbers as a set: the order of first appearance depends on where a list is cut.
std::vector<u64> sorted(std::vector<u64> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

bool same_set(const ValueSummary& a, const ValueSummary& b) {
    return a.minimum == b.minimum && a.maximum == b.maximum && a.distinct == b.distinct &&
           sorted(a.values) == sorted(b.values);
}

/// Compares two listed scripts.
class ScriptComparison {
  public:
    ScriptComparison(const DiffSide& a, const ListedScript& script_a, const DiffSide& b,
                     const ListedScript& script_b, const DiffOptions& options, const Sink& sink)
        : side_a_(a), side_b_(b), a_(script_a), b_(script_b), options_(options), sink_(sink) {
        difference_.participants = script_a.participants;
    }

    void run() { body(a_.root, b_.root); }

  private:
    void body(const std::vector<u32>& body_a, const std::vector<u32>& body_b) {
        const std::size_t outside = difference_.path.size();
        const auto same = [&](u32 i, u32 k) { return is_same(body_a[i], body_b[k]); };
        for (const auto& [i, k] :
             align(static_cast<u32>(body_a.size()), static_cast<u32>(body_b.size()), same)) {
            const ListedNode* a = i == kNone ? nullptr : &a_.nodes[body_a[i]];
            const ListedNode* b = k == kNone ? nullptr : &b_.nodes[body_b[k]];
            const ListedNode& any = a != nullptr ? *a : *b;
            if (any.kind == CallKind::leave && difference_.path.size() > outside) {
                difference_.path.pop_back();
            }
            if (a == nullptr || b == nullptr) {
                tell(a == nullptr ? Difference::Kind::only_in_b : Difference::Kind::only_in_a, a,
                     b);
            } else if (seen_.emplace(body_a[i], body_b[k]).second) {
                node(*a, *b);
            }
            if (any.kind == CallKind::enter) difference_.path.push_back(any.name);
        }
        difference_.path.resize(outside);
    }

    /// Loops match if most of the names in their bodies match.
    [[nodiscard]] bool is_same(u32 a, u32 b) {
        const ListedNode& node_a = a_.nodes[a];
        const ListedNode& node_b = b_.nodes[b];
        if (node_a.kind != node_b.kind) return false;
        if (!node_a.is_loop()) return node_a.name == node_b.name;
        const auto [known, fresh] = alike_.emplace(std::pair(a, b), false);
        if (fresh) {
            const std::set<std::string> names_a = names_in(a_, node_a);
            const std::set<std::string> names_b = names_in(b_, node_b);
            std::size_t both = 0;
            for (const std::string& name : names_a) both += names_b.contains(name) ? 1U : 0U;
            known->second = 2 * both >= std::max(names_a.size(), names_b.size());
        }
        return known->second;
    }

    static std::set<std::string> names_in(const ListedScript& script, const ListedNode& loop) {
        std::set<std::string> names;
        for (const u32 item : loop.body) names.insert(script.nodes[item].name);
        return names;
    }

    void node(const ListedNode& a, const ListedNode& b) {
        counts(a, b);
        if (a.is_loop()) {
            difference_.path.emplace_back("loop");
            body(a.body, b.body);
            difference_.path.pop_back();
            return;
        }
        arguments(a, b);
        times(a, b);
    }

    void counts(const ListedNode& a, const ListedNode& b) {
        difference_.record = Difference::kNoRecord;
        if (!same_variants(a.counts, b.counts)) {
            tell(Difference::Kind::count, &a, &b);
        } else if (a.visits == b.visits && !same_order(a.counts, b.counts)) {
            tell(Difference::Kind::order, &a, &b);
        }
    }

    void arguments(const ListedNode& a, const ListedNode& b) {
        const std::size_t records = std::min(a.records.size(), b.records.size());
        bool same_layout = a.records.size() == b.records.size();
        for (std::size_t i = 0; same_layout && i < records; ++i) {
            same_layout = a.records[i].name == b.records[i].name &&
                          a.records[i].arguments.size() == b.records[i].arguments.size();
        }
        if (!same_layout) {
            tell(Difference::Kind::only_in_a, &a, nullptr);
            tell(Difference::Kind::only_in_b, nullptr, &b);
            return;
        }
        for (std::size_t i = 0; i < records; ++i) {
            for (std::size_t k = 0; k < a.records[i].arguments.size(); ++k) {
                difference_.record = i;
                difference_.argument = k;
                argument(a, b);
            }
        }
    }

    void argument(const ListedNode& a, const ListedNode& b) {
        const ListedArgument& mine = a.records[difference_.record].arguments[difference_.argument];
        const ListedArgument& other = b.records[difference_.record].arguments[difference_.argument];
        const auto& ignored = options_.ignored;
        if (std::find(ignored.begin(), ignored.end(), mine.name) != ignored.end()) return;
        if (mine.name != other.name || mine.role != other.role ||
            !same_variants(mine.variants, other.variants)) {
            tell(Difference::Kind::argument, &a, &b);
        } else if (mine.role != ValueRole::label && a.executions == b.executions &&
                   !same_order(mine.variants, other.variants)) {
            tell(Difference::Kind::order, &a, &b);
        }
    }

    [[nodiscard]] bool same_variants(const std::vector<ListedVariant>& a,
                                     const std::vector<ListedVariant>& b) const {
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i) {
            // Ids differ between files: compare names where they exist.
            const bool named = !a[i].labels.empty() && !b[i].labels.empty();
            if (!named && !same_set(a[i].values, b[i].values)) return false;
            if (std::set(a[i].labels.begin(), a[i].labels.end()) !=
                std::set(b[i].labels.begin(), b[i].labels.end())) {
                return false;
            }
            if (a.size() > 1 &&
                side_a_.names.text(a[i].participants) != side_b_.names.text(b[i].participants)) {
                return false;
            }
        }
        return true;
    }

    static bool same_order(const std::vector<ListedVariant>& a,
                           const std::vector<ListedVariant>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const ListedVariant& left, const ListedVariant& right) {
                              return left.fingerprint == right.fingerprint;
                          });
    }

    void times(const ListedNode& a, const ListedNode& b) {
        if (side_a_.times == nullptr || side_b_.times == nullptr) return;
        const double mean_a = mean_time(side_a_, a.symbol);
        const double mean_b = mean_time(side_b_, b.symbol);
        if (std::abs(mean_a - mean_b) <= options_.tolerance * std::max(mean_a, mean_b)) return;
        difference_.seconds_a = mean_a;
        difference_.seconds_b = mean_b;
        tell(Difference::Kind::time, &a, &b);
    }

    static double mean_time(const DiffSide& side, u32 symbol) {
        const u64 calls = side.source.counts().calls(symbol);
        if (calls == 0) return 0;
        const auto ticks = static_cast<double>(side.times->inside[symbol]);
        return side.file.definitions().tick_rate().seconds(ticks / static_cast<double>(calls));
    }

    void tell(Difference::Kind kind, const ListedNode* a, const ListedNode* b) {
        difference_.kind = kind;
        difference_.a = a;
        difference_.b = b;
        sink_(difference_);
    }

    const DiffSide& side_a_;
    const DiffSide& side_b_;
    const ListedScript& a_;
    const ListedScript& b_;
    const DiffOptions& options_;
    const Sink& sink_;
    Difference difference_;
    std::map<std::pair<u32, u32>, bool> alike_;  ///< loops that match
    std::set<std::pair<u32, u32>> seen_;         ///< compared nodes
};

/// Matches locations of both files by script.
struct Pairing {
    std::map<std::pair<u32, u32>, std::pair<ParticipantList, ParticipantList>> groups;
    ParticipantList only_a;
    ParticipantList only_b;
};

Pairing pair_locations(const DiffSide& a, const DiffSide& b) {
    Pairing pairing;
    std::unordered_map<std::string, u32> of_label;
    for (u32 location = 0; location < b.file.location_count(); ++location) {
        of_label.emplace(b.names.label(location), location);
    }
    for (u32 location = 0; location < a.file.location_count(); ++location) {
        const auto found = of_label.find(a.names.label(location));
        if (found == of_label.end()) {
            pairing.only_a.add(location);
            continue;
        }
        const u32 script_a = a.file.index().script(Stream::events, location);
        const u32 script_b = b.file.index().script(Stream::events, found->second);
        auto& [mine, other] = pairing.groups[{script_a, script_b}];
        mine.add(location);
        other.add(found->second);
        of_label.erase(found);
    }
    for (const auto& [label, location] : of_label) pairing.only_b.add(location);
    return pairing;
}

}  // namespace

OnlyIn compare_structures(const DiffSide& a, const DiffSide& b, const DiffOptions& options,
                          const Sink& sink) {
    const Pairing pairing = pair_locations(a, b);
    for (const auto& [scripts, members] : pairing.groups) {
        const auto list = [](const DiffSide& side, u32 script, const ParticipantList& locations) {
            return script == kNone ? ListedScript{locations, {}, {}, 0, {}}
                                   : list_script(side.source, script, locations);
        };
        const ListedScript script_a = list(a, scripts.first, members.first);
        const ListedScript script_b = list(b, scripts.second, members.second);
        ScriptComparison(a, script_a, b, script_b, options, sink).run();
    }
    return {pairing.only_a.empty() ? "" : a.names.text(pairing.only_a),
            pairing.only_b.empty() ? "" : b.names.text(pairing.only_b)};
}

namespace {

constexpr u64 kMostCells = 16'000'000;

/// The longest common subsequence of two sequences.
class Middle {
  public:
    Middle(u32 first_a, u32 size_a, u32 first_b, u32 size_b,
           const std::function<bool(u32, u32)>& same)
        : first_a_(first_a), first_b_(first_b), size_a_(size_a), size_b_(size_b), same_(same) {}

    void append(Alignment& out) {
        if (u64{size_a_} * size_b_ > kMostCells) return give_up(out);
        fill();
        u32 a = 0;
        u32 b = 0;
        while (a < size_a_ && b < size_b_) {
            if (is_same(a, b) && cell(a, b) == cell(a + 1, b + 1) + 1) {
                out.emplace_back(first_a_ + a++, first_b_ + b++);
            } else if (cell(a + 1, b) >= cell(a, b + 1)) {
                out.emplace_back(first_a_ + a++, kNone);
            } else {
                out.emplace_back(kNone, first_b_ + b++);
            }
        }
        rest(a, b, out);
    }

  private:
    [[nodiscard]] bool is_same(u32 a, u32 b) const { return same_(first_a_ + a, first_b_ + b); }
    u32& cell(u32 a, u32 b) { return cells_[u64{a} * (size_b_ + 1) + b]; }

    void fill() {
        cells_.assign(u64{size_a_ + 1} * (size_b_ + 1), 0);
        for (u32 a = size_a_; a-- > 0;) {
            for (u32 b = size_b_; b-- > 0;) {
                cell(a, b) = is_same(a, b) ? cell(a + 1, b + 1) + 1
                                           : std::max(cell(a + 1, b), cell(a, b + 1));
            }
        }
    }

    void give_up(Alignment& out) const {
        u32 both = 0;
        while (both < size_a_ && both < size_b_ && is_same(both, both)) {
            out.emplace_back(first_a_ + both, first_b_ + both);
            ++both;
        }
        rest(both, both, out);
    }

    void rest(u32 a, u32 b, Alignment& out) const {
        for (; a < size_a_; ++a) out.emplace_back(first_a_ + a, kNone);
        for (; b < size_b_; ++b) out.emplace_back(kNone, first_b_ + b);
    }

    u32 first_a_;
    u32 first_b_;
    u32 size_a_;
    u32 size_b_;
    const std::function<bool(u32, u32)>& same_;
    std::vector<u32> cells_;
};

}  // namespace

Alignment align(u32 size_a, u32 size_b, const std::function<bool(u32, u32)>& same) {
    Alignment alignment;
    u32 begin = 0;
    while (begin < size_a && begin < size_b && same(begin, begin)) {
        alignment.emplace_back(begin, begin);
        ++begin;
    }
    u32 end = 0;
    while (begin + end < size_a && begin + end < size_b &&
           same(size_a - end - 1, size_b - end - 1)) {
        ++end;
    }
    Middle(begin, size_a - begin - end, begin, size_b - begin - end, same).append(alignment);
    for (; end > 0; --end) alignment.emplace_back(size_a - end, size_b - end);
    return alignment;
}

}  // namespace tracefold

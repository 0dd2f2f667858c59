// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/calls/body_selection.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

constexpr std::size_t kOutermost = ~std::size_t{0};

class BodySelection {
  public:
    BodySelection(const ListedScript& script, const std::vector<u32>& body,
                  const std::vector<double>& weights)
        : script_(script), body_(body), shown_(body.size(), true) {
        weight_.reserve(body.size());
        for (const u32 item : body) weight_.push_back(weights[item]);
        find_regions();
    }

    std::vector<bool> run(u64 wide, u64 most) {
        for (const auto& [region, units] : units_) {
            if (units.size() > std::max(wide, most)) leave_out(units, most);
        }
        for (std::size_t i = 0; i < body_.size(); ++i) {
            if (!shown_[i]) std::fill_n(shown_.begin() + offset(i), end_[i] - i + 1, false);
        }
        return std::move(shown_);
    }

  private:
    static std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

    /// Finds the ends, weights and direct items of regions.
    void find_regions() {
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < body_.size(); ++i) {
            end_.push_back(i);
            const std::optional<CallKind> kind = script_.nodes[body_[i]].kind;
            if (kind == CallKind::leave) {
                if (open.empty()) continue;
                const std::size_t begin = open.back();
                open.pop_back();
                end_[begin] = i;
                const std::size_t around = open.empty() ? kOutermost : open.back();
                if (around != kOutermost) weight_[around] += weight_[begin];
                units_[around].push_back(begin);
                continue;
            }
            if (kind == CallKind::enter) {
                open.push_back(i);
                continue;
            }
            const std::size_t around = open.empty() ? kOutermost : open.back();
            if (around != kOutermost) weight_[around] += weight_[i];
            units_[around].push_back(i);
        }
    }

    void leave_out(const std::vector<std::size_t>& units, u64 most) {
        std::vector<std::size_t> ordered = units;
        std::stable_sort(ordered.begin(), ordered.end(),
                         [this](std::size_t a, std::size_t b) { return weight_[a] > weight_[b]; });
        for (std::size_t i = most; i < ordered.size(); ++i) shown_[ordered[i]] = false;
        for (std::size_t i = 0; i < units.size(); ++i) {
            const bool after = i == 0 || shown_[units[i - 1]];
            const bool before = i + 1 == units.size() || shown_[units[i + 1]];
            if (after && before && is_call(units[i])) shown_[units[i]] = true;
        }
    }

    [[nodiscard]] bool is_call(std::size_t i) const {
        const std::optional<CallKind> kind = script_.nodes[body_[i]].kind;
        return kind == CallKind::call || kind == CallKind::record;
    }

    const ListedScript& script_;
    const std::vector<u32>& body_;
    std::vector<bool> shown_;       ///< by item
    std::vector<double> weight_;    ///< by item
    std::vector<std::size_t> end_;  ///< by item: last item of its region; else itself
    /// Direct items of a region, by its entry; a nested region counts as one item.
    std::map<std::size_t, std::vector<std::size_t>> units_;
};

}  // namespace

std::vector<double> calls_per_visit(const ListedScript& script) {
    std::vector<double> calls;
    for (const ListedNode& node : script.nodes) {
        const auto visits = static_cast<double>(node.visits == 0 ? 1 : node.visits);
        double once = 1;
        if (node.is_loop()) {
            once = 0;
            for (const u32 item : node.body) once += calls[item];
        }
        calls.push_back(once * static_cast<double>(node.executions) / visits);
    }
    return calls;
}

std::vector<bool> choose_items(const ListedScript& script, const std::vector<u32>& body,
                               const std::vector<double>& weights, u64 wide, u64 most) {
    if (most == 0) return std::vector<bool>(body.size(), true);
    return BodySelection(script, body, weights).run(wide, most);
}

}  // namespace tracefold

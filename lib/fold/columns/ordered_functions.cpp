// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/ordered_functions.hpp"

#include "base/hash.hpp"
#include "fold/column_builder.hpp"
#include "fold/columns/function_draft.hpp"
#include "model/rank_grid.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

/// Maximum number of different displacements.
constexpr std::size_t kMostNeighbours = 128;

/// The neighbours of all participants as displacements on the grid with the fewest of them, among
/// the grids where each participant has all neighbours inside the grid.
class Neighbours {
  public:
    /// Returns false if there are many on every grid.
    bool choose(const std::vector<std::vector<u64>>& numbers) {
        const std::size_t participants = numbers.size();
        if (participants > kMostPlaced) return false;
        std::vector<std::vector<u64>> different(participants);
        std::vector<std::size_t> last(participants, participants);  // last one with the number
        for (std::size_t p = 0; p < participants; ++p) {
            for (const u64 number : numbers[p]) {
                if (number >= participants) return false;
                if (last[number] != p) different[p].push_back(number);
                last[number] = p;
            }
            std::sort(different[p].begin(), different[p].end());
        }
        std::size_t most = kMostNeighbours;
        for (const DigitGrid& grid : all_grids_of(static_cast<u32>(participants))) {
            Neighbours found;
            if (!found.place(grid, different, most)) continue;
            most = found.size() - 1;
            *this = std::move(found);
        }
        different_ = std::move(different);
        return steps_ != nullptr;
    }

    [[nodiscard]] std::size_t size() const { return known_.values().size(); }
    [[nodiscard]] const DigitGrid& grid() const { return steps_->grid(); }
    [[nodiscard]] PlaceFunction function(u64 neighbour) const {
        return steps_->function(known_.values()[neighbour]);
    }
    /// Returns the neighbour index of a number.
    [[nodiscard]] u64 neighbour(u64 participant, u64 number) const {
        const std::vector<u64>& known = different_[participant];
        const auto found = std::lower_bound(known.begin(), known.end(), number);
        return neighbours_[participant][static_cast<std::size_t>(found - known.begin())];
    }
    [[nodiscard]] bool is_inside(u64 neighbour, u64 participant) const {
        const std::vector<u32>& place = steps_->place(participant);
        const std::vector<i64> steps = steps_->steps(known_.values()[neighbour]);
        for (std::size_t d = 0; d < steps.size(); ++d) {
            const i64 to = i64{place[d]} + steps[d];
            if (to < 0 || to >= i64{grid().sizes()[d]}) return false;
        }
        return true;
    }
    /// Returns the positions that have this neighbour.
    [[nodiscard]] GridBox box(u64 neighbour) const {
        GridBox box;
        const std::vector<i64> steps = steps_->steps(known_.values()[neighbour]);
        for (std::size_t d = 0; d < steps.size(); ++d) {
            const u32 size = grid().sizes()[d];
            box.begin.push_back(static_cast<u32>(std::max<i64>(0, -steps[d])));
            box.end.push_back(static_cast<u32>(std::min<i64>(size, i64{size} - steps[d])));
        }
        return box;
    }

  private:
    /// Returns false if there are more than `most`, or if a participant lacks one inside the grid.
    bool place(const DigitGrid& grid, const std::vector<std::vector<u64>>& different,
               std::size_t most) {
        steps_ = std::make_unique<Displacements>(grid, false);
        for (u64 p = 0; p < different.size(); ++p) {
            neighbours_.emplace_back();
            for (const u64 number : different[p]) {
                neighbours_.back().push_back(known_.intern(steps_->between(p, number)));
            }
            if (size() > most) return false;
        }
        for (u64 p = 0; p < different.size(); ++p) {
            std::size_t inside = 0;
            for (u64 n = 0; n < size(); ++n) inside += is_inside(n, p) ? 1U : 0U;
            if (inside != different[p].size()) return false;
        }
        return true;
    }

    std::unique_ptr<Displacements> steps_;
    ValueTable known_;
    // By participant: its different numbers, ascending, and their neighbour indices.
    std::vector<std::vector<u64>> different_;
    std::vector<std::vector<u64>> neighbours_;
};

/// Factors shared by functions: a factor that is a prefix of another one uses it.
class FactorTable {
  public:
    /// Returns 1 + the number of the factor, 0 if it is always 1.
    u32 intern(const std::vector<u64>& factor) {
        if (factor.empty()) return 0;
        for (u32 k = 0; k < factors_.size(); ++k) {
            std::vector<u64>& known = factors_[k];
            const std::size_t common = std::min(known.size(), factor.size());
            if (!std::equal(factor.begin(), factor.begin() + static_cast<std::ptrdiff_t>(common),
                            known.begin())) {
                continue;
            }
            if (factor.size() > known.size()) known = factor;
            return k + 1;
        }
        factors_.push_back(factor);
        return static_cast<u32>(factors_.size());
    }

    [[nodiscard]] const Factors& factors() const { return factors_; }

  private:
    Factors factors_;
};

class OrderedFinder {
  public:
    explicit OrderedFinder(std::span<const MergedArgument> arguments)
        : arguments_(arguments), participants_(arguments[0].numbers.size()) {}

    std::vector<FunctionDraft> run() {
        if (arguments_[0].kind != NumberKind::places) return {};
        if (!neighbours_.choose(arguments_[0].numbers) || !cut_rounds() || !order_rounds()) {
            return {};
        }
        place_items();
        std::vector<FunctionDraft> drafts = {leader()};
        for (std::size_t a = 1; a < arguments_.size(); ++a) {
            std::optional<FunctionDraft> draft = follower(a);
            if (!draft) return {};
            drafts.push_back(std::move(*draft));
        }
        return drafts;
    }

  private:
    /// An item of the sequence: a neighbour in a round.
    struct Item {
        u64 neighbour = 0;
        u64 order = FunctionTable::kNext;
    };

    /// Begins a round at a repeated neighbour. False if the numbers of rounds differ.
    bool cut_rounds() {
        for (u64 p = 0; p < participants_; ++p) {
            std::vector<Round> rounds;
            std::vector<std::size_t> last(neighbours_.size(), 0);  // 1 + round
            for (const u64 number : arguments_[0].numbers[p]) {
                const u64 neighbour = neighbours_.neighbour(p, number);
                if (rounds.empty() || last[neighbour] == rounds.size()) {
                    const std::size_t expected = rounds.empty() ? 0 : rounds.back().size();
                    rounds.emplace_back();
                    rounds.back().reserve(expected);
                }
                last[neighbour] = rounds.size();
                rounds.back().push_back({neighbour, number});
            }
            if (p == 0) rounds_.resize(rounds.size());
            if (rounds.size() != rounds_.size()) return false;
            for (std::size_t r = 0; r < rounds.size(); ++r) {
                rounds_[r].push_back(std::move(rounds[r]));
            }
        }
        return true;
    }

    /// Rounds with the order of an earlier round, for all participants, share its stretches.
    bool order_rounds() {
        std::unordered_map<ContentHash, std::size_t, ContentHashHasher> known;
        std::vector<u64> key;
        for (const auto& round : rounds_) {
            key.clear();
            for (const Round& own : round) {
                key.push_back(own.size());
                for (const NeighbourVisit& visit : own) key.push_back(visit.neighbour);
            }
            const auto [found, fresh] = known.try_emplace(content_hash(key), orders_.size());
            order_of_.push_back(found->second);
            if (!fresh) continue;
            if (!are_inside(round)) return false;
            orders_.push_back(find_round_order(round, neighbours_.size()));
        }
        return true;
    }

    /// True if the participants of each neighbour are exactly those with it in the grid.
    [[nodiscard]] bool are_inside(const std::vector<Round>& round) const {
        std::vector<bool> met(neighbours_.size(), false);
        for (const Round& own : round) {
            for (const NeighbourVisit& visit : own) met[visit.neighbour] = true;
        }
        for (u64 p = 0; p < participants_; ++p) {
            std::size_t expected = 0;
            for (u64 n = 0; n < met.size(); ++n) {
                if (met[n] && neighbours_.is_inside(n, p)) ++expected;
            }
            if (round[p].size() != expected) return false;
        }
        return true;
    }

    /// Finds the first item of each round, and the item of each neighbour.
    void place_items() {
        for (std::size_t r = 0; r < rounds_.size(); ++r) {
            item_of_.emplace_back(neighbours_.size(), 0);
            for (const auto& stretch : orders_[order_of_[r]]) {
                const u64 order =
                    stretch.is_rising ? FunctionTable::kRising : FunctionTable::kChosen;
                for (std::size_t k = 0; k < stretch.neighbours.size(); ++k) {
                    item_of_[r][stretch.neighbours[k]] = static_cast<u32>(items_.size());
                    items_.push_back(
                        {stretch.neighbours[k], k == 0 ? FunctionTable::kNext : order});
                }
            }
        }
    }

    [[nodiscard]] FunctionDraft leader() const {
        FunctionDraft draft{neighbours_.grid(), {}, {}, true, {}, {}, {}, {}};
        std::map<u64, u64> known;
        bool ordered = false;
        for (const Item& item : items_) {
            const auto [found, fresh] = known.emplace(item.neighbour, known.size());
            if (fresh) draft.functions.push_back(neighbours_.function(item.neighbour));
            draft.function_of.push_back(found->second);
            draft.presence.push_back(FunctionTable::kInside);
            draft.order.push_back(item.order);
            ordered = ordered || item.order != FunctionTable::kNext;
        }
        if (!ordered) draft.order.clear();
        draft.choices = choices();
        return draft;
    }

    /// Encodes the orders of all participants in random stretches.
    [[nodiscard]] std::vector<u64> choices() const {
        std::vector<u64> digits;
        std::vector<u32> sizes;
        for (u64 p = 0; p < participants_; ++p) {
            for (std::size_t r = 0; r < rounds_.size(); ++r) {
                for (const auto& stretch : orders_[order_of_[r]]) {
                    if (!stretch.is_rising) add_choices(stretch, rounds_[r][p], digits, sizes);
                }
            }
        }
        return pack_digits(digits, sizes);
    }

    static void add_choices(const RoundStretch& stretch, const Round& round,
                            std::vector<u64>& digits, std::vector<u32>& sizes) {
        std::vector<u64> taken;
        for (const NeighbourVisit& visit : round) {
            const bool is_in = std::find(stretch.neighbours.begin(), stretch.neighbours.end(),
                                         visit.neighbour) != stretch.neighbours.end();
            if (is_in) taken.push_back(visit.number);
        }
        std::vector<u64> left = taken;
        std::sort(left.begin(), left.end());
        for (const u64 number : taken) {
            if (left.size() == 1) break;
            const auto found = std::lower_bound(left.begin(), left.end(), number);
            digits.push_back(static_cast<u64>(found - left.begin()));
            sizes.push_back(static_cast<u32>(left.size()));
            left.erase(found);
        }
    }

    /// Returns nothing if the numbers of an item are not a product.
    [[nodiscard]] std::optional<FunctionDraft> follower(std::size_t argument) const {
        std::vector<std::vector<u64>> values = values_of(argument);
        FunctionDraft draft{neighbours_.grid(), {}, {}, true, {}, {}, {}, {}};
        draft.follows = true;
        FactorTable factors;
        std::map<std::pair<u64, std::vector<u64>>, u64> fitted;
        std::map<PlaceFunction, u64> known;
        for (std::size_t k = 0; k < items_.size(); ++k) {
            const u64 neighbour = items_[k].neighbour;
            const auto [found, fresh] = fitted.try_emplace({neighbour, std::move(values[k])}, 0);
            if (fresh) {
                const auto function = fit(neighbour, found->first.second, factors);
                if (!function) return std::nullopt;
                const auto [number, is_new] = known.try_emplace(*function, known.size());
                if (is_new) draft.functions.push_back(*function);
                found->second = number->second;
            }
            draft.function_of.push_back(found->second);
        }
        draft.factors = factors.factors();
        return draft;
    }

    /// By item and participant; 0 where a participant lacks the item.
    [[nodiscard]] std::vector<std::vector<u64>> values_of(std::size_t argument) const {
        std::vector<std::vector<u64>> values(items_.size(), std::vector<u64>(participants_, 0));
        for (u64 p = 0; p < participants_; ++p) {
            auto number = arguments_[argument].numbers[p].begin();
            for (std::size_t r = 0; r < rounds_.size(); ++r) {
                for (const NeighbourVisit& visit : rounds_[r][p]) {
                    values[item_of_[r][visit.neighbour]][p] = *number++;
                }
            }
        }
        return values;
    }

    [[nodiscard]] std::optional<PlaceFunction> fit(u64 neighbour, const std::vector<u64>& values,
                                                   FactorTable& factors) const {
        const auto product = fit_product(neighbours_.grid(), neighbours_.box(neighbour), values);
        if (!product) return std::nullopt;
        PlaceFunction function = constant_function(product->base, neighbours_.grid().dimensions());
        for (std::size_t d = 0; d < function.terms.size(); ++d) {
            function.terms[d].factor = factors.intern(product->factors[d]);
            if (function.terms[d].factor != 0) function.terms[d].coefficients[d] = 1;
        }
        return function;
    }

    std::span<const MergedArgument> arguments_;
    std::size_t participants_;
    Neighbours neighbours_;
    std::vector<std::vector<Round>> rounds_;  ///< by round and participant
    std::vector<std::size_t> order_of_;       ///< by round
    std::vector<std::vector<RoundStretch>> orders_;
    std::vector<Item> items_;
    std::vector<std::vector<u32>> item_of_;  ///< by round and neighbour
};

}  // namespace

std::vector<FunctionDraft> find_ordered(std::span<const MergedArgument> arguments) {
    if (arguments.empty()) return {};
    return OrderedFinder(arguments).run();
}

namespace {

class RoundOrder {
  public:
    RoundOrder(std::span<const Round> rounds, std::size_t neighbours)
        : rounds_(rounds),
          size_(neighbours),
          met_(neighbours, false),
          before_(neighbours * neighbours, false),
          falls_(neighbours * neighbours, false) {}

    std::vector<RoundStretch> run() {
        for (const Round& round : rounds_) compare(round);
        reach_ = before_;
        close();
        std::vector<RoundStretch> stretches;
        std::vector<bool> placed(size_, false);
        for (u64 first = next(placed); first < size_; first = next(placed)) {
            stretches.push_back(stretch_of(first));
            for (const u64 neighbour : stretches.back().neighbours) placed[neighbour] = true;
        }
        return stretches;
    }

  private:
    void compare(const Round& round) {
        for (std::size_t i = 0; i < round.size(); ++i) {
            met_[round[i].neighbour] = true;
            for (std::size_t k = i + 1; k < round.size(); ++k) {
                const std::size_t pair = round[i].neighbour * size_ + round[k].neighbour;
                before_[pair] = true;
                if (round[i].number > round[k].number) falls_[pair] = true;
            }
        }
    }

    /// Computes the transitive closure of reach_.
    void close() {
        for (std::size_t via = 0; via < size_; ++via) {
            for (std::size_t from = 0; from < size_; ++from) {
                if (!reach_[from * size_ + via]) continue;
                for (std::size_t to = 0; to < size_; ++to) {
                    if (reach_[via * size_ + to]) reach_[from * size_ + to] = true;
                }
            }
        }
    }

    /// Returns the first unplaced neighbour whose unplaced predecessors are all successors as well.
    [[nodiscard]] u64 next(const std::vector<bool>& placed) const {
        for (u64 own = 0; own < size_; ++own) {
            if (placed[own] || !met_[own]) continue;
            bool is_first = true;
            for (u64 other = 0; other < size_ && is_first; ++other) {
                is_first =
                    placed[other] || !reach_[other * size_ + own] || reach_[own * size_ + other];
            }
            if (is_first) return own;
        }
        return size_;
    }

    [[nodiscard]] RoundStretch stretch_of(u64 first) const {
        RoundStretch stretch{{first}, true};
        for (u64 other = 0; other < size_; ++other) {
            const bool same =
                other != first && reach_[first * size_ + other] && reach_[other * size_ + first];
            if (same) stretch.neighbours.push_back(other);
        }
        std::sort(stretch.neighbours.begin(), stretch.neighbours.end());
        for (const u64 a : stretch.neighbours) {
            for (const u64 b : stretch.neighbours) {
                if (falls_[a * size_ + b]) stretch.is_rising = false;
            }
        }
        return stretch;
    }

    std::span<const Round> rounds_;
    std::size_t size_;
    std::vector<bool> met_;
    // By pair of neighbours.
    std::vector<bool> before_;
    std::vector<bool> falls_;  ///< its predecessor had a larger number
    std::vector<bool> reach_;
};

}  // namespace

std::vector<RoundStretch> find_round_order(std::span<const Round> rounds, std::size_t neighbours) {
    return RoundOrder(rounds, neighbours).run();
}

}  // namespace tracefold

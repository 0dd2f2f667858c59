// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/merged_functions.hpp"

#include "base/hash.hpp"
#include "fold/column_builder.hpp"
#include "fold/columns/function_draft.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tracefold {

namespace {

/// Maximum number of different presences: beyond it they take more space than they save.
constexpr std::size_t kMostPresences = 64;

/// Minimum average number of participants per item: below it the presences do not pay.
constexpr std::size_t kLeastShared = 2;

/// The different numbers of a participant, and its sequence as their indices.
struct Letters {
    std::vector<u64> numbers;
    std::vector<u64> indices;
};

Letters letters_of(const std::vector<u64>& numbers) {
    ValueTable known;
    std::vector<u64> indices;
    indices.reserve(numbers.size());
    for (const u64 number : numbers) indices.push_back(known.intern(number));
    return {known.values(), std::move(indices)};
}

/// The interpretation of all participants' numbers, plain or as displacements, and the number of
/// distinct groups under it.
struct Meanings {
    std::size_t groups = 0;
    std::vector<u64> known;            ///< in order of appearance
    std::vector<std::vector<u64>> of;  ///< by participant and letter: index into `known`
    std::optional<u64> cost;           ///< of the grid, computed lazily
};

/// One argument, interpreted with the fewest distinct groups of participants.
class Argument {
  public:
    /// `alone`: the grid may determine which participants have a number.
    Argument(const MergedArgument& argument, bool alone)
        : kind_(argument.kind), alone_(alone), participants_(argument.numbers.size()) {
        std::unordered_map<ContentHash, u64, ContentHashHasher> shapes;
        for (const auto& numbers : argument.numbers) {
            letters_.push_back(letters_of(numbers));
            letter_count_ += letters_.back().numbers.size();
            shape_of_.push_back(
                shapes.emplace(content_hash(letters_.back().indices), shapes.size()).first->second);
        }
    }

    /// Returns false if every interpretation has many groups.
    bool choose() {
        if (kind_ == NumberKind::places) return choose_grid();
        const auto itself = [](u64, u64 number) { return number; };
        meanings_ = meanings(itself, kMostMerged);
        return meanings_.has_value();
    }

    /// Returns the indices of meanings.
    [[nodiscard]] std::vector<u64> sequence(u64 participant) const {
        std::vector<u64> sequence;
        sequence.reserve(letters_[participant].indices.size());
        for (const u64 index : letters_[participant].indices) {
            sequence.push_back(meanings_->of[participant][index]);
        }
        return sequence;
    }

    [[nodiscard]] DigitGrid grid() const {
        if (steps_) return steps_->grid();
        return DigitGrid(RankGrid({static_cast<u32>(participants_)}));
    }

    /// By index of a meaning.
    [[nodiscard]] std::vector<PlaceFunction> functions() const {
        std::vector<PlaceFunction> functions;
        for (const u64 meaning : meanings_->known) functions.push_back(function_for(meaning));
        return functions;
    }

    /// True if a function stays within the grid exactly for the participants with has(participant).
    template <class Has>
    [[nodiscard]] bool follows(const PlaceFunction& function, const Has& has) const {
        return follows(steps_.get(), function, has);
    }

  private:
    bool choose_grid() {
        if (participants_ > kMostPlaced || !are_places()) return false;
        for (const DigitGrid& grid : all_grids_of(static_cast<u32>(participants_))) {
            for (const bool wraps : {false, true}) {
                auto steps = std::make_unique<Displacements>(grid, wraps);
                const auto step = [&](u64 from, u64 to) { return steps->between(from, to); };
                auto found = meanings(step, meanings_ ? meanings_->groups : kMostMerged);
                if (!found || (meanings_ && !is_better(*found, *steps))) continue;
                meanings_ = std::move(found);
                steps_ = std::move(steps);
            }
        }
        return meanings_.has_value();
    }

    /// Compares with the best interpretation so far.
    [[nodiscard]] bool is_better(Meanings& found, const Displacements& steps) {
        const std::pair own(found.groups, found.known.size());
        const std::pair best(meanings_->groups, meanings_->known.size());
        if (own != best || !alone_) return own < best;
        return cost_of(found, steps) < cost_of(*meanings_, *steps_);
    }

    /// A dimension costs as much as two meanings whose participants the grid does not determine.
    u64 cost_of(Meanings& found, const Displacements& steps) const {
        if (!found.cost) found.cost = 2 * steps.grid().dimensions() + unexplained(found, steps);
        return *found.cost;
    }

    [[nodiscard]] u64 unexplained(const Meanings& found, const Displacements& steps) const {
        std::vector<std::vector<bool>> has(found.known.size(), std::vector<bool>(participants_));
        for (std::size_t p = 0; p < participants_; ++p) {
            for (const u64 meaning : found.of[p]) has[meaning][p] = true;
        }
        u64 count = 0;
        for (std::size_t m = 0; m < has.size(); ++m) {
            const auto has_it = [&own = has[m]](u64 p) { return own[p]; };
            count += follows(&steps, steps.function(found.known[m]), has_it) ? 0 : 1;
        }
        return count;
    }

    /// Without a grid, every function is inside.
    template <class Has>
    [[nodiscard]] bool follows(const Displacements* steps, const PlaceFunction& function,
                               const Has& has) const {
        for (u64 p = 0; p < participants_; ++p) {
            bool inside = true;
            if (steps != nullptr) evaluate(function, steps->grid(), {}, steps->place(p), inside);
            if (inside != has(p)) return false;
        }
        return true;
    }

    [[nodiscard]] bool are_places() const {
        return std::all_of(letters_.begin(), letters_.end(), [&](const Letters& letters) {
            return std::all_of(letters.numbers.begin(), letters.numbers.end(),
                               [&](u64 number) { return number < participants_; });
        });
    }

    /// Returns nothing if there are more than `most` groups, or if few participants share a number.
    template <class MeaningOf>
    std::optional<Meanings> meanings(const MeaningOf& meaning_of, std::size_t most) const {
        Meanings found;
        ValueTable known;
        std::unordered_set<ContentHash, ContentHashHasher> groups;
        for (u32 p = 0; p < participants_; ++p) {
            std::vector<u64> own;
            own.reserve(letters_[p].numbers.size() + 1);
            for (const u64 number : letters_[p].numbers) {
                own.push_back(known.intern(meaning_of(p, number)));
            }
            if (known.values().size() > letter_count_ / kLeastShared) return std::nullopt;
            own.push_back(shape_of_[p]);
            groups.insert(content_hash(own));
            if (groups.size() > most) return std::nullopt;
            own.pop_back();
            found.of.push_back(std::move(own));
        }
        found.known = known.values();
        found.groups = groups.size();
        return found;
    }

    [[nodiscard]] PlaceFunction function_for(u64 meaning) const {
        return kind_ == NumberKind::places ? steps_->function(meaning)
                                           : constant_function(meaning, grid().dimensions());
    }

    NumberKind kind_;
    bool alone_;
    std::size_t participants_;
    std::vector<Letters> letters_;  ///< by participant
    std::size_t letter_count_ = 0;  ///< total over participants
    std::vector<u64> shape_of_;     ///< by participant: equal for equal indices
    std::optional<Meanings> meanings_;
    std::unique_ptr<Displacements> steps_;  ///< of places
};

/// The participants of each number, as stored in files.
struct Presence {
    std::vector<u64> of_number;
    std::vector<std::vector<u64>> by_group;
};

class Merging {
    using Groups = decltype(MergedItem::present);

  public:
    explicit Merging(std::span<const MergedArgument> arguments)
        : participants_(arguments[0].numbers.size()),
          pairs_(arguments.size() - 1),
          known_pairs_(arguments.size() - 1) {
        arguments_.reserve(arguments.size());
        for (const MergedArgument& argument : arguments) {
            arguments_.emplace_back(argument, arguments.size() == 1);
        }
    }

    std::vector<FunctionDraft> run() {
        for (Argument& argument : arguments_) {
            if (!argument.choose()) return {};
        }
        if (!group()) return {};
        const auto items = merge_sequences(sequences_, numbers_ / kLeastShared);
        if (!items) return {};
        return drafts(*items);
    }

  private:
    /// An item of the previous arguments, and the meaning of another one.
    struct Pair {
        u64 before = 0;
        u64 own = 0;

        bool operator==(const Pair&) const = default;
    };
    struct PairHash {
        std::size_t operator()(const Pair& pair) const { return mix(mix(pair.before) + pair.own); }
    };

    /// Combines the meanings of all arguments at one position to an item. Returns false if there
    /// are many groups of participants.
    bool group() {
        std::map<std::vector<u64>, u64> known;
        for (u64 p = 0; p < participants_; ++p) {
            std::vector<u64> sequence = arguments_[0].sequence(p);
            for (std::size_t a = 1; a < arguments_.size(); ++a) add_argument(a, p, sequence);
            numbers_ += sequence.size();
            const auto [found, fresh] = known.emplace(std::move(sequence), known.size());
            group_of_.push_back(found->second);
            if (fresh) sequences_.push_back(found->first);
            if (known.size() > kMostMerged) return false;
        }
        return true;
    }

    /// Extends the items of the previous arguments by this one.
    void add_argument(std::size_t argument, u64 participant, std::vector<u64>& sequence) {
        std::vector<Pair>& pairs = pairs_[argument - 1];
        const std::vector<u64> own = arguments_[argument].sequence(participant);
        for (std::size_t k = 0; k < sequence.size(); ++k) {
            const Pair pair{sequence[k], own[k]};
            const auto [known, fresh] = known_pairs_[argument - 1].try_emplace(pair, pairs.size());
            if (fresh) pairs.push_back(pair);
            sequence[k] = known->second;
        }
    }

    [[nodiscard]] u64 meaning(u64 item, std::size_t argument) const {
        for (std::size_t a = arguments_.size() - 1; a > argument; --a)
            item = pairs_[a - 1][item].before;
        return argument == 0 ? item : pairs_[argument - 1][item].own;
    }

    [[nodiscard]] std::vector<FunctionDraft> drafts(const std::vector<MergedItem>& items) const {
        std::vector<FunctionDraft> drafts;
        for (std::size_t a = 0; a < arguments_.size(); ++a) {
            FunctionDraft draft{arguments_[a].grid(), {}, {}, true, {}, {}, {}, {}};
            const std::vector<PlaceFunction> functions = arguments_[a].functions();
            std::map<u64, u64> known;
            for (const MergedItem& item : items) {
                const u64 own = meaning(item.item, a);
                const auto [found, fresh] = known.emplace(own, known.size());
                if (fresh) draft.functions.push_back(functions[own]);
                draft.function_of.push_back(found->second);
            }
            drafts.push_back(std::move(draft));
        }
        const Presence presence = presence_of(items, drafts[0]);
        if (presence.by_group.size() > kMostPresences) return {};
        for (FunctionDraft& draft : drafts) {
            draft.presence = presence.of_number;
            draft.presences = presence.by_group;
            if (!presence.by_group.empty()) draft.group_of = group_of_;
        }
        return drafts;
    }

    /// A single argument may determine presence by its functions.
    [[nodiscard]] Presence presence_of(const std::vector<MergedItem>& items,
                                       const FunctionDraft& draft) const {
        Presence presence;
        std::unordered_map<Groups, u64> known;
        bool everywhere = true;
        for (std::size_t k = 0; k < items.size(); ++k) {
            const Groups& present = items[k].present;
            u64 value = FunctionTable::kEverywhere;
            if (present.count() < sequences_.size()) {
                everywhere = false;
                value = FunctionTable::kInside;
                const auto has = [&](u64 p) { return present[group_of_[p]]; };
                if (arguments_.size() > 1 ||
                    !arguments_[0].follows(draft.functions[draft.function_of[k]], has)) {
                    const auto [found, fresh] =
                        known.emplace(present, FunctionTable::kGroups + known.size());
                    value = found->second;
                    if (fresh) presence.by_group.push_back(numbers_of(present));
                }
            }
            presence.of_number.push_back(value);
        }
        if (everywhere) presence.of_number.clear();
        return presence;
    }

    /// 1 for present groups, 0 for others.
    [[nodiscard]] std::vector<u64> numbers_of(const Groups& present) const {
        std::vector<u64> numbers;
        for (std::size_t group = 0; group < sequences_.size(); ++group) {
            numbers.push_back(present[group] ? 1 : 0);
        }
        return numbers;
    }

    std::size_t participants_;
    std::vector<Argument> arguments_;
    /// By argument except the first: pairs with the items of the previous ones.
    std::vector<std::vector<Pair>> pairs_;
    std::vector<std::unordered_map<Pair, u64, PairHash>> known_pairs_;
    std::size_t numbers_ = 0;                  ///< total over participants
    std::vector<u64> group_of_;                ///< by participant
    std::vector<std::vector<u64>> sequences_;  ///< by group
};

}  // namespace

std::vector<FunctionDraft> find_merged(std::span<const MergedArgument> arguments) {
    if (arguments.empty()) return {};
    return Merging(arguments).run();
}

namespace {

/// Limit of the total size of the common-subsequence tables.
constexpr u64 kMostSteps = u64{1} << 25U;

/// The steps of a longest common subsequence from each pair of positions. The common length of
/// successive pairs differs by 0 or 1, so a row of pairs is computed 64 at a time from the row
/// below it: positions where the length does not grow are added to those with the item, and the
/// carry marks where it is longer than below (Hyyrö, Bit-parallel LCS-length computation revisited,
/// 2004).
class CommonWays {
  public:
    void fill(std::span<const MergedItem> a, std::span<const u64> b) {
        width_ = b.size();
        words_ = (width_ + kBits - 1) / kBits;
        find_places(a, b);
        even_.assign(words_, ~u64{0});
        below_.resize(a.size() * words_);
        for (std::size_t i = a.size(); i-- > 0;) fill_row(i, a[i].item);
    }

    /// True if the common length from the next position of `a` and this one of `b` is at least that
    /// from this one of `a` and the next one of `b`. Precondition: the items here differ.
    [[nodiscard]] bool lies_below(std::size_t i, std::size_t k) const {
        const std::size_t bit = width_ - 1 - k;
        return (below_[i * words_ + bit / kBits] >> bit % kBits & 1U) != 0;
    }

  private:
    static constexpr std::size_t kBits = 64;

    /// Finds the positions in `b` of the items of `a`, last position first.
    void find_places(std::span<const MergedItem> a, std::span<const u64> b) {
        numbers_.clear();
        for (const MergedItem& item : a) numbers_.try_emplace(item.item, numbers_.size());
        places_.assign(numbers_.size() * words_, 0);
        for (std::size_t k = 0; k < width_; ++k) {
            const auto found = numbers_.find(b[k]);
            if (found == numbers_.end()) continue;
            const std::size_t bit = width_ - 1 - k;
            places_[found->second * words_ + bit / kBits] |= u64{1} << bit % kBits;
        }
    }

    void fill_row(std::size_t row, u64 item) {
        const u64* const places = &places_[numbers_.at(item) * words_];
        u64 carry = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            const u64 even = even_[word];
            const u64 same = even & places[word];
            const u64 sum = even + same + carry;
            const u64 longer = same | (even & (sum ^ even ^ same));
            even_[word] = sum | (even & ~places[word]);
            below_[row * words_ + word] = ~(even_[word] & longer);
            carry = longer >> (kBits - 1);
        }
    }

    std::size_t width_ = 0;
    std::size_t words_ = 0;                         ///< of a row
    std::unordered_map<u64, std::size_t> numbers_;  ///< item of `a` -> row of places_
    std::vector<u64> places_;                       ///< one row per item
    std::vector<u64> even_;   ///< the last row: positions where the length does not grow
    std::vector<u64> below_;  ///< one row per position of `a`
};

class Merger {
  public:
    explicit Merger(std::size_t most) : most_(most) {}

    /// Returns false if that is expensive, or makes the result too long.
    bool add(std::size_t number, std::span<const u64> sequence) {
        std::size_t begin = 0;
        const std::size_t least = std::min(items_.size(), sequence.size());
        while (begin < least && items_[begin].item == sequence[begin]) {
            items_[begin++].present[number] = true;
        }
        std::size_t alike = 0;
        while (alike < least - begin &&
               items_[items_.size() - 1 - alike].item == sequence[sequence.size() - 1 - alike]) {
            items_[items_.size() - 1 - alike++].present[number] = true;
        }
        return add_between(number, begin, items_.size() - alike,
                           sequence.subspan(begin, sequence.size() - alike - begin));
    }

    [[nodiscard]] std::vector<MergedItem> take() { return std::move(items_); }

  private:
    bool add_between(std::size_t number, std::size_t begin, std::size_t end,
                     std::span<const u64> sequence) {
        if (sequence.empty()) return true;
        const std::span<const MergedItem> items(items_.data() + begin, end - begin);
        const u64 steps = u64{items.size() + 1} * (sequence.size() + 1);
        if (steps > steps_left_) return false;
        steps_left_ -= steps;
        ways_.fill(items, sequence);
        std::vector<MergedItem> merged;
        merged.reserve(items_.size() + sequence.size());
        const auto take = [&](std::size_t from, std::size_t to) {
            while (from < to) merged.push_back(std::move(items_[from++]));
        };
        take(0, begin);
        std::size_t i = 0;
        std::size_t k = 0;
        while (i < items.size() || k < sequence.size()) {
            const bool both = i < items.size() && k < sequence.size();
            const bool same = both && items[i].item == sequence[k];
            const bool own = i < items.size() && (same || !both || ways_.lies_below(i, k));
            if (own) {
                take(begin + i, begin + i + 1);
                ++i;
            } else {
                merged.push_back({sequence[k], {}});
            }
            if (own && !same) continue;
            merged.back().present[number] = true;
            ++k;
        }
        take(end, items_.size());
        items_ = std::move(merged);
        return items_.size() <= most_;
    }

    std::size_t most_;  ///< maximum number of items
    u64 steps_left_ = kMostSteps;
    CommonWays ways_;
    std::vector<MergedItem> items_;
};

}  // namespace

std::optional<std::vector<MergedItem>> merge_sequences(std::span<const std::vector<u64>> sequences,
                                                       std::size_t most) {
    std::vector<std::size_t> order(sequences.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return sequences[a].size() > sequences[b].size();
    });
    Merger merger(most);
    for (const std::size_t number : order) {
        if (!merger.add(number, sequences[number])) return std::nullopt;
    }
    return merger.take();
}

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/matched_receives.hpp"

#include "core/error.hpp"
#include "fold/class_columns.hpp"
#include "fold/column_families.hpp"
#include "fold/column_size.hpp"
#include "fold/mentions.hpp"
#include "fold/message_walk.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Bytes before compression that matching has to save, and values of calls that may be looked at
/// for each of them.
constexpr u64 kLeastSaved = 96;
constexpr u64 kValuesPerByte = 4096;
/// Values of calls that a file may have for each number that its columns may have besides; writers
/// use half of them.
constexpr u64 kValuesPerNumber = 16;
/// Values of calls that a writer looks at, and sends and receives that a file may have; writers use
/// half of them.
constexpr u64 kMostValues = u64{1} << 25U;
constexpr u64 kMostSides = u64{1} << 23U;

using Part = MessagePart;

/// The receives that may be worth it.
class Candidates {
  public:
    explicit Candidates(Structure& structure)
        : structure_(structure), parts_(message_parts(structure)) {
        count_mentions();
        for (const Part& part : parts_) saved_.push_back(saved(part));
    }

    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

    /// What all of them save at most, 0 if none is left.
    [[nodiscard]] u64 size(Matching matching) const {
        u64 sum = 0;
        for (const Saved& saved : saved_) {
            if (saved.with(matching) >= kLeastSaved) sum += saved.with(matching);
        }
        return sum;
    }

    [[nodiscard]] bool is_worth(std::size_t part, Matching matching) const {
        return saved_[part].with(matching) >= kLeastSaved;
    }

    /// Marks those of which it is true, and returns which.
    std::vector<u32> mark(Matching matching, const std::vector<bool>& is_true) {
        std::vector<u32> marked;
        for (u32 i = 0; i < parts_.size(); ++i) {
            if (!is_true[i] || !is_worth(i, matching)) continue;
            saved_[i] = {};
            marked.push_back(i);
            for (const Part::Place place : {Part::tag, Part::size}) {
                const FieldKind kind = place == Part::tag ? FieldKind::tag : FieldKind::bytes;
                Assignment& assignment = parts_[i].assignment(structure_, place);
                if (!is_matched(matching, kind)) continue;
                assignment = Assignment();
                assignment.matching = matching;
            }
        }
        return marked;
    }

  private:
    struct Saved {
        u64 tag = 0;
        u64 size = 0;
        bool tag_leads = false;  ///< the functions of other slots follow it

        [[nodiscard]] u64 with(Matching matching) const {
            if (matching == Matching::by_tag) return size;
            return tag_leads ? 0 : tag + size;
        }
    };

    void count_mentions() {
        mentions_.assign(structure_.columns.size(), 0);
        for (auto* table : {&structure_.script_counts, &structure_.slots}) {
            for (std::vector<Assignment>& assignments : *table) {
                for (Assignment& assignment : assignments) {
                    for_each_mention(assignment, [this](u32 column) { ++mentions_[column]; });
                }
            }
        }
    }

    [[nodiscard]] Saved saved(const Part& part) const {
        if (part.end != MessageSide::receive) return {};
        const Assignment& tag = part.assignment(structure_, Part::tag);
        const Assignment& size = part.assignment(structure_, Part::size);
        if (size.functions && !size.functions->follows) return {};
        return {own_size(tag), own_size(size), tag.functions && !tag.functions->follows};
    }

    /// What nothing else mentions.
    [[nodiscard]] u64 own_size(Assignment assignment) const {
        u64 size = 0;
        for_each_mention(assignment, [&](u32 column) {
            if (mentions_[column] == 1) size += column_size(source(), column);
        });
        return size;
    }

    [[nodiscard]] FoldedSource source() const { return {structure_.patterns, structure_.columns}; }

    Structure& structure_;
    std::vector<Part> parts_;
    std::vector<u32> mentions_;
    std::vector<Saved> saved_;
};

/// By part, whether all receives have what the sends have; nothing if that is not worth it.
/// `columns` are given the receives that are worth it.
std::vector<bool> matched_parts(const Structure& whole, const Candidates& candidates,
                                Matching matching, MatchedColumns& columns) {
    const u64 size = candidates.size(matching);
    const u64 most = free_numbers(whole.location_count) / 2;
    MessageWalk walk(whole, candidates.parts(), matching);
    std::vector<bool> is_true(candidates.parts().size(), true);
    const u64 values = std::min({size * kValuesPerByte, most * kValuesPerNumber, kMostValues});
    if (!walk.run(values, std::min(most / 2, kMostSides / 2))) return {};
    walk.each_receive([&](u32 location, u32 part, const auto& told, const auto& sent) {
        if (!(told == sent)) is_true[part] = false;
        if (is_true[part] && candidates.is_worth(part, matching)) columns.add(location, part, sent);
    });
    return is_true;
}

/// The parts that are matched so.
std::vector<bool> marked_parts(const Structure& structure, const std::vector<Part>& parts,
                               Matching matching) {
    std::vector<bool> marked;
    for (const Part& part : parts) {
        marked.push_back(part.assignment(structure, Part::size).matching == matching);
    }
    return marked;
}

Column list_of(const std::vector<u64>& values) {
    return {Column::Form::list, 0, 0, values, kNone, kNone, {}};
}

class Unfolding {
  public:
    Unfolding(Structure& structure, u64 limit)
        : structure_(structure), columns_(structure), limit_(limit) {}

    void run() {
        const std::vector<Part>& parts = columns_.parts();
        const bool any = std::any_of(parts.begin(), parts.end(), [this](const Part& part) {
            return part.assignment(structure_, Part::size).matching != Matching::none;
        });
        if (!any) return;
        fill_in();
        for (const Matching matching : {Matching::by_tag, Matching::in_order}) collect(matching);
        structure_.columns.pop_back();
        columns_.append_to(structure_);
    }

  private:
    /// Until they are known, all numbers of matched slots are 0.
    void fill_in() {
        const auto nothing = static_cast<u32>(structure_.columns.size());
        structure_.columns.emplace_back();
        for (const Part& part : columns_.parts()) {
            for (const Part::Place place : {Part::tag, Part::size}) {
                Assignment& assignment = part.assignment(structure_, place);
                if (assignment.matching != Matching::none) assignment.columns = {nothing};
            }
        }
    }

    void collect(Matching matching) {
        const std::vector<bool> marked = marked_parts(structure_, columns_.parts(), matching);
        if (std::find(marked.begin(), marked.end(), true) == marked.end()) return;
        MessageWalk walk(structure_, columns_.parts(), matching);
        if (!walk.run(limit_ * kValuesPerNumber, kMostSides)) fail();
        walk.each_receive([&](u32 location, u32 part, const auto&, const auto& sent) {
            if (!marked[part]) return;
            if (limit_ < 2) fail();
            limit_ -= 2;
            columns_.add(location, part, sent);
        });
    }

    [[noreturn]] static void fail() {
        throw Error(ErrorKind::corrupt, "there are more messages than the locations can have");
    }

    Structure& structure_;
    MatchedColumns columns_;
    u64 limit_;
};

}  // namespace

MatchedColumns::MatchedColumns(const Structure& structure)
    : parts_(message_parts(structure)), of_part_(parts_.size()) {}

void MatchedColumns::add(u32 location, u32 part, const MessageWalk::Message& message) {
    std::vector<Lists>& lists = of_part_[part];
    if (lists.empty() || lists.back().location != location) lists.push_back({location, {}, {}});
    lists.back().tags.push_back(message.tag);
    lists.back().sizes.push_back(message.size);
}

void MatchedColumns::take(MatchedColumns& others, const std::vector<u32>& parts) {
    for (const u32 part : parts) of_part_[part] = std::move(others.of_part_[part]);
}

void MatchedColumns::append_to(Structure& structure) const {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        for (const Part::Place place : {Part::tag, Part::size}) {
            Assignment& assignment = parts_[i].assignment(structure, place);
            if (assignment.matching == Matching::none) continue;
            ClassColumns classes;
            for (const Lists& lists : of_part_[i]) {
                classes.add(list_of(place == Part::tag ? lists.tags : lists.sizes));
            }
            assignment.columns.clear();
            classes.append_to(structure, assignment);
        }
    }
}

MatchedColumns match_receives(Structure& structure) {
    Candidates candidates(structure);
    MatchedColumns columns(structure);
    if (candidates.size(Matching::in_order) == 0 && candidates.size(Matching::by_tag) == 0) {
        return columns;
    }
    Structure whole = structure;
    unfold_tables(whole);
    for (const Matching matching : {Matching::in_order, Matching::by_tag}) {
        if (candidates.size(matching) == 0) continue;
        MatchedColumns found(structure);
        const std::vector<bool> is_true = matched_parts(whole, candidates, matching, found);
        if (is_true.empty()) continue;
        columns.take(found, candidates.mark(matching, is_true));
    }
    return columns;
}

void unfold_matched_receives(Structure& structure, u64 limit) { Unfolding(structure, limit).run(); }

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/column_codec.hpp"

#include "file/format/item_codec.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr u32 kMaxDepth = 1000;

struct Tree {
    u64 nodes = 1;
    u32 depth = 1;
};

u64 get_number(FieldReader& in, FieldRole role) {
    return static_cast<u64>(in.at(role).get_signed());
}

std::vector<u64> get_numbers(FieldReader& in, FieldRole role, u64 count, bool steps) {
    std::vector<u64> numbers;
    numbers.reserve(count);
    u64 last = 0;
    for (u64 i = 0; i < count; ++i) {
        const u64 number = get_number(in, role);
        last = steps ? last + number : number;
        numbers.push_back(last);
    }
    return numbers;
}

}  // namespace

u32 ColumnReader::get_pattern(const std::vector<u32>* symbols) {
    const u64 mention = in_.at(FieldRole::pattern_mention).get_varint();
    if (mention != 0) {
        if (mention > patterns_.size()) in_.fail("a pattern is mentioned before it is defined");
        return static_cast<u32>(mention - 1);
    }
    Pattern pattern;
    const u32 leaves = in_.at(FieldRole::leaf_count).get_u32();
    if (leaves > budget_) in_.fail("a pattern has more leaves than the section can describe");
    budget_ -= leaves;
    pattern.leaf_count = leaves;
    if (symbols != nullptr && symbols->size() != leaves) {
        in_.fail("a script does not fit its pattern");
    }
    if (in_.is_followed()) {
        const auto kind =
            symbols != nullptr ? ItemForecast::Kind::script : ItemForecast::Kind::column;
        forecast_.begin(kind, leaves, symbols != nullptr ? *symbols : std::vector<u32>{});
    }
    get_loops(pattern, in_.at(FieldRole::loop_count).get_count(1));
    patterns_.push_back(std::move(pattern));
    return static_cast<u32>(patterns_.size() - 1);
}

void ColumnReader::get_loops(Pattern& pattern, u64 loops) {
    const u64 leaves = pattern.leaf_count;
    ItemForecast* forecast = in_.is_followed() ? &forecast_ : nullptr;
    std::vector<u32> levels;
    for (u64 i = 0; i < loops; ++i) {
        pattern.loops.push_back(get_items(in_, leaves + i, budget_, forecast));
        if (pattern.loops.back().empty()) in_.fail("a loop has an empty body");
        levels.push_back(levels_of(pattern.loops.back(), pattern.leaf_count, levels));
        if (forecast != nullptr) forecast->end_loop(pattern.loops.back());
    }
    pattern.root = get_items(in_, leaves + loops, budget_, forecast);
}

u32 ColumnReader::levels_of(const std::vector<u32>& body, u32 leaves,
                            const std::vector<u32>& levels) const {
    u32 deepest = 0;
    for (const u32 item : body) {
        if (item >= leaves) deepest = std::max(deepest, levels[item - leaves]);
    }
    if (deepest == kDeepestNest) {
        in_.fail(fmt::format("loops are nested more than {} levels deep", kDeepestNest));
    }
    return deepest + 1;
}

Expectations ColumnReader::newest(u64 first) const {
    return Expectations::fitting(columns_.size() - 1 + first);
}

u32 ColumnReader::get_column() {
    const u64 mention = in_.at(FieldRole::column_mention, newest(1)).get_varint();
    return mention == 0 ? get_new_column() : known_column(mention - 1);
}

u32 ColumnReader::add(Column column) {
    columns_.push_back(std::move(column));
    return static_cast<u32>(columns_.size() - 1);
}

u32 ColumnReader::known_column(u64 number) {
    if (number >= columns_.size()) in_.fail("a column is mentioned before it is defined");
    return static_cast<u32>(number);
}

u32 ColumnReader::get_new_column() {
    if (++depth_ > kMaxDepth) in_.fail("columns are nested too deeply");
    Column column;
    const u8 form = in_.at_byte(FieldRole::column_form).get_u8();
    switch (form) {
        case kConstant:
            column.start = get_number(in_, FieldRole::constant);
            break;
        case kProgression:
            column.form = Column::Form::progression;
            column.start = get_number(in_, FieldRole::progression);
            column.stride = get_number(in_, FieldRole::progression);
            break;
        case kList:
        case kSteps:
            column = get_list(form == kSteps);
            break;
        case kPeriodic:
        case kPeriodicSteps:
            column = get_list(form == kPeriodicSteps);
            column.form = Column::Form::periodic;
            if (column.values.empty()) in_.fail("a period is empty");
            break;
        case kRuns:
            column = get_runs();
            break;
        case kLike:
            column = get_like();
            break;
        case kFolded:
            column.form = Column::Form::folded;
            get_folded(column);
            break;
        case kDifferences:
            column.form = Column::Form::differences;
            column.start = get_number(in_, FieldRole::start);
            get_folded(column);
            break;
        default:
            in_.fail("a column has an unknown form");
    }
    --depth_;
    columns_.push_back(std::move(column));
    return static_cast<u32>(columns_.size() - 1);
}

Column ColumnReader::get_list(bool steps) {
    Column column;
    column.form = Column::Form::list;
    const u64 count = in_.at(FieldRole::list_size).get_count(1);
    column.values = get_numbers(in_, steps ? FieldRole::step : FieldRole::value, count, steps);
    return column;
}

Column ColumnReader::get_runs() {
    Column column;
    column.form = Column::Form::runs;
    const u64 count = in_.at(FieldRole::list_size).get_count(2);
    for (u64 i = 0; i < count; ++i) {
        column.values.push_back(get_number(in_, FieldRole::run_value));
        column.values.push_back(in_.at(FieldRole::run_length).get_varint());
        if (column.values.back() == 0) in_.fail("a run is empty");
    }
    column.values.push_back(get_number(in_, FieldRole::run_value));
    return column;
}

void ColumnReader::get_folded(Column& column) {
    column.pattern = get_pattern();
    column.alphabet = get_alphabet(column.pattern);
    get_counts(column);
}

Column ColumnReader::get_like() {
    const u32 number = known_column(in_.at(FieldRole::like, newest(0)).get_varint());
    if (!columns_[number].is_folded()) in_.fail("a column is like one that is not folded");
    // A few bytes stand for all counts of the other column.
    const u64 counts = columns_[number].counts.size();
    if (counts > budget_) in_.fail("a column has more counts than the section can describe");
    budget_ -= counts;
    Column column = columns_[number];
    column.start = get_number(in_, FieldRole::start);
    column.alphabet = get_alphabet(column.pattern);
    return column;
}

u32 ColumnReader::get_alphabet(u32 pattern) {
    const u64 leaves = patterns_[pattern].leaf_count;
    const u64 token = in_.at(FieldRole::alphabet, newest(kKnownAlphabet)).get_varint();
    if (token >= kKnownAlphabet) {
        const u32 number = known_column(token - kKnownAlphabet);
        const Column& known = columns_[number];
        // A folded, endless or short alphabet would let a few bytes claim any number of leaves.
        if (known.form > Column::Form::list ||
            (known.form == Column::Form::list && known.values.size() < leaves)) {
            in_.fail("an alphabet does not fit its pattern");
        }
        return number;
    }
    Column alphabet;
    if (token == kLetterProgression) {
        alphabet.start = get_number(in_, FieldRole::progression);
        alphabet.stride = get_number(in_, FieldRole::progression);
        alphabet.form = alphabet.stride == 0 ? Column::Form::constant : Column::Form::progression;
    } else {
        if (leaves > in_.remaining()) in_.fail("an alphabet has more letters than bytes are left");
        alphabet.form = Column::Form::list;
        const bool steps = token == kLetterSteps;
        const FieldRole role = steps ? FieldRole::letter_step : FieldRole::letter;
        alphabet.values = get_numbers(in_, role, leaves, steps);
    }
    columns_.push_back(std::move(alphabet));
    return static_cast<u32>(columns_.size() - 1);
}

void ColumnReader::get_counts(Column& column) {
    const u64 nodes = patterns_[column.pattern].node_count();
    const u64 count = in_.at(FieldRole::node_count).get_count(2);
    u64 node = 0;
    for (u64 i = 0; i < count; ++i) {
        const u64 token = in_.at(FieldRole::node_gap).get_varint();
        const u64 gap = token >> 1U;
        const bool run = (token & 1U) != 0;
        const u64 left = nodes - node;
        const Expectations all = Expectations::fitting(left - gap - 2);
        const u64 more = run ? in_.at(FieldRole::node_run, all).get_varint() : 0;
        if (gap >= left || (run && (left - gap < 2 || more > left - gap - 2))) {
            in_.fail("a count belongs to no node");
        }
        node += gap;
        const u64 size = run ? more + 2 : 1;
        // A few bytes stand for as many counts as a pattern has nodes.
        if (size > budget_) in_.fail("a column has more counts than the section can describe");
        budget_ -= size;
        const u32 counts = get_column();
        for (const u64 end = node + size; node < end; ++node) {
            column.counts.push_back({static_cast<u32>(node), counts});
        }
    }
}

void check_nesting(const std::vector<Pattern>& patterns, const std::vector<Column>& columns,
                   u64 limit, const ByteReader& in, std::size_t checked) {
    std::vector<Tree> trees;
    trees.reserve(columns.size());
    u64 largest = 0;  ///< of the columns verified before
    for (const Column& column : columns) {
        Tree tree;
        if (column.is_folded()) tree.nodes += patterns[column.pattern].node_count();
        for (const NodeCount& count : column.counts) {
            const Tree& below = trees[count.column];
            tree.nodes += below.nodes;
            tree.depth = std::max(tree.depth, below.depth + 1);
            const bool sound = trees.size() < checked ||
                               (tree.nodes <= limit + largest && tree.depth <= kMaxDepth);
            if (!sound) in.fail("columns are nested too deeply");
        }
        if (trees.size() < checked) largest = std::max(largest, tree.nodes);
        trees.push_back(tree);
    }
}

namespace {

void put_number(ByteWriter& out, u64 value) { out.put_signed(static_cast<i64>(value)); }

/// Numbers or, if clearly shorter, their differences: equal numbers often recur in other columns,
/// their differences do not.
struct CodedNumbers {
    explicit CodedNumbers(const std::vector<u64>& numbers) {
        ByteWriter plain;
        ByteWriter steps;
        u64 last = 0;
        for (const u64 number : numbers) {
            put_number(plain, number);
            put_number(steps, number - last);
            last = number;
        }
        stepwise = steps.size() + 1 + numbers.size() / 4 < plain.size();
        bytes = stepwise ? steps.take() : plain.take();
    }

    bool stepwise;
    std::string bytes;
};

/// Returns the ends of runs of neighbouring nodes with the same column.
std::vector<std::size_t> run_ends(const std::vector<NodeCount>& counts) {
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const bool goes_on = i + 1 < counts.size() && counts[i + 1].node == counts[i].node + 1 &&
                             counts[i + 1].column == counts[i].column;
        if (!goes_on) ends.push_back(i + 1);
    }
    return ends;
}

}  // namespace

ColumnWriter::ColumnWriter(ByteWriter& out, const std::vector<Pattern>& patterns,
                           const std::vector<Column>& columns, u32 known_patterns,
                           u32 known_columns)
    : out_(out),
      patterns_(patterns),
      columns_(columns),
      pattern_numbers_(patterns.size(), kNone),
      column_numbers_(columns.size(), kNone),
      patterns_written_(known_patterns),
      columns_written_(known_columns) {
    std::iota(pattern_numbers_.begin(), pattern_numbers_.begin() + known_patterns, 0);
    std::iota(column_numbers_.begin(), column_numbers_.begin() + known_columns, 0);
    for (u32 i = 0; i < known_columns; ++i) {
        if (columns[i].is_folded()) frames_.emplace(frame_of(columns[i]), i);
    }
}

ColumnWriter::Frame ColumnWriter::frame_of(const Column& column) {
    Frame frame{static_cast<u32>(column.form), column.pattern};
    for (const NodeCount& count : column.counts) {
        frame.push_back(count.node);
        frame.push_back(count.column);
    }
    return frame;
}

void ColumnWriter::put_pattern(u32 id) {
    if (pattern_numbers_[id] != kNone) {
        out_.put_varint(u64{1} + pattern_numbers_[id]);
        return;
    }
    const Pattern& pattern = patterns_[id];
    out_.put_varint(0);
    out_.put_varint(pattern.leaf_count);
    out_.put_varint(pattern.loops.size());
    for (const auto& body : pattern.loops) put_items(out_, body);
    put_items(out_, pattern.root);
    pattern_numbers_[id] = patterns_written_++;
}

bool ColumnWriter::is_known(u32 id, u64& number) const {
    number = column_numbers_[id];
    return column_numbers_[id] != kNone;
}

void ColumnWriter::put_column(u32 id) {
    if (column_numbers_[id] != kNone) {
        out_.put_varint(u64{1} + column_numbers_[id]);
        return;
    }
    out_.put_varint(0);
    put_content(id);
    column_numbers_[id] = columns_written_++;
}

void ColumnWriter::put_content(u32 id) {
    const Column& column = columns_[id];
    switch (column.form) {
        case Column::Form::constant:
            out_.put_u8(kConstant);
            put_number(out_, column.start);
            return;
        case Column::Form::progression:
            out_.put_u8(kProgression);
            put_number(out_, column.start);
            put_number(out_, column.stride);
            return;
        case Column::Form::list:
        case Column::Form::periodic:
            put_list(column);
            return;
        case Column::Form::runs:
            put_runs(column);
            return;
        case Column::Form::folded:
        case Column::Form::differences:
            put_folded(id);
            return;
    }
}

void ColumnWriter::put_folded(u32 id) {
    const Column& column = columns_[id];
    Frame frame = frame_of(column);
    const auto known = frames_.find(frame);
    if (known != frames_.end()) {
        out_.put_u8(kLike);
        out_.put_varint(known->second);
        put_number(out_, column.start);
        put_alphabet(column.alphabet);
        return;
    }
    const bool differences = column.form == Column::Form::differences;
    out_.put_u8(differences ? kDifferences : kFolded);
    if (differences) put_number(out_, column.start);
    put_pattern(column.pattern);
    put_alphabet(column.alphabet);
    put_counts(column);
    frames_.emplace(std::move(frame), columns_written_);
}

void ColumnWriter::put_alphabet(u32 id) {
    if (column_numbers_[id] != kNone) {
        out_.put_varint(kKnownAlphabet + column_numbers_[id]);
        return;
    }
    const Column& column = columns_[id];
    if (column.form == Column::Form::list) {
        const CodedNumbers coded(column.values);
        out_.put_varint(coded.stepwise ? kLetterSteps : kLetters);
        out_.put_bytes(coded.bytes);
    } else {
        out_.put_varint(kLetterProgression);
        put_number(out_, column.start);
        put_number(out_, column.stride);
    }
    column_numbers_[id] = columns_written_++;
}

void ColumnWriter::put_list(const Column& column) {
    const CodedNumbers coded(column.values);
    if (column.form == Column::Form::list) {
        out_.put_u8(coded.stepwise ? kSteps : kList);
    } else {
        out_.put_u8(coded.stepwise ? kPeriodicSteps : kPeriodic);
    }
    out_.put_varint(column.values.size());
    out_.put_bytes(coded.bytes);
}

void ColumnWriter::put_runs(const Column& column) {
    out_.put_u8(kRuns);
    out_.put_varint(column.values.size() / 2);
    for (std::size_t i = 0; i < column.values.size(); ++i) {
        if (i % 2 == 0) {
            put_number(out_, column.values[i]);
        } else {
            out_.put_varint(column.values[i]);
        }
    }
}

void ColumnWriter::put_counts(const Column& column) {
    const std::vector<std::size_t> ends = run_ends(column.counts);
    out_.put_varint(ends.size());
    u32 expected = 0;
    std::size_t first = 0;
    for (const std::size_t end : ends) {
        const u64 nodes = end - first;
        out_.put_varint(u64{column.counts[first].node - expected} * 2 + (nodes > 1 ? 1 : 0));
        if (nodes > 1) out_.put_varint(nodes - 2);
        put_column(column.counts[first].column);
        expected = column.counts[end - 1].node + 1;
        first = end;
    }
}

}  // namespace tracefold

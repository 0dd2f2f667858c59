// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/format/item_codec.hpp"
#include "model/structure.hpp"

#include <map>
#include <vector>

namespace tracefold {

// How a column is written (docs/reference/format.md, "Columns").
inline constexpr u8 kConstant = 0;
inline constexpr u8 kProgression = 1;
inline constexpr u8 kList = 2;
inline constexpr u8 kSteps = 3;
inline constexpr u8 kFolded = 4;
inline constexpr u8 kDifferences = 5;
inline constexpr u8 kPeriodic = 6;
inline constexpr u8 kPeriodicSteps = 7;
inline constexpr u8 kRuns = 8;
inline constexpr u8 kLike = 9;

// How an alphabet is written.
inline constexpr u64 kLetters = 0;
inline constexpr u64 kLetterSteps = 1;
inline constexpr u64 kLetterProgression = 2;
inline constexpr u64 kKnownAlphabet = 3;

/// Writes columns, and the patterns and columns that they refer to, at their first mention; later
/// mentions are numbers (docs/reference/format.md, "Columns"). Items are numbered in the order in
/// which they are complete, so children come before parents.
///
///   mention := 0 item | 1 + number
///   column  := 0 start                          constant            (numbers: signed varints)
///            | 1 start stride                   progression
///            | 2 count value*                   list
///            | 3 count step*                    list as differences, the first from 0
///            | 6 count value*                   list, periodic
///            | 7 count step*                    list as differences, periodic
///            | 8 count (value n)* value         runs, `count` of them have a length
///            | 4 mention(pattern) alphabet counts             folded
///            | 5 start mention(pattern) alphabet counts       folded differences
///            | 9 number start alphabet      form, pattern and counts of the folded column `number`
///   alphabet := 0 value* | 1 step* | 2 start stride | 3 + number    values: one per leaf
///   counts  := n (token [more] mention(column))*     nodes whose count is not always 1; token is
///                                                    twice the gap, + 1 if more + 2 nodes follow
///   pattern := leaves loops body* body(root)
///   body    := items token*                     see put_items()
class ColumnWriter {
  public:
    /// The vectors must outlive the writer. Of both, the first ones may be known to the reader
    /// under the numbers that they have here.
    ColumnWriter(ByteWriter& out, const std::vector<Pattern>& patterns,
                 const std::vector<Column>& columns, u32 known_patterns = 0, u32 known_columns = 0);

    void put_pattern(u32 id);
    void put_column(u32 id);
    /// True if the column was written; `number` is then its number.
    [[nodiscard]] bool is_known(u32 id, u64& number) const;
    /// To be told about a column that the caller has written.
    void note_written(u32 id) { column_numbers_[id] = columns_written_++; }

  private:
    /// What a folded column may share with others.
    using Frame = std::vector<u32>;

    static Frame frame_of(const Column& column);
    void put_content(u32 id);
    void put_list(const Column& column);
    void put_runs(const Column& column);
    void put_counts(const Column& column);
    void put_folded(u32 id);
    void put_alphabet(u32 id);

    ByteWriter& out_;
    const std::vector<Pattern>& patterns_;
    const std::vector<Column>& columns_;
    std::vector<u32> pattern_numbers_;
    std::vector<u32> column_numbers_;
    std::map<Frame, u32> frames_;  ///< of folded columns written so far
    u32 patterns_written_;
    u32 columns_written_;
};

/// The inverse of ColumnWriter; adds to two vectors. Throws Error(corrupt) on anything that a
/// writer does not write. Nesting is limited to kMaxDepth.
class ColumnReader {
  public:
    static constexpr int kMaxDepth = 100;

    ColumnReader(FieldReader& in, std::vector<Pattern>& patterns, std::vector<Column>& columns)
        : in_(in),
          patterns_(patterns),
          columns_(columns),
          budget_(kFreeItems + 64 * in.remaining()) {}

    /// `symbols` are those of the leaves if the pattern is that of a script, else null.
    u32 get_pattern(const std::vector<u32>* symbols = nullptr);
    u32 get_column();
    /// A new column that stands here (a mention without its leading 0).
    u32 get_new_column();
    /// A new column that refers to no others, which the caller has read.
    u32 add(Column column);
    /// A column by number.
    u32 known_column(u64 number);
    /// The mention of the newest column, that of column 0 being `first`.
    [[nodiscard]] Expectations newest(u64 first) const;

  private:
    void get_loops(Pattern& pattern, u64 loops);
    /// The levels of a loop with this body, those of the loops before it being known.
    [[nodiscard]] u32 levels_of(const std::vector<u32>& body, u32 leaves,
                                const std::vector<u32>& levels) const;
    Column get_list(bool steps);
    Column get_runs();
    void get_folded(Column& column);
    void get_counts(Column& column);
    Column get_like();
    u32 get_alphabet(u32 pattern);

    FieldReader& in_;
    std::vector<Pattern>& patterns_;
    std::vector<Column>& columns_;
    ItemForecast forecast_;
    /// Items that may still be read: a run of items takes two bytes whatever its length, so a
    /// damaged count could otherwise claim any amount of memory.
    static constexpr u64 kFreeItems = u64{1} << 22U;
    u64 budget_;
    int depth_ = 0;
};

/// Nodes that a column may have below it, besides some for each byte of the section.
constexpr u64 most_nodes(u64 section_size) { return (u64{1} << 22U) + 64 * section_size; }

/// Refuses columns that a cursor cannot walk with bounded effort: counts may be folded columns with
/// counts of their own, and since columns are shared, a few bytes could nest them deeply or
/// describe a tree of any size. `limit` bounds the nodes of the tree below one column; the first
/// `checked` columns were found sound by themselves, and others may refer to the largest of them.
/// Precondition: columns refer to columns before them. Throws Error(corrupt) by way of `in`.
void check_nesting(const std::vector<Pattern>& patterns, const std::vector<Column>& columns,
                   u64 limit, const ByteReader& in, std::size_t checked = 0);

}  // namespace tracefold

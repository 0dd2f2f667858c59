// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/column_fingerprint.hpp"

#include "core/hash.hpp"
#include "fold/column_cursor.hpp"

namespace tracefold::inline analysis {

namespace {

class Fingerprint {
  public:
    void add(u64 number) { state_ = mix(state_ ^ mix(number + kGolden)); }
    void add(const std::vector<u32>& numbers) {
        add(numbers.size());
        for (const u32 number : numbers) add(number);
    }
    [[nodiscard]] u64 value() const { return state_; }

  private:
    u64 state_ = 0;
};

/// Longer columns are compared by their folded form.
constexpr u64 kMostUnwound = u64{1} << 20U;

/// How many numbers a column has that may be folded or a list, as a file sees fit; 0: another form,
/// or too many to look at.
u64 length_of(const FoldedSource& source, const Column& column) {
    if (column.form == Column::Form::list) return column.values.size();
    if (!column.is_folded()) return 0;
    PatternCursor cursor(source, column.pattern, column.counts);
    PatternCursor::Run run{};
    u64 length = column.form == Column::Form::differences ? 1 : 0;
    while (cursor.next(run)) {
        length += run.count;
        if (run.count > kMostUnwound || length > kMostUnwound) return 0;
    }
    return length;
}

}  // namespace

u64 column_fingerprint(const std::vector<Pattern>& patterns, const std::vector<Column>& columns,
                       u32 column) {
    const Column& content = columns[column];
    Fingerprint print;
    const FoldedSource source{patterns, columns};
    if (const u64 length = length_of(source, content); length != 0) {
        ColumnCursor cursor(source, column);
        for (u64 i = 0; i < length; ++i) print.add(cursor.next());
        return print.value();
    }
    print.add(static_cast<u64>(content.form));
    print.add(content.start);
    print.add(content.stride);
    print.add(content.values.size());
    for (const u64 value : content.values) print.add(value);
    if (!content.is_folded()) return print.value();
    const Pattern& pattern = patterns[content.pattern];
    print.add(pattern.leaf_count);
    print.add(pattern.root);
    for (const std::vector<u32>& body : pattern.loops) print.add(body);
    print.add(column_fingerprint(patterns, columns, content.alphabet));
    for (const NodeCount& count : content.counts) {
        print.add(count.node);
        print.add(column_fingerprint(patterns, columns, count.column));
    }
    return print.value();
}

}  // namespace tracefold::inline analysis

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/column_fingerprint.hpp"

#include "core/hash.hpp"

namespace tracefold {

namespace {

class Fingerprint {
  public:
    void add(u64 number) { state_ = mix(state_ ^ mix(number + 0x9e3779b97f4a7c15ULL)); }
    void add(const std::vector<u32>& numbers) {
        add(numbers.size());
        for (const u32 number : numbers) add(number);
    }
    [[nodiscard]] u64 value() const { return state_; }

  private:
    u64 state_ = 0;
};

}  // namespace

u64 column_fingerprint(const std::vector<Pattern>& patterns, const std::vector<Column>& columns,
                       u32 column) {
    const Column& content = columns[column];
    Fingerprint print;
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

}  // namespace tracefold

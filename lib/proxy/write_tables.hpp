// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_pool.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A number in C.
std::string c_number(u64 value);
/// Breaks a line of C at blanks behind commas; continuation lines are indented by four more.
std::string c_lines(const std::string& line);
/// In how many places each loop of a pattern stands.
std::vector<u32> uses_of_loops(const Pattern& pattern);

/// Writes folded columns as texts that the proxy application reads (proxy_core_text()), each once:
/// numbers, with how often they follow in front of them, and nested loops in parentheses.
class TableWriter {
  public:
    explicit TableWriter(const StructurePool& pool) : pool_(pool) {}

    /// The number of a column in the table.
    u32 column(u32 id);

    [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
    /// Most loops within each other, at least 1. Cost: linear in the texts.
    [[nodiscard]] std::size_t depth() const;
    /// The table in C.
    [[nodiscard]] std::string table() const;

  private:
    std::string text_of(const Column& column);
    std::string folded(const Column& column);
    std::vector<std::string> repetitions(const Column& column);
    u32 add(const std::string& text);

    const StructurePool& pool_;
    std::unordered_map<u32, u32> numbers_;
    std::unordered_map<std::string, u32> known_;
    std::vector<std::string> texts_;
};

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_pool.hpp"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

/// A number in C.
std::string c_number(u64 value);
/// Breaks a line of C at blanks behind commas; continuation lines are indented by four more.
std::string c_lines(const std::string& line);

/// Writes folded columns as C tables, each once, after those that they refer to.
class TableWriter {
  public:
    explicit TableWriter(const StructurePool& pool) : pool_(pool) {}

    /// "&c12"; its definition is in text() from now on.
    std::string column(u32 id);

    [[nodiscard]] const std::string& text() const { return text_; }
    /// Most loops within each other, the root included.
    [[nodiscard]] std::size_t depth() const { return depth_; }

  private:
    void define(u32 id);
    std::string folded(const Column& column);

    const StructurePool& pool_;
    std::unordered_map<u32, u32> numbers_;
    std::string text_;
    std::size_t depth_ = 1;
};

}  // namespace tracefold

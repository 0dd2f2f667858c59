// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/page/page_answers.hpp"

#include <map>
#include <string>

namespace tracefold {

/// The parameters of a question, as they stand in an address. Whatever does not make sense throws
/// Error(usage).
class PageQuery {
  public:
    explicit PageQuery(std::map<std::string, std::string> values) : values_(std::move(values)) {}

    /// Empty if it is missing.
    [[nodiscard]] std::string text(const std::string& name) const;
    /// A number from 0; digits only.
    [[nodiscard]] u64 number(const std::string& name) const;
    [[nodiscard]] u64 number(const std::string& name, u64 otherwise) const;
    /// `from`, `to`, `rows` ("0-39,50") and `columns`; rows of a view of `row_count`.
    [[nodiscard]] PageWindow window(u32 row_count) const;
    [[nodiscard]] std::vector<u32> rows(u32 row_count) const;
    [[nodiscard]] u32 row(u32 row_count) const;

  private:
    std::map<std::string, std::string> values_;
};

}  // namespace tracefold

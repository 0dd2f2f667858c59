// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "export/proxy/proxy_model.hpp"
#include "export/proxy/script_union.hpp"
#include "fold/structure_pool.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A number in C.
std::string c_number(u64 value);
/// Breaks a line of C after commas; indents continuation lines by four more.
std::string c_lines(const std::string& line);
/// Number of uses of each loop of a pattern.
std::vector<u32> uses_of_loops(const Pattern& pattern);

/// Writes folded columns as texts for the proxy application (proxy_core_text()), each once:
/// numbers, with their repetitions in front, and nested loops in parentheses.
class TableWriter {
  public:
    explicit TableWriter(const StructurePool& pool) : pool_(pool) {}

    /// The number of a column in the table.
    u32 column(u32 id);

    [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
    /// Maximum depth of loops, at least 1. Cost: linear in the texts.
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

/// Writes the program of some ranks as C functions: one per loop nest, and one for the whole.
class ScriptWriter {
  public:
    /// All must outlive this object.
    ScriptWriter(const ProxyModel& model, std::size_t number, TableWriter& tables);

    std::string functions();
    /// After functions(): the tables of the ranks and of the arguments.
    std::string script_tables();
    /// After functions(): the entry in the table of parts.
    [[nodiscard]] std::string entry() const;

  private:
    void choose_functions();
    std::string body(BodyId number, std::size_t depth);
    std::string item(u32 place, std::size_t depth);
    std::string loop(u32 place, std::size_t depth);
    std::string call(const ProxyPlace& place);
    std::string repeat(const Assignment& count, std::size_t depth);
    [[nodiscard]] bool is_condition(const Assignment& count) const;
    std::string number(const Assignment& assignment);
    std::string list(const Assignment& assignment, ProxyFunction function);
    std::string argument(const Assignment& assignment);
    [[nodiscard]] bool is_constant(const Assignment& assignment, u64& value) const;
    [[nodiscard]] std::string loop_name(std::size_t loop) const;

    const ProxyModel& model_;
    std::size_t number_;
    const ProxyScript& script_;
    const Pattern& pattern_;
    PlaceNumbers places_;
    TableWriter& tables_;
    std::vector<bool> is_function_;  ///< by loop
    std::vector<std::string> arguments_;
};

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "proxy/place_walk.hpp"
#include "proxy/proxy_model.hpp"
#include "proxy/write_tables.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// Writes the program of some ranks as C functions: one per loop nest, and one for all.
class ScriptWriter {
  public:
    /// All must outlive this object.
    ScriptWriter(const ProxyModel& model, std::size_t number, TableWriter& tables);

    /// The functions.
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

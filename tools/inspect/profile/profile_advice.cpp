// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "common/table.hpp"
#include "common/units.hpp"
#include "inspect/profile/profile.hpp"

#include <fmt/core.h>

namespace tracefold {

void write_advice_json(const ProcessAdvice& advice, const std::string& file, Console& console) {
    JsonWriter json = begin_document(console, "profile_advice");
    json.member("file", file)
        .member("call_paths", advice.call_paths)
        .member("complete", advice.complete)
        .member("locations", advice.locations)
        .member("fixed_bytes", advice.fixed_bytes)
        .member("shared_bytes", advice.shared_bytes)
        .member("processes", advice.processes);
    if (advice.processes != 0) {
        json.member("process_bytes", advice.bytes_per_process(advice.processes));
    }
    json.end_object();
}

void print_advice(const ProcessAdvice& advice, const std::string& file, Console& console) {
    console.out() << console.paint(Style::bold, file) << '\n';
    Table table({{""}, {""}});
    table.add_row({"call paths", std::string(advice.complete ? "" : "at least ") +
                                     std::to_string(advice.call_paths)});
    table.add_row({"locations", std::to_string(advice.locations)});
    table.add_row({"on each process", format_size(advice.fixed_bytes)});
    table.add_row({"shared", format_size(advice.shared_bytes)});
    if (advice.processes == 0) {
        table.add_row({"processes", "no number is enough; select ranks, or allow more memory"});
    } else {
        table.add_row(
            {"processes", fmt::format("{}, {} each", advice.processes,
                                      format_size(advice.bytes_per_process(advice.processes)))});
    }
    table.print(console.out(), 2);
}

}  // namespace tracefold

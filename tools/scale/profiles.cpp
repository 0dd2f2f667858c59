// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scale/profiles.hpp"

#include "common/units.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// "n=8,27,64"
void parse_parameter(const std::string& text, RunParameter& out) {
    const std::size_t equals = text.find('=');
    const bool has_name = equals != 0 && equals != std::string::npos;
    const auto values = has_name ? parse_numbers<double>(text.substr(equals + 1)) : std::nullopt;
    if (!values) throw CLI::ValidationError("--param", text + " is not like n=100,200,400");
    out.name = text.substr(0, equals);
    out.values = *values;
}

}  // namespace

void RunParameter::add_options(CLI::App& app) {
    app.add_option_function<std::string>(
           "--param", [this](const std::string& text) { parse_parameter(text, *this); },
           "What the runs differ in, in place of the number of ranks: a name and its value in each "
           "run, at least 1")
        ->type_name("NAME=V1,V2,...");
}

RunProfiles::RunProfiles(
    const RunArguments& arguments, Console& console,
    const std::function<RunProfileRequest(std::size_t run, u32 ranks)>& request_of)
    : inputs(open_runs(arguments, console)) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        TraceFile& file = inputs[i]->file();
        const RunProfileRequest request = request_of(i, file.definitions().world_size());
        runs.push_back(profile_run(file, arguments.paths[i], request));
    }
}

void RunProfiles::sort_by(const RunParameter& parameter) {
    if (!parameter.values.empty()) {
        if (parameter.values.size() != runs.size()) {
            throw Error(ErrorKind::usage, "--param has {} values of {} for {} runs",
                        parameter.values.size(), parameter.name, runs.size());
        }
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (runs[i].ranks != runs.front().ranks) {
                throw Error(
                    ErrorKind::usage,
                    "{} has {} ranks and {} has {}: numbers are functions of one parameter, "
                    "so that runs that differ in {} must have as many ranks as each other",
                    runs.front().name, runs.front().ranks, runs[i].name, runs[i].ranks,
                    parameter.name);
            }
            runs[i].size = parameter.values[i];
        }
    }
    std::ranges::stable_sort(runs, {}, &RunProfile::size);
}

std::string unit_text(Unit unit, double value) {
    if (unit == Unit::seconds) return format_time(value);
    if (unit == Unit::bytes) return format_size(static_cast<u64>(std::llround(value)));
    const bool whole = value == std::floor(value) || value >= 1000;
    return whole ? format_count(static_cast<u64>(std::llround(value)))
                 : fmt::format("{:.3g}", value);
}

}  // namespace tracefold

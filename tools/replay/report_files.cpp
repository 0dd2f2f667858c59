// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/report_files.hpp"

#include "replay/report_csv.hpp"
#include "replay/report_html.hpp"
#include "replay/report_json.hpp"

#include <sstream>

namespace tracefold {

namespace {

std::string content(const std::string& name, const ReplayArguments& arguments,
                    const ReplayResult& result) {
    std::ostringstream out;
    if (name.ends_with(".json")) {
        JsonWriter json(out, JsonLayout::pretty);
        write_json(json, arguments, result);
    } else if (name.ends_with(".csv")) {
        write_csv(out, arguments, result);
    } else {
        write_html(out, arguments, result);
    }
    return out.str();
}

}  // namespace

ReportFiles::ReportFiles(const ReplayArguments& arguments, bool force) {
    for (const std::string& name : arguments.reports) files_.emplace_back(name, force);
}

void ReportFiles::write(const ReplayArguments& arguments, const ReplayResult& result) {
    // A symbolic link may lead to a file of another name.
    for (std::size_t i = 0; i < files_.size(); ++i) {
        files_[i].write(content(arguments.reports[i], arguments, result));
        files_[i].commit();
    }
}

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/report_files.hpp"

#include <sstream>

namespace tracefold {

ReportFiles::ReportFiles(const std::vector<std::string>& names, bool force) : names_(names) {
    for (const std::string& name : names) files_.emplace_back(name, force);
}

void ReportFiles::write(const std::function<void(JsonWriter&)>& json,
                        const std::function<void(std::ostream&)>& csv,
                        const std::function<void(std::ostream&)>& html) {
    for (std::size_t i = 0; i < files_.size(); ++i) {
        std::ostringstream out;
        if (names_[i].ends_with(".json")) {
            JsonWriter writer(out, JsonLayout::pretty);
            json(writer);
        } else if (names_[i].ends_with(".csv")) {
            csv(out);
        } else {
            html(out);
        }
        files_[i].write(out.str());
        files_[i].commit();
    }
}

}  // namespace tracefold

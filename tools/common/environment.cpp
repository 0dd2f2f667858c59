// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/environment.hpp"

#include <cstdlib>

namespace tracefold {

Environment process_environment() {
    return [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        if (value == nullptr) return std::nullopt;
        return value;
    };
}

std::string scratch_directory(const Environment& environment) {
    const std::optional<std::string> chosen = environment("TMPDIR");
    return chosen.has_value() && !chosen->empty() ? *chosen : "/tmp";
}

}  // namespace tracefold

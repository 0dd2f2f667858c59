// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace tracefold {

/// Returns the function `name`, with C linkage, of a plugin: a shared object with features that few
/// commands need and whose libraries load slowly. Searches the plugin folder relative to the
/// running program, then the default installation folder, both absolute; the plugin stays loaded.
/// Throws Error: unsupported if it is missing or cannot be loaded, io if the system does not tell
/// the path of the program.
void* find_in_plugin(const std::string& plugin, const char* name);

/// As above, cast to its type without any check.
template <class Function>
Function* plugin_function(const std::string& plugin, const char* name) {
    return reinterpret_cast<Function*>(find_in_plugin(plugin, name));
}

}  // namespace tracefold

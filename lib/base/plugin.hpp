// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace tracefold {

/// The function `name`, with C linkage, of a plugin: a shared object with what few commands need,
/// whose libraries take longer to load than those commands run. It is looked for in the folder
/// for plugins, seen from the running program, then where this build is installed by default, and
/// stays loaded. Throws Error(unsupported) if it is missing or cannot be loaded.
void* find_in_plugin(const std::string& plugin, const char* name);

/// The same with its type, which nobody can check.
template <class Function>
Function* plugin_function(const std::string& plugin, const char* name) {
    return reinterpret_cast<Function*>(find_in_plugin(plugin, name));
}

}  // namespace tracefold

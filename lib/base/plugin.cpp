// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/plugin.hpp"

#include "base/error.hpp"
#include "base/file.hpp"

#include <filesystem>
#include <system_error>

#include <dlfcn.h>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

/// The folder is relative to the installation of the program.
fs::path folder_of_program() {
    return (program_folder() / TRACEFOLD_PLUGINS_FROM_PROGRAM).lexically_normal();
}

/// Strips the path that dlerror() may put in front: the message has it already.
std::string reason_without(const std::string& path) {
    const char* text = ::dlerror();
    const std::string reason = text != nullptr ? text : "unknown reason";
    const std::string front = path + ": ";
    return reason.starts_with(front) ? reason.substr(front.size()) : reason;
}

fs::path path_of_plugin(const std::string& file) {
    const fs::path near = folder_of_program() / file;
    const fs::path usual = fs::path(TRACEFOLD_PLUGINS_INSTALLED) / file;
    std::error_code missing;
    if (fs::exists(near, missing)) return near;
    if (fs::exists(usual, missing)) return usual;
    throw Error(ErrorKind::unsupported,
                "{}, a required part of tracefold, is missing; install all of tracefold, with its "
                "folder {}",
                near.string(), near.parent_path().string());
}

/// Loads with global symbols: Open MPI's own plugins need those of Open MPI.
void* open_plugin(const std::string& path) {
    if (void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return handle;
    throw Error(ErrorKind::unsupported,
                "cannot load {}: {}; install the libraries that it was built with", path,
                reason_without(path));
}

}  // namespace

void* find_in_plugin(const std::string& plugin, const char* name) {
    const std::string path = path_of_plugin(plugin + TRACEFOLD_PLUGIN_SUFFIX).string();
    void* handle = open_plugin(path);
    if (void* function = ::dlsym(handle, name)) return function;
    throw Error(ErrorKind::unsupported, "{} belongs to another version of tracefold: {}", path,
                reason_without(path));
}

}  // namespace tracefold

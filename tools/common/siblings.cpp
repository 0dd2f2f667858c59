// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/siblings.hpp"

#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include <sys/types.h>
#include <unistd.h>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

/// 0 if there is no such process any more. The name in parentheses may hold anything.
pid_t parent_of(const fs::path& process) {
    std::string text;
    std::getline(std::ifstream(process / "stat"), text);
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos || name_end + 4 > text.size()) return 0;
    pid_t parent = 0;
    std::from_chars(text.data() + name_end + 4, text.data() + text.size(), parent);
    return parent;
}

}  // namespace

void forward_to_siblings(int signal) {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    for (fs::directory_iterator entry("/proc", error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        pid_t process = 0;
        const auto [stop, wrong] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (wrong != std::errc() || stop != name.data() + name.size() || process == ::getpid())
            continue;
        std::error_code hidden;
        if (parent_of(entry->path()) != ::getppid() ||
            fs::read_symlink(entry->path() / "exe", hidden) != program)
            continue;
        ::sigqueue(process, signal, {});
    }
}

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace tracefold {

/// The folded files in a folder, by name. Throws Error(io) if it cannot be read; with `may_miss`, a
/// missing folder is empty.
std::vector<std::string> baselines_in(const std::string& folder, bool may_miss);

struct BaselineUpdate {
    std::vector<std::string> added;
    std::vector<std::string> removed;
};

/// Copies runs to a folder with the files `known`, unless it has their content, and removes the
/// oldest copies beyond `keep` files. Copies have names of date and content,
/// "20260131T120000Z-0123456789abcdef.tfold", so that they sort by age; files with other names
/// stay. Throws Error(io). Memory: the largest run.
BaselineUpdate update_baselines(const std::string& folder, std::vector<std::string> known,
                                const std::vector<std::string>& runs, std::size_t keep);

}  // namespace tracefold

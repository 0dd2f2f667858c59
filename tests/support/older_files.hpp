// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace tracefold::testing {

/// Turns the files of an archive of OTF2 3.0 in place into what an older or newer release would
/// have written: definitions without the fields that came later, and the version in the anchor.
/// Each definition file must have one chunk.
void make_version(const std::string& archive, unsigned major, unsigned minor);

/// Adds `bytes` at the end of every record of this type in the global definitions, as a release
/// that knows more fields would.
void lengthen_definitions(const std::string& archive, unsigned type, const std::string& bytes);

/// Adds `bytes` at the end of every file of an archive.
void append_to_all_files(const std::string& archive, const std::string& bytes);

/// Replaces the content of a file.
void change_file(const std::string& path,
                 const std::function<std::string(const std::string&)>& change);

}  // namespace tracefold::testing

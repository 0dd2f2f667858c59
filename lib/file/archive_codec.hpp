// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/archive_info.hpp"
#include "model/dictionary.hpp"

#include <string>
#include <string_view>

namespace tracefold {

/// What the archive section tells.
struct ArchiveHead {
    ArchiveInfo archive;
    TraceSummary summary;
};

/// The payloads of the archive and file sections (docs/reference/format.md). The anchor file is not
/// stored if its bytes follow from the rest. Decoders throw Error(corrupt); `name` says in messages
/// what is being read; `dictionary` is that of the file. Paths (anchor_path, directory) are not
/// stored.
std::string encode_archive(const ArchiveHead& head,
                           const Dictionary& dictionary = Dictionary::built_in());
ArchiveHead decode_archive(std::string_view bytes, const std::string& name,
                           const Dictionary& dictionary = Dictionary::built_in());

/// A file that is carried as it is. `path` is relative to the archive's folder.
struct CarriedFile {
    std::string path;
    std::string content;
};

std::string encode_file(const CarriedFile& file);
CarriedFile decode_file(std::string_view bytes, const std::string& name);

/// True for a relative path that stays below its folder.
bool is_safe_path(std::string_view path);

/// The anchor file that libotf2 3.x writes for an archive with these facts; anchor_bytes is not
/// looked at. Other releases may lay it out differently.
std::string expected_anchor(const ArchiveInfo& info);

}  // namespace tracefold

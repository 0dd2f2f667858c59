// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/archive_info.hpp"
#include "model/dictionary.hpp"

#include <string>
#include <string_view>

namespace tracefold {

/// The content of the archive section.
struct ArchiveHead {
    ArchiveInfo archive;
    TraceSummary summary;
};

/// The payloads of the archive and file sections (docs/reference/format.md). The anchor file is
/// omitted if its bytes follow from the other facts. Decoders throw Error(corrupt); `name` is the
/// source in messages; `dictionary` is that of the file. Paths (anchor_path, directory) are not
/// stored.
std::string encode_archive(const ArchiveHead& head,
                           const Dictionary& dictionary = Dictionary::built_in());
ArchiveHead decode_archive(std::string_view bytes, const std::string& name,
                           const Dictionary& dictionary = Dictionary::built_in());

/// A file stored verbatim. `path` is relative to the archive's folder.
struct CarriedFile {
    std::string path;
    std::string content;
};

std::string encode_file(const CarriedFile& file);
CarriedFile decode_file(std::string_view bytes, const std::string& name);

/// True for a relative path that stays below its folder.
bool is_safe_path(std::string_view path);

}  // namespace tracefold

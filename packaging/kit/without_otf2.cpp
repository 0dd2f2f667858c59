// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A kit has no OTF2 library: in place of archives/compress.cpp, restore.cpp and archive_source.cpp.
#include "archives/archive_source.hpp"
#include "archives/compress.hpp"
#include "archives/restore.hpp"
#include "base/error.hpp"
#include "base/zstd_frame.hpp"
#include "otf2/archive_files.hpp"

namespace tracefold {

namespace {

[[noreturn]] void refuse(const char* what) {
    throw Error(ErrorKind::unsupported, "this replayer was built from a kit, without OTF2: it {}",
                what);
}

[[noreturn]] void refuse_archive() { refuse("replays folded files only"); }

}  // namespace

CompressReport compress(Communicator&, const CompressOptions&) { refuse_archive(); }

ArchiveOutline outline_archive(const std::string&, const ArchiveReaderOptions&) {
    refuse_archive();
}

std::string find_anchor(const std::string&) { refuse_archive(); }

ArchiveFiles files_of(const std::string&) { refuse_archive(); }

bool ArchiveFiles::has(const std::string&) const { refuse_archive(); }

u64 restore_retimed(TraceFile&, const std::string&, const Retiming&) {
    refuse("cannot record a replay (--record)");
}

std::vector<std::pair<std::string, std::string>> format_versions() {
    return {{"file format", std::to_string(kFormatMajor) + "." + std::to_string(kFormatMinor)},
            {"libotf2", "none"},
            {"zstd", zstd_version()}};
}

}  // namespace tracefold

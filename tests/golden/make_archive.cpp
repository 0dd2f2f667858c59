// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// What scripts/make_golden cannot have from the samples:
//   make_archive all DIRECTORY            an archive with every kind of record
//   make_archive older ARCHIVE            turns an archive into one of OTF2 1.2
//   make_archive recoded OUT FILE CODING  a folded file with other codings: plain or zstd
#include "base/error.hpp"
#include "support/older_files.hpp"
#include "support/otf2_all_records.hpp"
#include "support/section_content.hpp"

#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>

namespace tracefold::testing {
namespace {

void recode(const std::string& output, const std::string& input, const std::string& coding) {
    constexpr int kLevel = 19;
    const ContainerReader file(input);
    AtomicFile out(output);
    ContainerWriter writer(out, kLevel);
    for (const Section& section : file.sections()) {
        const std::string content = content_of(file, section);
        const bool is_plain = coding == "plain" || section.kind == SectionKind::ticks;
        writer.add(
            section.kind, section.index,
            is_plain ? StoredSection{content, content.size()} : pack_section(content, kLevel));
    }
    writer.finish();
    out.commit();
}

void make(const std::string& kind, const std::string& output, char** more, int count) {
    if (kind == "all" && count == 0) {
        std::filesystem::create_directories(output);
        write_archive(make_all_records(), output);
    } else if (kind == "older" && count == 0) {
        make_version(output, 1, 2);
    } else if (kind == "recoded" && count == 2) {
        recode(output, more[0], more[1]);
    } else {
        throw std::invalid_argument("usage: make_archive all|older|recoded OUTPUT ...");
    }
}

}  // namespace
}  // namespace tracefold::testing

int main(int argc, char** argv) {
    try {
        if (argc < 3) throw std::invalid_argument("usage: make_archive KIND OUTPUT ...");
        tracefold::testing::make(argv[1], argv[2], argv + 3, argc - 3);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "make_archive: " << error.what() << '\n';
        return 1;
    }
}

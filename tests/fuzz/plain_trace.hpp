// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "file/trace_file.hpp"
#include "fuzz/section_list.hpp"

#include <filesystem>
#include <memory>
#include <string>

#include <unistd.h>

namespace tracefold {

/// A file made of plain sections, with sizes and checksums that are right, and opened.
class PlainTrace {
  public:
    /// A file may hold any number of definitions in a loop; these are enough to go wrong.
    static constexpr u64 kDefinitions = 2000;

    explicit PlainTrace(std::string_view bytes) : file_(path()) {
        write_file(file_, get_sections(bytes));
        trace_ = std::make_unique<TraceFile>(file_.temporary_path().string());
    }

    TraceFile& operator*() { return *trace_; }

    /// In the folder for temporary files, of this process alone.
    static std::string path() {
        return (std::filesystem::temp_directory_path() /
                ("tracefold-fuzz-" + std::to_string(::getpid())))
            .string();
    }

  private:
    static std::string sane_archive(const std::string& bytes) {
        ArchiveHead head = decode_archive(bytes, "the input");
        u64& definitions = head.archive.global_definition_count;
        definitions = std::min(definitions, kDefinitions);
        return encode_archive(head);
    }

    static void write_file(AtomicFile& file, const std::vector<PlainSection>& sections) {
        ContainerWriter writer(file, 1);
        for (const PlainSection& plain : sections) {
            Section section;
            section.kind = static_cast<SectionKind>(plain.kind % 12);
            section.index = plain.index;
            const std::string content =
                section.kind == SectionKind::archive ? sane_archive(plain.content) : plain.content;
            section.stored_size = section.content_size = content.size();
            section.checksum = checksum(content);
            file.write_at(writer.place(section), content);
        }
        writer.finish();
    }

    AtomicFile file_;
    std::unique_ptr<TraceFile> trace_;
};

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// fuzz_seeds FOLDER ARCHIVE...: folds archives and writes what each fuzz target begins with.
#include "archives/compress.hpp"
#include "base/communicator.hpp"
#include "base/file.hpp"
#include "base/zstd_frame.hpp"
#include "collection/trace_index.hpp"
#include "file/archive_codec.hpp"
#include "file/structure_codec.hpp"
#include "fuzz/section_list.hpp"
#include "questions/profile/trace_profile.hpp"
#include "support/section_content.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

using namespace tracefold;
namespace fs = std::filesystem;

class SeedFolder {
  public:
    explicit SeedFolder(fs::path folder) : folder_(std::move(folder)) {}

    void put(const std::string& target, const std::string& bytes) {
        fs::create_directories(folder_ / target);
        std::ofstream(folder_ / target / std::to_string(number_++), std::ios::binary) << bytes;
    }

  private:
    fs::path folder_;
    int number_ = 0;
};

/// What tells the fuzz target of codecs to take bytes coded by context mixing for a section of this
/// kind.
char code_of(SectionKind kind) {
    if (kind == SectionKind::definitions) return '\x07';
    return kind == SectionKind::durations ? '\x0B' : '\x03';
}

void put_section(SeedFolder& seeds, const Section& section, const std::string& content) {
    switch (section.kind) {
        case SectionKind::archive:
            seeds.put("codecs", '\0' + content);
            seeds.put("codecs", '\1' + encode_file({"a/b", content}));
            seeds.put("codecs", '\x12' + zstd_compress(content, 1));
            break;
        case SectionKind::definitions: {
            std::string text;
            FieldReader in(content, "a seed");
            seeds.put("structure", encode_structure(read_definitions(in, text)));
            break;
        }
        case SectionKind::local_definitions:
        case SectionKind::structure:
            seeds.put("structure", content);
            break;
        case SectionKind::ticks:
            seeds.put("timing", '\x20' + content);
            break;
        default:
            break;
    }
}

void make_seeds(SeedFolder& seeds, const std::string& archive, TimingLevel timing,
                const std::string& scratch) {
    CompressOptions options;
    options.archive = archive;
    options.output = scratch;
    options.producer = "test";
    options.timing = timing;
    options.force = true;
    options.verify = false;
    SerialCommunicator comm;
    compress(comm, options);
    const ContainerReader file(scratch);
    std::vector<PlainSection> plain;
    for (const Section& section : file.sections()) {
        if (section.coding == Coding::context_mixing) {
            seeds.put("codecs", code_of(section.kind) + file.stored(section));
        }
        const std::string content = content_of(file, section);
        put_section(seeds, section, content);
        if (content.size() > 0xFFFF) continue;
        plain.push_back({static_cast<u8>(section.kind), static_cast<u8>(section.index), content});
    }
    seeds.put("trace_file", put_sections(plain));
}

/// The files of an archive for each of those who read them.
void put_files(SeedFolder& seeds, const fs::path& archive) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(archive)) {
        const bool events = entry.path().extension() == ".evt";
        if (!events && entry.path().extension() != ".def") continue;
        const std::string bytes = read_whole_file(entry.path());
        const std::string readers = events ? std::string("\0\2\6", 3) : "\1\3\7";
        for (const char reader : readers) seeds.put("records", reader + bytes);
        const bool global = entry.path().parent_path() == archive;
        if (!global) seeds.put("readers", (events ? '\0' : '\1') + bytes);
    }
}

/// A timing block in plain form: granularity and number of records, then symbols and low bits.
void make_block_seed(SeedFolder& seeds) {
    seeds.put("timing", std::string("\1\1\2\1\0\2\0\7\7", 9));
}

/// An index without its head, and a condition.
void make_list_seeds(SeedFolder& seeds, const std::string& file) {
    TraceIndex index;
    index["a.tfold"] = read_trace_record(file, {});
    index["b/traces.otf2"][TraceField::state] = "damaged";
    seeds.put("list", '\0' + encode_trace_index(index).substr(kTraceIndexHead));
    seeds.put("list", "\1not (ranks>=64 or size<1.5MB) and program~'lu' and steps!=-");
}

/// The profile of a folded file, for Cube.
void make_profile_seed(SeedFolder& seeds, const std::string& file, const std::string& scratch) {
    TraceFile trace(file);
    ProfileRequest request;
    request.selected.assign(trace.location_count(), true);
    request.cubex = scratch;
    request.force = true;
    SerialCommunicator comm;
    trace_profile(comm, trace, request);
    seeds.put("cubex", read_whole_file(scratch));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "usage: fuzz_seeds FOLDER ARCHIVE...\n";
        return 2;
    }
    try {
        const fs::path folder = argv[1];
        fs::remove_all(folder);
        fs::create_directories(folder);
        SeedFolder seeds(folder);
        for (int i = 2; i < argc; ++i) {
            for (const TimingLevel timing : {TimingLevel::none, TimingLevel::exact,
                                             TimingLevel::histogram, TimingLevel::quantized}) {
                make_seeds(seeds, argv[i], timing, (folder / "scratch.tfold").string());
            }
            make_list_seeds(seeds, (folder / "scratch.tfold").string());
            make_profile_seed(seeds, (folder / "scratch.tfold").string(),
                              (folder / "scratch.cubex").string());
            put_files(seeds, argv[i]);
        }
        make_block_seed(seeds);
    } catch (const std::exception& error) {
        std::cerr << "fuzz_seeds: " << error.what() << '\n';
        return 1;
    }
    return 0;
}

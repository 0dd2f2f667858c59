// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The small sections. The first byte says which; what a decoder accepts must survive coding.
#include "base/zstd_frame.hpp"
#include "file/archive_codec.hpp"
#include "file/section_coder.hpp"
#include "fold/timing_store.hpp"
#include "fuzz/target.hpp"
#include "support/dictionary_sample.hpp"

namespace {

using namespace tracefold;

constexpr u64 kLocations = 4;  ///< as those of the seeds

/// Reads a section, coded by context mixing, of one of three kinds.
void unpack(Section& section, unsigned kind, std::string_view bytes, const std::string& name) {
    if (kind == 0) {
        section.kind = SectionKind::structure;
        unpack_structure(bytes, section, name, kLocations);
    } else if (kind == 1) {
        section.kind = SectionKind::definitions;
        std::string text;
        unpack_definitions(bytes, section, name, text);
    } else {
        section.kind = SectionKind::durations;
        static const Structure events = sample_structure();
        unfold_means(unpack_durations(bytes, section, name, events), events.location_count, 1000);
    }
}

void decode(std::string_view bytes) {
    const std::uint8_t which = take_byte(bytes);
    const std::string name = "the input";
    switch (which % 4) {
        case 0: {
            const std::string coded = encode_archive(decode_archive(bytes, name));
            if (encode_archive(decode_archive(coded, name)) != coded) std::abort();
            return;
        }
        case 1:
            if (!is_safe_path(decode_file(bytes, name).path)) std::abort();
            return;
        case 2:
            zstd_decompress(bytes, bytes.size() * std::size_t{which}, name);
            return;
        default: {
            Section section;
            section.coding = Coding::context_mixing;
            section.content_size = bytes.size() * std::size_t{which};
            unpack(section, which / 4 % 3, bytes, name);
            return;
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return expect_survival(data, size, decode);
}

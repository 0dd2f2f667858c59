// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/archive_codec.hpp"

#include "unit/io/expect_error.hpp"

namespace tracefold {

namespace {

TEST(ArchiveCodec, KeepsEverythingButPaths) {
    ArchiveInfo info;
    info.name = "traces";
    info.version = {2, 3, 1};
    info.substrate = 1;
    info.event_chunk_size = 1U << 20U;
    info.definition_chunk_size = 1U << 22U;
    info.machine_name = "a machine";
    info.creator = std::string("with\0zero", 9);
    info.properties = {{"B", "2"}, {"A", "1"}};
    info.trace_id = 0x0123456789ABCDEFU;
    info.global_definition_count = 300;
    info.location_count = 4;
    info.anchor_bytes = "anchor";
    const std::string bytes = encode_archive(info);
    const ArchiveInfo back = decode_archive(bytes, "test");
    EXPECT_EQ(encode_archive(back), bytes);
    EXPECT_EQ(back.creator, info.creator);
    EXPECT_EQ(back.properties, info.properties);
    EXPECT_EQ(back.trace_id, info.trace_id);
    EXPECT_EQ(back.version, info.version);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW(decode_archive(std::string_view(bytes).substr(0, size), "test"), Error);
    }
    info.name = "../traces";
    expect_error(ErrorKind::corrupt, "not a file name",
                 [&] { decode_archive(encode_archive(info), "test"); });
}

TEST(ArchiveCodec, SummaryMayGrow) {
    const TraceSummary summary{"tracefold 9", TimingLevel::quantized, 10'000, 1, 2, 1U << 30U};
    EXPECT_EQ(decode_summary(encode_summary(summary) + "more", "test"), summary);
    std::string strange = encode_summary(summary);
    strange[12] = 7;
    expect_error(ErrorKind::corrupt, "timing level", [&] { decode_summary(strange, "test"); });
    TraceSummary wild = summary;
    wild.time_error_ppm = 0;
    expect_error(ErrorKind::corrupt, "out of bounds",
                 [&] { decode_summary(encode_summary(wild), "test"); });
}

TEST(ArchiveCodec, FilesStayInTheirFolder) {
    const CarriedFile back = decode_file(encode_file({"a/b.txt", "content"}), "test");
    EXPECT_EQ(back.path, "a/b.txt");
    EXPECT_EQ(back.content, "content");
    for (const std::string& path :
         {std::string(), std::string("/a"), std::string("a/../b"), std::string("a//b"),
          std::string("./a"), std::string("a\0b", 3)}) {
        EXPECT_FALSE(is_safe_path(path)) << path;
        expect_error(ErrorKind::corrupt, "outside", [&] {
            decode_file(encode_file({path, ""}), "test");
        });
    }
    EXPECT_TRUE(is_safe_path("a..b/...c"));
}

}  // namespace

}  // namespace tracefold

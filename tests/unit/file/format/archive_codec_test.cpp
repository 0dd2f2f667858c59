// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/archive_codec.hpp"

#include "support/expect_error.hpp"

namespace tracefold {

namespace {

ArchiveHead some_head() {
    ArchiveHead head;
    ArchiveInfo& info = head.archive;
    info.name = "traces";
    info.version = {2, 3, 1};
    info.substrate = 1;
    info.event_chunk_size = 1U << 20U;
    info.definition_chunk_size = 1U << 22U;
    info.machine_name = "a machine";
    info.creator = std::string("with\0zero", 9);
    info.properties = {{"B", "2"}, {"OTF2::MPI_COMMUNICATION_COMPLETE", "true"}};
    info.trace_id = 0x0123456789ABCDEFU;
    info.global_definition_count = 300;
    info.location_count = 4;
    info.anchor_bytes = "anchor";
    head.summary = {"tracefold 9", TimingLevel::quantized, 10'000, 1, 2, 1U << 30U, false, {}};
    head.summary.losses = {
        {ArchiveFileKind::anchor, FileDamage::missing, 0, 0, 0, 0},
        {ArchiveFileKind::events, FileDamage::cut, ~u64{1}, 120, 400, 17},
    };
    return head;
}

TEST(ArchiveCodec, KeepsEverythingButPaths) {
    ArchiveHead head = some_head();
    const std::string bytes = encode_archive(head);
    const ArchiveHead back = decode_archive(bytes, "test");
    EXPECT_EQ(encode_archive(back), bytes);
    EXPECT_EQ(back.archive.name, "traces");
    EXPECT_EQ(back.archive.creator, head.archive.creator);
    EXPECT_EQ(back.archive.properties, head.archive.properties);
    EXPECT_EQ(back.archive.trace_id, head.archive.trace_id);
    EXPECT_EQ(back.archive.version, head.archive.version);
    EXPECT_EQ(back.archive.anchor_bytes, "anchor");
    EXPECT_EQ(back.summary, head.summary);
    ArchiveHead sound = head;
    sound.summary.losses.clear();
    const std::size_t end = encode_archive(sound).size();
    EXPECT_EQ(decode_archive(bytes.substr(0, end), "test").summary, sound.summary);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        if (size == end) continue;
        EXPECT_THROW(decode_archive(std::string_view(bytes).substr(0, size), "test"), Error);
    }
    head.archive.name = "../traces";
    expect_error(ErrorKind::corrupt, "not a file name",
                 [&] { decode_archive(encode_archive(head), "test"); });
}

TEST(ArchiveCodec, RefusesNumbersOfFilesThatDoNotFit) {
    ArchiveHead head = some_head();
    head.archive.snapshot_count = 0x7E;
    std::string bytes = encode_archive(head);
    bytes.replace(bytes.find('\x7E'), 1, "\xFE\xFF\xFF\xFF\x1F");
    expect_error(ErrorKind::corrupt, "8589934590 does not fit into 32 bits",
                 [&] { decode_archive(bytes, "test"); });
}

TEST(ArchiveCodec, RefusesUnknownKindsOfDamage) {
    ArchiveHead head = some_head();
    head.summary.losses[0].damage = static_cast<FileDamage>(3);
    expect_error(ErrorKind::corrupt, "unknown kind",
                 [&] { decode_archive(encode_archive(head), "test"); });
    head.summary.losses[0] = {static_cast<ArchiveFileKind>(4), FileDamage::cut, 0, 0, 0, 0};
    expect_error(ErrorKind::corrupt, "unknown kind",
                 [&] { decode_archive(encode_archive(head), "test"); });
}

TEST(ArchiveCodec, TheUsualAnchorIsNotStored) {
    ArchiveHead head = some_head();
    const std::size_t other = encode_archive(head).size();
    head.archive.anchor_bytes = expected_anchor(head.archive);
    const std::string bytes = encode_archive(head);
    EXPECT_EQ(other - bytes.size(), std::string("6anchor").size());
    EXPECT_EQ(decode_archive(bytes, "test").archive.anchor_bytes, head.archive.anchor_bytes);
}

TEST(ArchiveCodec, SummaryMayGrow) {
    ArchiveHead head = some_head();
    std::string bytes = encode_archive(head);
    EXPECT_EQ(decode_archive(bytes + "more", "test").summary, head.summary);
    bytes[bytes.find("tracefold 9") + 11] = 7;
    expect_error(ErrorKind::corrupt, "timing level", [&] { decode_archive(bytes, "test"); });
    head.summary.time_error_ppm = 0;
    expect_error(ErrorKind::corrupt, "out of bounds",
                 [&] { decode_archive(encode_archive(head), "test"); });
}

TEST(ArchiveCodec, TermsAreInTheDictionary) {
    // An odd code far beyond the last entry, in the place of the name.
    expect_error(ErrorKind::corrupt, "none of the dictionary's",
                 [] { decode_archive("\xFF\xFF\x7F" + std::string(40, '\1'), "test"); });
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

TEST(ArchiveCodec, OfAnAnchorThatGoesOnOnlyTheRestIsStored) {
    ArchiveHead head = some_head();
    head.archive.anchor_bytes = expected_anchor(head.archive);
    const std::size_t usual = encode_archive(head).size();
    head.archive.anchor_bytes += "\n";
    const std::string bytes = encode_archive(head);
    EXPECT_EQ(bytes.size(), usual + 2);
    EXPECT_EQ(decode_archive(bytes, "test").archive.anchor_bytes, head.archive.anchor_bytes);
}

TEST(ArchiveCodec, TellsWhetherEveryByteComesBack) {
    for (const bool exact_bytes : {false, true}) {
        ArchiveHead head = some_head();
        head.summary = {"tracefold 9", TimingLevel::exact, 0, 1, 2, 3, exact_bytes, {}};
        EXPECT_EQ(decode_archive(encode_archive(head), "test").summary, head.summary);
    }
}

}  // namespace

}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/container.hpp"

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "support/expect_error.hpp"
#include "support/test_directory.hpp"

#include <fstream>

namespace tracefold {

namespace {

const std::string kContent = "some content, some content, some content, some content";

class ContainerTest : public ::testing::Test {
  protected:
    std::string path() { return (directory_ / "file.tfold").string(); }

    /// Two sections, one of them stored as it is, and maybe one of an unknown kind.
    std::string write(bool unknown = false, bool required = false) {
        AtomicFile file(path(), true);
        ContainerWriter writer(file, 3);
        writer.add(SectionKind::archive, 0, kContent);
        const std::string ticks = "ticks";
        Section section{SectionKind::ticks, true,         Coding::plain,  7, 0,
                        ticks.size(),       ticks.size(), checksum(ticks)};
        file.write_at(writer.place(section), ticks);
        if (unknown) {
            section.kind = static_cast<SectionKind>(99);
            section.required = required;
            file.write_at(writer.place(section), ticks);
        }
        writer.finish();
        file.commit();
        return read_whole_file(path());
    }

    void store(const std::string& bytes) { std::ofstream(path(), std::ios::binary) << bytes; }

    void read_all() {
        const ContainerReader reader(path());
        for (const Section& section : reader.sections()) {
            EXPECT_EQ(reader.content(section).size(), section.content_size);
        }
    }

    void expect_refused(const std::string& bytes, const std::string& what) {
        store(bytes);
        EXPECT_THROW(read_all(), Error) << what;
    }

    TestDirectory directory_;
};

/// The footer's checksum made right again.
std::string with_checksum(std::string bytes) {
    const std::size_t footer = bytes.size() - 32;
    const u64 table_size = ByteReader(std::string_view(bytes).substr(footer), "test").get_u64le();
    const std::string covered =
        bytes.substr(0, 16) + bytes.substr(footer - table_size, table_size + 16);
    ByteWriter sum;
    sum.put_u64le(checksum(covered));
    return bytes.replace(footer + 16, 8, sum.bytes());
}

/// Of many locations that have the same times.
TEST_F(ContainerTest, TheSameBytesAreStoredOnce) {
    const std::string ticks(1000, 't');
    const auto write_ticks = [&](u64 locations) {
        AtomicFile file(path(), true);
        ContainerWriter writer(file, 3);
        writer.add(SectionKind::archive, 0, StoredSection{ticks, ticks.size()});
        for (u64 i = 0; i < locations; ++i) {
            writer.add(SectionKind::ticks, i,
                       StoredSection{i == 1 ? "others" : ticks, i == 1 ? 6U : 1000U});
        }
        writer.finish();
        file.commit();
        return read_whole_file(path()).size();
    };
    const u64 few = write_ticks(3);
    EXPECT_EQ(write_ticks(103), few + 100 * 4);
    const ContainerReader reader(path());
    ASSERT_EQ(reader.sections().size(), 104U);
    for (u64 i = 0; i < 103; ++i) {
        const Section* section = reader.find(SectionKind::ticks, i);
        ASSERT_NE(section, nullptr);
        EXPECT_EQ(reader.content(*section), i == 1 ? "others" : ticks);
        EXPECT_EQ(section->repeated, i > 1);
    }
}

TEST_F(ContainerTest, RepeatedSectionsHaveAnEarlierOneOfTheirKind) {
    AtomicFile file(path(), true);
    ContainerWriter writer(file, 3);
    writer.add(SectionKind::archive, 0, StoredSection{"a", 1});
    writer.add(SectionKind::ticks, 0, StoredSection{"t", 1});
    writer.add(SectionKind::ticks, 1, StoredSection{"t", 1});
    writer.finish();
    file.commit();
    const std::string bytes = read_whole_file(path());
    const std::size_t distance = bytes.size() - 32 - 1;
    ASSERT_EQ(bytes[distance], 1);
    for (const char wrong : {'\0', '\2', '\3', '\x7F'}) {
        std::string changed = bytes;
        changed[distance] = wrong;
        expect_refused(with_checksum(changed), "distance " + std::to_string(wrong));
    }
}

TEST_F(ContainerTest, SectionsComeBack) {
    const std::string bytes = write();
    EXPECT_EQ(bytes.substr(0, 16), std::string("\x89TFOLD\r\n\x01\0\0\0\x01\0\0\0", 16));
    EXPECT_EQ(bytes.substr(bytes.size() - 8), "TFOLDEND");
    const ContainerReader reader(path());
    EXPECT_EQ(reader.content(SectionKind::archive), kContent);
    EXPECT_EQ(reader.content(*reader.find(SectionKind::ticks, 7)), "ticks");
    EXPECT_EQ(reader.find(SectionKind::ticks, 0), nullptr);
    EXPECT_TRUE(is_container(path()));
    expect_error(ErrorKind::corrupt, "no section structure",
                 [&] { (void)reader.content(SectionKind::structure); });
}

TEST_F(ContainerTest, EveryChangedByteIsNoticed) {
    const std::string bytes = write();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        for (const int flip : {0x01, 0x80, 0xFF}) {
            std::string changed = bytes;
            changed[i] = static_cast<char>(changed[i] ^ flip);
            expect_refused(changed, "byte " + std::to_string(i));
        }
    }
}

TEST_F(ContainerTest, EveryOtherLengthIsNoticed) {
    const std::string bytes = write();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        expect_refused(bytes.substr(0, size), "cut to " + std::to_string(size));
    }
    expect_refused(bytes + '\0', "one byte more");
    expect_refused(bytes + bytes, "twice");
    expect_refused(bytes + bytes.substr(bytes.size() - 32), "a second footer");
}

TEST_F(ContainerTest, NewerMajorVersionsAreRefused) {
    std::string bytes = write();
    bytes[8] = kFormatMajor + 1;
    store(with_checksum(bytes));
    expect_error(ErrorKind::unsupported, "newer", [&] { read_all(); });
}

TEST_F(ContainerTest, NewerMinorVersionsAreRead) {
    std::string bytes = write();
    bytes[10] = kFormatMinor + 1;
    store(with_checksum(bytes));
    EXPECT_NO_THROW(read_all());
}

TEST_F(ContainerTest, OtherDictionariesAreRefused) {
    std::string bytes = write();
    bytes[12] = 2;
    store(with_checksum(bytes));
    expect_error(ErrorKind::unsupported, "dictionary 2", [&] { read_all(); });
}

TEST_F(ContainerTest, PortableFilesAreThoseWithoutADictionary) {
    AtomicFile file(path(), true);
    ContainerWriter writer(file, {3, true});
    writer.add(SectionKind::structure, 0, std::string(1000, 'a'));
    writer.finish();
    file.commit();
    const ContainerReader reader(path());
    EXPECT_TRUE(reader.is_portable());
    EXPECT_EQ(read_whole_file(path())[12], Dictionary::kNoneNumber);
    EXPECT_EQ(reader.content(SectionKind::structure), std::string(1000, 'a'));
}

TEST_F(ContainerTest, ModelsInPortableFilesAreRefused) {
    AtomicFile file(path(), true);
    ContainerWriter writer(file, {3, true});
    writer.add(SectionKind::structure, 0, {"abc", 1000, Coding::context_mixing});
    writer.finish();
    file.commit();
    expect_error(ErrorKind::corrupt, "needs a model", [&] { read_all(); });
}

TEST_F(ContainerTest, OnlyWhatGetsSmallerIsCompressed) {
    AtomicFile file(path(), true);
    ContainerWriter writer(file, 3);
    writer.add(SectionKind::archive, 0, "abc");
    writer.add(SectionKind::structure, 0, std::string(1000, 'a'));
    writer.finish();
    file.commit();
    const ContainerReader reader(path());
    EXPECT_EQ(reader.find(SectionKind::archive)->coding, Coding::plain);
    EXPECT_EQ(reader.find(SectionKind::archive)->content_size, 3U);
    EXPECT_EQ(reader.content(SectionKind::archive), "abc");
    EXPECT_EQ(reader.find(SectionKind::structure)->coding, Coding::zstd);
    EXPECT_EQ(reader.content(SectionKind::structure), std::string(1000, 'a'));
}

TEST_F(ContainerTest, UnknownSectionsAreSkippedUnlessRequired) {
    write(true, false);
    const ContainerReader reader(path());
    EXPECT_EQ(reader.content(SectionKind::archive), kContent);
    write(true, true);
    expect_error(ErrorKind::unsupported, "kind 99", [&] { read_all(); });
}

TEST_F(ContainerTest, OtherFilesAreNotContainers) {
    store("not such a file, but long enough to have a header and a footer");
    EXPECT_FALSE(is_container(path()));
    expect_error(ErrorKind::corrupt, "not a tracefold file", [&] { read_all(); });
    store("");
    EXPECT_FALSE(is_container(path()));
    EXPECT_THROW(read_all(), Error);
}

}  // namespace

}  // namespace tracefold

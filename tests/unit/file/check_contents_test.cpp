// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "file/location_blocks.hpp"
#include "support/sample_file.hpp"

#include <map>
#include <memory>
#include <optional>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// A sample archive whose sections (those coded by context mixing as they are stored) can be
/// exchanged for others; their checksums are right again.
class CheckContentsTest : public ::testing::Test {
  protected:
    using Change = std::function<std::optional<std::string>(const Section&, std::string)>;

    /// What a check says of the file with other contents; empty if nothing.
    std::string check(TimingLevel timing, const Change& change) {
        auto& sample = samples_[timing];
        if (!sample) sample = std::make_unique<SampleFile>("micro-pcoll-4", timing);
        const std::string path = (directory_ / "changed.tfold").string();
        write((**sample).container(), path, change);
        try {
            TraceFile changed(path, "", threads_);
            check_contents(changed);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
            return error.what();
        }
        return "";
    }

    static std::optional<std::string> unchanged(const Section& /*section*/, std::string content) {
        return content;
    }
    /// Changes the times of location 2 only.
    static Change times_of_2(const std::function<std::optional<std::string>(std::string)>& change) {
        return [change](const Section& section, std::string content) {
            const bool wanted = section.kind == SectionKind::ticks && section.index == 2;
            return wanted ? change(std::move(content)) : std::optional(std::move(content));
        };
    }

    bool nobody_ = false;  ///< add the times of a location that is none
    u32 threads_ = 1;      ///< that open the file

  private:
    void write(const ContainerReader& from, const std::string& path, const Change& change) const {
        AtomicFile file(path, true);
        ContainerWriter writer(file, 1);
        for (const Section& section : from.sections()) {
            const bool predicted = section.coding == Coding::context_mixing;
            const std::optional<std::string> content =
                change(section, predicted ? from.stored(section) : from.content(section));
            if (content && predicted) {
                writer.add(section.kind, section.index,
                           {*content, section.content_size, section.coding});
            } else if (content) {
                writer.add(section.kind, section.index, *content);
            }
        }
        if (nobody_) writer.add(SectionKind::ticks, 4711, "times");
        writer.finish();
        file.commit();
    }

    TestDirectory directory_;
    std::map<TimingLevel, std::unique_ptr<SampleFile>> samples_;
};

constexpr TimingLevel kLevels[] = {TimingLevel::none, TimingLevel::exact, TimingLevel::quantized,
                                   TimingLevel::histogram};

TEST_F(CheckContentsTest, SoundFilesPass) {
    for (threads_ = 1; threads_ <= 3; ++threads_) {
        for (const TimingLevel timing : kLevels) EXPECT_EQ(check(timing, unchanged), "");
    }
}

/// Whoever decodes the sections, the first one that is damaged is told.
TEST_F(CheckContentsTest, ThreadsFindTheSameDamage) {
    const auto shorten = [](const Section& section, std::string content) {
        const bool opened = section.kind == SectionKind::structure ||
                            section.kind == SectionKind::definitions ||
                            section.kind == SectionKind::local_definitions;
        if (opened) content.resize(content.size() / 2);
        return std::optional(std::move(content));
    };
    const std::string alone = check(TimingLevel::none, shorten);
    EXPECT_NE(alone, "");
    threads_ = 3;
    EXPECT_EQ(check(TimingLevel::none, shorten), alone);
}

TEST_F(CheckContentsTest, TimesThatEndTooSoonOrTooLateAreFound) {
    for (const TimingLevel timing : {TimingLevel::exact, TimingLevel::quantized}) {
        const std::string shorter = check(timing, times_of_2([](std::string content) {
                                              content.pop_back();
                                              return content;
                                          }));
        EXPECT_NE(shorter.find("location 2"), std::string::npos) << shorter;
        const std::string longer =
            check(timing, times_of_2([](std::string content) { return content + "x"; }));
        EXPECT_NE(longer.find("location 2"), std::string::npos) << longer;
    }
}

/// They are decoded when somebody asks for them, so that opening the file finds nothing.
TEST_F(CheckContentsTest, DurationsThatEndTooSoonAreFound) {
    const auto shorten = [](const Section& section, std::string content) {
        if (section.kind == SectionKind::durations) content.resize(content.size() / 2);
        return std::optional(std::move(content));
    };
    EXPECT_NE(check(TimingLevel::histogram, shorten).find("durations"), std::string::npos);
}

TEST_F(CheckContentsTest, MissingTimesAreFound) {
    const auto none = [](const std::string&) { return std::optional<std::string>(); };
    EXPECT_NE(check(TimingLevel::exact, times_of_2(none)), "");
}

TEST_F(CheckContentsTest, AChangedByteOfTimesIsFoundOrGivesOtherTimes) {
    std::size_t size = 0;
    check(TimingLevel::exact, times_of_2([&size](std::string content) {
              size = content.size();
              return content;
          }));
    ASSERT_GT(size, 100U);
    std::size_t found = 0;
    std::size_t tried = 0;
    for (std::size_t place = 0; place < size; place += 13) {
        const auto change = [place](std::string content) {
            content[place] = static_cast<char>(content[place] ^ 0x40);
            return content;
        };
        ++tried;
        found += check(TimingLevel::exact, times_of_2(change)).empty() ? 0 : 1;
    }
    // Other bytes may be other times as well; what a disk does to them, checksums find.
    EXPECT_GT(found, 0U);
    EXPECT_LT(found, tried);
}

TEST_F(CheckContentsTest, TimesOfNobodyAreFound) {
    nobody_ = true;
    const std::string said = check(TimingLevel::exact, unchanged);
    EXPECT_NE(said.find("a location that does not exist"), std::string::npos) << said;
}

}  // namespace
}  // namespace tracefold

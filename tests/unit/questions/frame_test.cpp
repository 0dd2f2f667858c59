// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/frames/detail/frame.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::vector<ColumnInfo> all_types() {
    return {{"number", ValueColumn::integer, "ns"},
            {"share", ValueColumn::real},
            {"text", ValueColumn::text},
            {"name", ValueColumn::label},
            {"list", ValueColumn::integers}};
}

TEST(FrameWriter, KeepsWhatIsSetAndNothingElse) {
    FrameWriter frames(all_types(), 4);
    frames.set(0, -7);
    frames.set_real(1, 0.5);
    frames.set_text(2, "a b");
    frames.set_label(3, "MPI_Send");
    frames.add(4, 1);
    frames.add(4, 2);
    frames.end_row();
    frames.end_row();
    EXPECT_EQ(frames.rows(), 2U);
    const std::shared_ptr<const Frame> frame = frames.take();
    ASSERT_EQ(frame->rows, 2U);
    EXPECT_EQ(frame->columns[0].integers[0], -7);
    EXPECT_EQ(frame->columns[1].reals[0], 0.5);
    EXPECT_EQ(frame->columns[2].characters, "a b");
    EXPECT_EQ(frame->columns[4].offsets[1], 2);
    EXPECT_EQ(frame->columns[4].offsets[2], 2);
    for (const FrameColumn& column : frame->columns) {
        ASSERT_EQ(column.valid.size(), 2U);
        EXPECT_EQ(column.valid[0], 1);
        EXPECT_EQ(column.nulls(), 1U);
    }
    EXPECT_EQ(frames.take(), nullptr);
}

TEST(FrameWriter, LabelsGoOnFromFrameToFrame) {
    FrameWriter frames({{"name", ValueColumn::label}}, 1);
    frames.set_label(0, "a");
    frames.end_row();
    EXPECT_TRUE(frames.is_full());
    const std::shared_ptr<const Frame> first = frames.take();
    frames.set_label(0, "b");
    frames.end_row();
    const std::shared_ptr<const Frame> second = frames.take();
    frames.set_label(0, "a");
    frames.end_row();
    const std::shared_ptr<const Frame> third = frames.take();
    EXPECT_EQ(first->columns[0].names->size(), 1U);
    ASSERT_EQ(second->columns[0].names->size(), 2U);
    EXPECT_EQ((*second->columns[0].names)[1], "b");
    EXPECT_EQ(third->columns[0].codes[0], 0);
    EXPECT_EQ(third->columns[0].names, second->columns[0].names) << "names are shared";
}

TEST(FrameWriter, TakesARowBack) {
    FrameWriter frames(all_types(), 2);
    frames.set(0, 5);
    frames.set_text(2, "gone");
    frames.add(4, 9);
    for (u32 column = 0; column < 5; ++column) frames.take_back(column);
    frames.set_text(2, "kept");
    frames.end_row();
    const std::shared_ptr<const Frame> frame = frames.take();
    EXPECT_EQ(frame->columns[0].valid[0], 0);
    EXPECT_EQ(frame->columns[2].characters, "kept");
    EXPECT_EQ(frame->columns[4].integers.size(), 0U);
}

TEST(FrameWriter, ReplacesWhatIsNoUtf8) {
    FrameWriter frames({{"text", ValueColumn::text}, {"name", ValueColumn::label}}, 1);
    frames.set_text(0, "\xC3\xA4\xFFz");
    frames.set_label(1, "\xFE");
    frames.end_row();
    const std::shared_ptr<const Frame> frame = frames.take();
    EXPECT_EQ(frame->columns[0].characters, "\xC3\xA4\xEF\xBF\xBDz");
    EXPECT_EQ((*frame->columns[1].names)[0], "\xEF\xBF\xBD");
}

TEST(FrameWriter, FillsRows) {
    FrameWriter frames({{"rank", ValueColumn::integer}, {"name", ValueColumn::label}}, 4);
    for (int i = 0; i < 3; ++i) frames.end_row();
    frames.fill(0, 1, 7);
    frames.fill_code(1, 2, frames.code(1, "x"));
    const std::shared_ptr<const Frame> frame = frames.take();
    EXPECT_EQ(frame->columns[0].nulls(), 1U);
    EXPECT_EQ(frame->columns[0].integers[2], 7);
    EXPECT_EQ(frame->columns[1].nulls(), 2U);
}

}  // namespace
}  // namespace tracefold

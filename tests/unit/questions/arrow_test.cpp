// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/frames/detail/arrow.hpp"

#include "base/error.hpp"
#include "questions/frames/detail/frame.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::vector<ColumnInfo> columns() {
    return {{"time", ValueColumn::integer, "ns"},
            {"name", ValueColumn::label},
            {"list", ValueColumn::integers}};
}

std::shared_ptr<const Frame> some_frame() {
    FrameWriter frames(columns(), 3);
    frames.set(0, 11);
    frames.set_label(1, "x");
    frames.end_row();
    frames.set(0, 12);
    frames.add(2, 5);
    frames.end_row();
    return frames.take();
}

TEST(Arrow, DescribesColumns) {
    ArrowSchema schema;
    export_schema(columns(), &schema);
    EXPECT_STREQ(schema.format, "+s");
    ASSERT_EQ(schema.n_children, 3);
    EXPECT_STREQ(schema.children[0]->format, "l");
    EXPECT_STREQ(schema.children[0]->name, "time");
    EXPECT_STREQ(schema.children[1]->format, "i");
    EXPECT_STREQ(schema.children[1]->dictionary->format, "u");
    EXPECT_STREQ(schema.children[2]->children[0]->format, "l");
    const std::string metadata(schema.children[0]->metadata, 18);
    EXPECT_EQ(metadata, std::string("\1\0\0\0\4\0\0\0unit\2\0\0\0ns", 18));
    schema.release(&schema);
    EXPECT_EQ(schema.release, nullptr);
}

TEST(Arrow, SharesTheBuffersOfAFrame) {
    std::shared_ptr<const Frame> frame = some_frame();
    const std::weak_ptr<const Frame> watched = frame;
    ArrowArray array;
    export_frame(columns(), std::move(frame), &array);
    ASSERT_EQ(array.n_children, 3);
    const ArrowArray& time = *array.children[0];
    EXPECT_EQ(time.null_count, 0);
    EXPECT_EQ(time.buffers[0], nullptr);
    EXPECT_EQ(static_cast<const i64*>(time.buffers[1])[1], 12);
    const ArrowArray& name = *array.children[1];
    EXPECT_EQ(name.null_count, 1);
    EXPECT_EQ(*static_cast<const u8*>(name.buffers[0]), 1);
    EXPECT_EQ(name.dictionary->length, 1);
    EXPECT_EQ(*static_cast<const char*>(name.dictionary->buffers[2]), 'x');
    EXPECT_EQ(array.children[2]->children[0]->length, 1);
    EXPECT_FALSE(watched.expired());
    array.release(&array);
    EXPECT_TRUE(watched.expired());
}

TEST(Arrow, LetsAChildBeTakenAway) {
    std::shared_ptr<const Frame> frame = some_frame();
    const std::weak_ptr<const Frame> watched = frame;
    ArrowArray array;
    export_frame(columns(), std::move(frame), &array);
    ArrowArray taken = *array.children[2];
    array.children[2]->release = nullptr;
    array.release(&array);
    EXPECT_EQ(taken.children[0]->length, 1);
    EXPECT_FALSE(watched.expired());
    taken.release(&taken);
    EXPECT_TRUE(watched.expired());
}

TEST(Arrow, StreamsFramesUntilTheEnd) {
    const auto source =
        std::make_shared<KeptFrames>(columns(), TableFrames::Frames{some_frame(), some_frame()});
    ArrowArrayStream stream;
    int guarded = 0;
    export_stream(
        source,
        [&guarded](const std::function<void()>& work) {
            ++guarded;
            work();
        },
        &stream);
    int frames = 0;
    while (true) {
        ArrowArray array;
        ASSERT_EQ(stream.get_next(&stream, &array), 0);
        if (array.release == nullptr) break;
        ++frames;
        array.release(&array);
    }
    EXPECT_EQ(frames, 2);
    EXPECT_EQ(guarded, 3);
    EXPECT_EQ(stream.get_last_error(&stream), nullptr);
    stream.release(&stream);
    EXPECT_EQ(stream.release, nullptr);
}

class BrokenFrames : public FrameSource {
  public:
    [[nodiscard]] const std::vector<ColumnInfo>& columns() const override { return columns_; }
    std::shared_ptr<const Frame> next() override {
        throw Error(ErrorKind::corrupt, "the file is damaged");
    }

  private:
    std::vector<ColumnInfo> columns_;
};

TEST(Arrow, TellsErrors) {
    ArrowArrayStream stream;
    export_stream(
        std::make_shared<BrokenFrames>(), [](const std::function<void()>& work) { work(); },
        &stream);
    ArrowArray array;
    EXPECT_EQ(stream.get_next(&stream, &array), EIO);
    EXPECT_STREQ(stream.get_last_error(&stream), "the file is damaged");
    stream.release(&stream);
}

}  // namespace
}  // namespace tracefold

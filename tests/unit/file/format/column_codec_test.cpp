// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/column_codec.hpp"

#include "file/format/item_codec.hpp"
#include "fold/column_builder.hpp"
#include "fold/structure_pool.hpp"
#include "support/expect_error.hpp"

#include <random>
#include <string>

namespace tracefold {

namespace {

std::string bytes(std::initializer_list<int> values) {
    std::string out;
    for (const int value : values) out.push_back(static_cast<char>(value));
    return out;
}

std::string written(const Column& column) {
    ByteWriter out;
    const std::vector<Pattern> patterns;
    const std::vector<Column> columns{column};
    ColumnWriter(out, patterns, columns).put_column(0);
    return out.take();
}

Column simple(Column::Form form, u64 start, u64 stride, std::vector<u64> values) {
    Column column;
    column.form = form;
    column.start = start;
    column.stride = stride;
    column.values = std::move(values);
    return column;
}

void read_column(const std::string& text) {
    std::vector<Pattern> patterns;
    std::vector<Column> columns;
    FieldReader in(text, "test");
    ColumnReader(in, patterns, columns).get_column();
}

TEST(ColumnCodec, SimpleFormsHaveTheseBytes) {
    using Form = Column::Form;
    EXPECT_EQ(written(simple(Form::constant, 5, 0, {})), bytes({0, 0, 10}));
    EXPECT_EQ(written(simple(Form::constant, ~u64{0}, 0, {})), bytes({0, 0, 1}));
    EXPECT_EQ(written(simple(Form::progression, 100, 2, {})), bytes({0, 1, 0xC8, 1, 4}));
    EXPECT_EQ(written(simple(Form::list, 0, 0, {3, 1})), bytes({0, 2, 2, 6, 2}));
    EXPECT_EQ(written(simple(Form::list, 0, 0, {1000, 1001, 1003})),
              bytes({0, 3, 3, 0xD0, 0x0F, 2, 4}));
}

TEST(ColumnCodec, ItemsRunUpwards) {
    ByteWriter out;
    put_items(out, {0, 1, 2, 5, 4});
    EXPECT_EQ(out.bytes(), bytes({5, 1, 1, 8, 6}));
    const std::string text = out.take();
    FieldReader in(text, "test");
    u64 budget = 5;
    EXPECT_EQ(get_items(in, 6, budget), (std::vector<u32>{0, 1, 2, 5, 4}));
    EXPECT_EQ(budget, 0U);
    for (const u64 limit : {u64{2}, u64{5}}) {
        FieldReader again(text, "test");
        u64 plenty = 100;
        expect_error(ErrorKind::corrupt, "out of range", [&] { get_items(again, limit, plenty); });
    }
}

TEST(ColumnCodec, RandomFoldedColumnsComeBack) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 300; ++round) {
        StructurePool pool;
        const u64 letters = 1 + random() % 5;
        const u64 scale = round % 3 == 0 ? ~u64{0} / 7 : 3;
        std::vector<u32> ids;
        for (int c = 0; c < 4; ++c) {
            ColumnBuilder builder;
            u64 sum = 0;
            for (u64 outer = random() % 6; outer > 0; --outer) {
                for (u64 i = 0; i < outer * 5; ++i) {
                    sum += (i % letters) * scale;
                    builder.push(c % 2 == 0 ? (i % letters) * scale : sum);
                }
                if (random() % 4 == 0) builder.push(random());
            }
            ids.push_back(builder.finish(pool));
        }
        ByteWriter out;
        const std::vector<Column> columns = pool.columns();
        const std::vector<Pattern> patterns = pool.patterns();
        ColumnWriter writer(out, patterns, columns);
        for (const u32 id : ids) writer.put_column(id);
        const std::string text = out.take();
        std::vector<Pattern> patterns_back;
        std::vector<Column> columns_back;
        FieldReader in(text, "test");
        ColumnReader reader(in, patterns_back, columns_back);
        std::vector<u32> ids_back;
        for (std::size_t i = 0; i < ids.size(); ++i) ids_back.push_back(reader.get_column());
        in.expect_end();
        // Written once more in the new numbering, the bytes must be the same.
        ByteWriter second;
        ColumnWriter again(second, patterns_back, columns_back);
        for (const u32 id : ids_back) again.put_column(id);
        EXPECT_EQ(second.bytes(), text);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const Column& before = columns[ids[i]];
            const Column& after = columns_back[ids_back[i]];
            EXPECT_EQ(before.form, after.form);
            EXPECT_EQ(before.start, after.start);
            EXPECT_EQ(before.stride, after.stride);
            EXPECT_EQ(before.values, after.values);
        }
    }
}

TEST(ColumnCodec, RefusesWhatCannotBe) {
    const std::string huge("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F");
    expect_error(ErrorKind::corrupt, "unknown form", [] { read_column(bytes({0, 77})); });
    expect_error(ErrorKind::corrupt, "before it is defined", [] { read_column(bytes({3})); });
    EXPECT_THROW(read_column(bytes({0, 2}) + huge), Error);
    EXPECT_THROW(read_column(bytes({0, 4, 0}) + huge), Error);
    EXPECT_THROW(read_column(bytes({0, 4, 0, 1}) + huge), Error);
    // One run of items claims 2^62 of them.
    EXPECT_THROW(read_column(bytes({0, 4, 0, 1, 0}) + huge + bytes({1}) + huge), Error);
    // One run of counts claims as many as the largest pattern has leaves, in a few bytes.
    expect_error(ErrorKind::corrupt, "more counts than the section can describe", [] {
        read_column(bytes(
            {0, 4, 0, 0x80, 0x80, 0x80, 2, 0, 1, 0, 2, 0, 0, 1, 1, 0xFE, 0xFF, 0xFF, 1, 0, 0, 2}));
    });
    // A count column in a count column in a count column ...
    std::string deep;
    for (int i = 0; i < 200; ++i) deep += bytes({0, 4, 0, 1, 0, 1, 0, 2, 0, 0, 1, 0});
    EXPECT_THROW(read_column(deep), Error);
}

}  // namespace

}  // namespace tracefold

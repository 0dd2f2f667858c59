// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "collection/trace_index.hpp"

#include "support/expect_error.hpp"
#include "support/test_directory.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TraceIndex sample_index() {
    TraceIndex index;
    TraceRecord& good = index["a/b.tfold"];
    good.stamp = {100, ~u64{0}, 3, 4};
    good.is_deep = true;
    good[TraceField::program] = "lu";
    good[TraceField::ranks] = u64{64};
    good[TraceField::duration] = 0.125;
    good[TraceField::state] = "ok";
    good.signature = StructureSignature{{{1, 2}, {3, 4}}, {{5, 16}}};
    index["damaged.tfold"][TraceField::state] = "damaged.tfold is damaged";
    return index;
}

TEST(TraceIndexTest, ComesBack) {
    const TraceIndex index = sample_index();
    const std::string bytes = encode_trace_index(index);
    EXPECT_EQ(bytes.substr(0, 8), std::string("TFINDEX\1"));
    EXPECT_EQ(decode_trace_index(bytes, "index"), index);
}

TEST(TraceIndexTest, LeavesOutWhatIsNotSettled) {
    TraceIndex index = sample_index();
    index["damaged.tfold"].is_settled = false;
    EXPECT_EQ(decode_trace_index(encode_trace_index(index), "index").size(), 1U);
}

TEST(TraceIndexTest, RefusesDamage) {
    const std::string bytes = encode_trace_index(sample_index());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::string changed = bytes;
        changed[i] = static_cast<char>(changed[i] ^ 0x10);
        EXPECT_THROW(decode_trace_index(changed, "index"), Error) << i;
        EXPECT_THROW(decode_trace_index(bytes.substr(0, i), "index"), Error) << i;
    }
    std::string other = bytes;
    other[7] = '\7';
    expect_error(ErrorKind::unsupported, "index is of another version",
                 [&] { decode_trace_index(other, "index"); });
}

TEST(TraceIndexTest, DamagedFilesAreEmptyIndexes) {
    TestDirectory directory;
    EXPECT_TRUE(load_trace_index(directory.path()).empty());
    put_file(directory / std::string(kTraceIndexName), "no index");
    EXPECT_TRUE(load_trace_index(directory.path()).empty());
    TraceIndex index = sample_index();
    EXPECT_EQ(store_trace_index(directory.path(), index), "");
    EXPECT_EQ(load_trace_index(directory.path()), index);
    EXPECT_EQ(directory.entries(), 1);
}

TEST(TraceIndexTest, KeepsDeepRecordsOfOthers) {
    TestDirectory directory;
    TraceIndex deep = sample_index();
    EXPECT_EQ(store_trace_index(directory.path(), deep), "");
    TraceIndex shallow = sample_index();
    shallow["a/b.tfold"].is_deep = false;
    EXPECT_EQ(store_trace_index(directory.path(), shallow), "");
    EXPECT_TRUE(shallow["a/b.tfold"].is_deep);
    EXPECT_EQ(load_trace_index(directory.path()), deep);
    // A changed file has a record of its own.
    shallow["a/b.tfold"].is_deep = false;
    shallow["a/b.tfold"].stamp.size = 101;
    EXPECT_EQ(store_trace_index(directory.path(), shallow), "");
    EXPECT_FALSE(load_trace_index(directory.path())["a/b.tfold"].is_deep);
}

}  // namespace
}  // namespace tracefold

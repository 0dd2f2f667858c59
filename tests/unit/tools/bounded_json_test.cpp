// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/bounded_json.hpp"

#include "base/error.hpp"
#include "base/json_writer.hpp"

#include <functional>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Write = std::function<void(JsonWriter&)>;

std::string whole(const Write& write, JsonLayout layout = JsonLayout::one_line) {
    std::ostringstream out;
    JsonWriter json(out, layout);
    write(json);
    return std::move(out).str();
}

std::string bounded(const std::string& document, std::size_t most) {
    BoundedJson json(most);
    json.stream() << document;
    return json.text();
}

/// {"file": "a \"b\"]", "rows": [{"id": 0, "values": [0, 1, ...]}, ...]}
std::string table(int rows, int values, JsonLayout layout = JsonLayout::one_line) {
    return whole(
        [&](JsonWriter& json) {
            json.begin_object().member("file", "a \"b\"] \\").key("rows").begin_array();
            for (int row = 0; row < rows; ++row) {
                json.begin_object().member("id", row).key("values").begin_array();
                for (int value = 0; value < values; ++value) json.value(value);
                json.end_array().end_object();
            }
            json.end_array().end_object();
        },
        layout);
}

TEST(BoundedJsonTest, DocumentsThatFitAreWhole) {
    const std::string document = table(5, 20);
    EXPECT_EQ(bounded(document, document.size()), document);
    EXPECT_EQ(bounded(table(5, 20, JsonLayout::pretty), document.size()), document);
    EXPECT_EQ(bounded("", 10), "");
}

TEST(BoundedJsonTest, ListsRetainTheirFirstItemsAndCountTheOthers) {
    const std::string document = bounded(table(100, 0), 200);
    EXPECT_EQ(document,
              R"({"file":"a \"b\"] \\","rows":[{"id":0,"values":[]},{"id":1,"values":[]},)"
              R"({"id":2,"values":[]},{"id":3,"values":[]}],)"
              R"("shortened":{"max_size":200,"longest_list":4,"missing":{"rows":96}}})"
              "\n");
}

TEST(BoundedJsonTest, ListsWithinListsAreCountedByTheirPath) {
    const std::string document = bounded(table(3, 40), 300);
    EXPECT_NE(document.find(R"("missing":{"rows.values":)"), std::string::npos) << document;
    EXPECT_LE(document.size(), 300U);
}

TEST(BoundedJsonTest, ShortListsOfPlainValuesStayWhole) {
    const std::string document = bounded(table(100, 16), 250);
    EXPECT_NE(document.find("[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]"), std::string::npos);
    EXPECT_EQ(document.find("rows.values"), std::string::npos);
    EXPECT_LE(document.size(), 250U);
}

TEST(BoundedJsonTest, LimitsThatAreTooSmallAreRefusedWithTheSizeThatIsNeeded) {
    try {
        bounded(table(100, 0), 20);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        const std::string sentence = error.what();
        const std::size_t has = sentence.find("has ");
        ASSERT_NE(has, std::string::npos) << sentence;
        const std::size_t needed = std::stoul(sentence.substr(has + 4));
        EXPECT_LE(bounded(table(100, 0), needed).size(), needed);
    }
}

void draw(std::mt19937& random, int depth, JsonWriter& json) {
    const u32 kind = static_cast<u32>(random()) % (depth == 0 ? 2 : 4);
    if (kind == 0) {
        json.value(random() % 1000);
    } else if (kind == 1) {
        json.value(std::string(random() % 10, '"'));
    } else if (kind == 2) {
        json.begin_object();
        for (u64 i = 0, count = random() % 5; i < count; ++i) {
            draw(random, depth - 1, json.key("k" + std::to_string(i)));
        }
        json.end_object();
    } else {
        json.begin_array();
        for (u64 i = 0, count = random() % 40; i < count; ++i) draw(random, depth - 1, json);
        json.end_array();
    }
}

TEST(BoundedJsonTest, DrawnDocumentsFit) {
    for (u32 seed = 0; seed < 200; ++seed) {
        const std::string document = whole([&](JsonWriter& json) {
            std::mt19937 random(seed);
            json.begin_object().key("a");
            draw(random, 4, json);
            draw(random, 4, json.key("b"));
            json.end_object();
        });
        for (const std::size_t most : {200, 400, 1000, 5000, 20000}) {
            std::string shorter;
            try {
                shorter = bounded(document, most);
            } catch (const Error&) {
                continue;
            }
            ASSERT_LE(shorter.size(), most) << "seed " << seed;
            if (document.size() <= most) {
                ASSERT_EQ(shorter, document);
            }
        }
    }
}

}  // namespace
}  // namespace tracefold

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/page_server.hpp"

#include "base/parallel.hpp"
#include "support/sample_file.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

struct Stopped {};

TEST(PageServiceTest, StoppedDocumentsAreComputedAgain) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    std::vector<ServedTrace> traces;
    traces.push_back(
        {std::make_shared<InputFile>(file.path()), false, "run", nullptr, nullptr, nullptr});
    PageService service(std::move(traces), std::size_t{1} << 24U);
    for (const char* const name :
         {"info", "profile", "stats", "structure", "efficiency", "explain", "waits"}) {
        const std::map<std::string, std::string> values{{"name", name}};
        const PageQuery query(values);
        {
            const Cancellable stop([] { throw Stopped(); });
            EXPECT_THROW(service.answer("api/document", query), Stopped) << name;
        }
        const PageAnswer whole = service.answer("api/document", query);
        EXPECT_EQ(whole.status, 200);
        EXPECT_EQ(whole.body.find("\"unavailable\""), std::string::npos) << name;
    }
}

}  // namespace
}  // namespace tracefold

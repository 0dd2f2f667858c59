// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/write_proxy.hpp"

#include "export/proxy/runtime_text.hpp"
#include "support/sample_file.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(WriteProxyTest, EveryFunctionHasAText) {
    for (int i = 0; i <= static_cast<int>(ProxyFunction::Comm_disconnect); ++i) {
        const auto function = static_cast<ProxyFunction>(i);
        const std::string text = proxy_helper_text({function}, false);
        const std::string name(proxy_function_info(function).name);
        EXPECT_NE(text.find("static void " + name + "("), std::string::npos) << name;
        EXPECT_EQ(text.find("//@"), std::string::npos) << name;
        EXPECT_EQ(text.find('$'), std::string::npos) << name;
    }
}

TEST(WriteProxyTest, IsTheSameEveryTime) {
    SampleFile file("micro-stencil2d9p-isend-4");
    const std::string text = make_proxy(*file).source;
    EXPECT_EQ(text, make_proxy(*file).source);
    EXPECT_NE(text.find("int main("), std::string::npos);
    EXPECT_NE(text.find("Waitall("), std::string::npos);
}

TEST(WriteProxyTest, ANameCannotEndTheCommentThatItStandsIn) {
    SampleFile file("micro-user-4");
    const std::string text = write_proxy(make_proxy(*file).model, "a*/ int x; /*\n");
    EXPECT_EQ(text.find("*/ int x"), std::string::npos);
}

}  // namespace
}  // namespace tracefold

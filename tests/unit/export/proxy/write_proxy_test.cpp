// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/write_proxy.hpp"

#include "export/proxy/runtime_text.hpp"
#include "mpi/call_fingerprint.hpp"
#include "support/sample_file.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(WriteProxyTest, EveryFunctionHasAText) {
    for (int i = 0; i <= static_cast<int>(ProxyFunction::File_write_at_all_end); ++i) {
        const auto function = static_cast<ProxyFunction>(i);
        std::set<std::string> mpi_functions;
        const std::string text = proxy_helper_text({function}, false, mpi_functions);
        const std::string name(proxy_function_info(function).name);
        EXPECT_NE(text.find("static void " + name + "("), std::string::npos) << name;
        EXPECT_EQ(text.find("//@"), std::string::npos) << name;
        EXPECT_EQ(text.find('$'), std::string::npos) << name;
        for (const std::string& called : mpi_functions) {
            EXPECT_TRUE(find_mpi_function(called)) << called;
        }
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

TEST(WriteProxyTest, HasTheFingerprintOfTheTrace) {
    for (const char* sample : {"micro-stencil2d9p-isend-4", "micro-anysrc-4", "npb-lu.S-4",
                               "tau-colls-4", "micro-omphyb-4"}) {
        SampleFile file(sample);
        const ProxyModel model = make_proxy(*file).model;
        EXPECT_EQ(model.fingerprint, replay_fingerprint(*file, {})) << sample;
        EXPECT_EQ(model.trace_fingerprint, model.fingerprint) << sample;
    }
}

TEST(WriteProxyTest, HasWindowsAndFiles) {
    for (const auto& [sample, call] : {std::pair("micro-rma-4", "Rput(1, "),
                                       std::pair("micro-mpiio-4", "File_write_at_all_begin(0, ")}) {
        SampleFile file(sample);
        const Proxy proxy = make_proxy(*file);
        EXPECT_TRUE(proxy.model.left_out.empty()) << sample;
        EXPECT_NE(proxy.source.find(call), std::string::npos) << sample;
    }
}

}  // namespace
}  // namespace tracefold

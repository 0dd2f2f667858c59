// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The head of a request to the page's server, and, if it is a valid one, the answer of the service
// about a small trace: a question, a refusal, never a failure.
#include "archives/compress.hpp"
#include "base/communicator.hpp"
#include "base/file.hpp"
#include "fuzz/target.hpp"
#include "inspect/page/page_server.hpp"
#include "support/test_directory.hpp"

#include <memory>

namespace {

using namespace tracefold;

constexpr std::size_t kCacheBytes = 1U << 24U;

std::vector<ServedTrace> sample_trace(const TestDirectory& folder) {
    CompressOptions options;
    options.archive = TRACEFOLD_SAMPLES "/micro-anysrc-4";
    options.output = folder / "run.tfold";
    options.producer = "test";
    options.verify = false;
    options.portable = true;  // the models take long with sanitizers
    SerialCommunicator comm;
    compress(comm, options);
    std::vector<ServedTrace> traces;
    traces.push_back({std::make_shared<InputFile>(options.output), false, "run.tfold", nullptr,
                      nullptr, nullptr});
    return traces;
}

PageAnswer answer(const RequestHead& head) {
    static const TestDirectory folder;
    static PageService service(sample_trace(folder), kCacheBytes);
    return service.answer(head.path, PageQuery(head.values));
}

void take(std::string_view bytes) {
    const RequestHead head = parse_head(bytes);
    if (!head.valid) return;
    require(head.values.size() <= bytes.size(), "there are more values than bytes");
    const int status = answer(head).status;
    require(status == 200 || status == 400 || status == 404, "the service failed");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size > ServerLimits{}.head_bytes) return 0;
    return expect_survival(data, size, take);
}

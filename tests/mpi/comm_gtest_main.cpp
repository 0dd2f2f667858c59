// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/world.hpp"
#include "mpi/comm_world.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {

namespace {

std::unique_ptr<Communicator> world;

// Prints failures at once, in one piece and with the rank: what comes later may be a hang.
class FailurePrinter final : public ::testing::EmptyTestEventListener {
  public:
    // GoogleTest holds its lock while it reports a result and could not be asked for the name then.
    void OnTestStart(const ::testing::TestInfo& test) override {
        test_ = std::string(test.test_suite_name()) + "." + test.name();
    }

    void OnTestPartResult(const ::testing::TestPartResult& result) override {
        if (!result.failed()) {
            return;
        }
        const char* file = result.file_name() == nullptr ? "unknown file" : result.file_name();
        std::ostringstream text;
        text << "[process " << world->rank() << " of " << world->size() << "] " << test_
             << " failed at " << file << ':' << result.line_number() << '\n'
             << result.message() << '\n';
        std::cerr << text.str() << std::flush;
    }

  private:
    std::string test_ = "set-up";
};

// Process 0 speaks as usual, the others only of their failures.
void set_up_printing() {
    ::testing::TestEventListeners& listeners = ::testing::UnitTest::GetInstance()->listeners();
    if (world->rank() != 0) {
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new FailurePrinter);
    }
}

// The same exit code everywhere: failure if a test failed on any process.
int run_tests() {
    const auto failed = static_cast<u64>(RUN_ALL_TESTS() != 0);
    const std::vector<u64> all = world->all_gather(failed);
    if (world->rank() == 0) {
        std::cout << std::count(all.begin(), all.end(), u64{1}) << " of " << all.size()
                  << " processes had failing tests" << std::endl;
    }
    return *std::max_element(all.begin(), all.end()) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

Communicator& test_world() { return *world; }

}  // namespace tracefold

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    tracefold::world = tracefold::make_world(true, &argc, &argv);
    tracefold::set_up_printing();
    const int exit_code = tracefold::run_tests();
    tracefold::world.reset();
    return exit_code;
}

// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// The last process gives up while all others wait for it: the program must end nevertheless.
#include "base/world.hpp"

#include <memory>

int main(int argc, char** argv) {
    const std::unique_ptr<tracefold::Communicator> world =
        tracefold::make_world(true, &argc, &argv);
    if (world->rank() == world->size() - 1) {
        world->abort(7);
    }
    world->barrier();
}

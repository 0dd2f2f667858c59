// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "base/world.hpp"

namespace tracefold {

std::unique_ptr<Communicator> make_world(bool, int*, char***) {
    return std::make_unique<SerialCommunicator>();
}

}  // namespace tracefold

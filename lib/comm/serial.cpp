// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/serial.hpp"

#include "core/error.hpp"

namespace tracefold {

namespace {

[[noreturn]] void fail_without_partner(int partner) {
    throw Error(ErrorKind::internal, "a process that runs alone cannot communicate with process " +
                                         std::to_string(partner));
}

void check_root(int root) {
    if (root != 0) {
        fail_without_partner(root);
    }
}

}  // namespace

void SerialCommunicator::send(int to, std::string_view) { fail_without_partner(to); }

std::string SerialCommunicator::receive(int from) { fail_without_partner(from); }

std::unique_ptr<MessageInFlight> SerialCommunicator::start_send(int to, std::string) {
    fail_without_partner(to);
}

std::unique_ptr<MessageInFlight> SerialCommunicator::start_receive(int from) {
    fail_without_partner(from);
}

std::string SerialCommunicator::broadcast(std::string bytes, int root) {
    check_root(root);
    return bytes;
}

std::vector<std::string> SerialCommunicator::gather(std::string_view bytes, int root) {
    check_root(root);
    return {std::string(bytes)};
}

}  // namespace tracefold

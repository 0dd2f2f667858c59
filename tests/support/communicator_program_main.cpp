// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// communicator_program CASE DIRECTORY: the archive of a small program of 4 ranks that makes and
// uses communicators in one way; without arguments: the names of all cases.
#include "base/error.hpp"
#include "support/communicator_program.hpp"

#include <functional>
#include <iostream>
#include <map>

namespace tracefold::testing {
namespace {

using Program = CommunicatorProgram;
using Comm = Program::Comm;
constexpr Comm kWorld = Program::kWorld;

void use(Program& program, Comm comm) {
    program.exchange(comm);
    program.barrier(comm);
}

void duplicates(Program& program) {
    const Comm first = program.dup(kWorld);
    use(program, first);
    const Comm second = program.dup(first);
    use(program, second);
    use(program, program.make("MPI_Comm_idup", second, {{0, 1, 2, 3}}).front());
    program.free(first);
    program.free(second);
    for (int i = 0; i < 3; ++i) {
        const Comm again = program.dup(kWorld);
        program.exchange(again);
        program.free(again);
    }
}

void splits(Program& program) {
    const auto halves = program.make("MPI_Comm_split", kWorld, {{0, 2}, {3, 1}});
    for (const Comm half : halves) use(program, half);
    const auto uneven = program.make("MPI_Comm_split", kWorld, {{0}, {1, 2, 3}});
    program.barrier(uneven[1]);
    const auto singles = program.make("MPI_Comm_split", kWorld, {{0}, {1}, {2}, {3}});
    for (const Comm comm : halves) program.free(comm);
    for (const Comm comm : uneven) program.free(comm);
    for (const Comm comm : singles) program.free(comm);
}

void without_some(Program& program) {
    const auto first = program.make("MPI_Comm_split", kWorld, {{0, 1}});
    use(program, first[0]);
    const auto second = program.make("MPI_Comm_create", kWorld, {{2, 3}});
    use(program, second[0]);
    const auto third = program.make("MPI_Comm_create", kWorld, {{1, 2, 3}});
    use(program, third[0]);
    program.make("MPI_Comm_split", kWorld, {});
    program.barrier(kWorld);
}

void carts(Program& program) {
    const Comm grid =
        program.cart("MPI_Cart_create", kWorld, {{0, 1, 2, 3}}, {{2, true}, {2, false}}).front();
    const auto rows = program.cart("MPI_Cart_sub", grid, {{0, 1}, {2, 3}}, {{2, false}});
    const auto columns = program.cart("MPI_Cart_sub", grid, {{0, 2}, {1, 3}}, {{2, true}});
    for (const Comm row : rows) use(program, row);
    for (const Comm column : columns) program.barrier(column);
    const auto small = program.cart("MPI_Cart_create", kWorld, {{0, 1, 2}}, {{3, false}});
    use(program, small[0]);
    program.free(grid);
}

void nested(Program& program) {
    const auto halves = program.make("MPI_Comm_split", kWorld, {{0, 1}, {2, 3}});
    const auto lower = program.make("MPI_Comm_split", halves[0], {{1, 0}});
    program.message(0, 2);
    const auto upper = program.make("MPI_Comm_split", halves[1], {{2, 3}});
    use(program, lower[0]);
    use(program, upper[0]);
    const auto all = program.make("MPI_Comm_split", kWorld, {{3, 2, 1, 0}});
    use(program, all[0]);
    program.free(halves[1]);
    program.free(lower[0]);
    use(program, program.create_group(all[0], {0, 3}));
}

void same_group(Program& program) {
    const auto first = program.make("MPI_Comm_create", kWorld, {{0, 1, 2}});
    const auto second = program.make("MPI_Comm_create", kWorld, {{0, 1, 2}});
    const Comm third = program.dup(second[0]);
    program.exchange(third);
    program.exchange(first[0]);
    program.exchange(second[0]);
}

void collectives_only(Program& program) {
    const auto halves = program.make("MPI_Comm_split", kWorld, {{0, 1}, {2, 3}});
    for (const Comm half : halves) program.barrier(half);
    const Comm copy = program.dup(kWorld);
    program.barrier(copy);
    program.free(copy);
}

void unused(Program& program) {
    program.dup(kWorld);
    const auto halves = program.make("MPI_Comm_split", kWorld, {{0, 1}, {2, 3}});
    const Comm used = program.dup(kWorld);
    program.exchange(used);
    program.free(halves[0]);
    program.make("MPI_Comm_split", kWorld, {{0}, {1, 2, 3}});
}

void two_sides(Program& program) {
    const auto halves = program.make("MPI_Comm_split", kWorld, {{0, 1}, {2, 3}});
    const Comm inter = program.intercomm(halves[0], halves[1]);
    program.exchange(inter);
    use(program, program.merge(inter));
    program.free(inter);
}

/// Both sides of a message must find the same order of splits.
void in_between(Program& program) {
    const auto first = program.make("MPI_Comm_split", kWorld, {{0, 1}});
    program.message(0, 2);
    const auto halves = program.make("MPI_Comm_split", kWorld, {{0, 1}, {2, 3}});
    program.barrier(first[0]);
    for (const Comm half : halves) use(program, half);
}

/// Of a recorder that was told to leave the functions out that make them.
void without_calls(Program& program) {
    const Comm pair = program.existing({2, 1});
    use(program, pair);
    const auto halves = program.make("MPI_Comm_split", kWorld, {{0, 1}, {2, 3}});
    use(program, halves[0]);
    use(program, program.existing({0, 1}, {2, 3}));
    use(program, program.existing({3}));
    program.free(pair);
}

const std::map<std::string, std::function<void(Program&)>> kCases = {
    {"duplicates", duplicates},
    {"splits", splits},
    {"without_some", without_some},
    {"carts", carts},
    {"nested", nested},
    {"same_group", same_group},
    {"unused", unused},
    {"two_sides", two_sides},
    {"collectives_only", collectives_only},
    {"in_between", in_between},
    {"without_calls", without_calls},
};

int run(int argc, char** argv) {
    if (argc == 1) {
        for (const auto& [name, write] : kCases) std::cout << name << '\n';
        return 0;
    }
    const auto found = argc == 3 ? kCases.find(argv[1]) : kCases.end();
    if (found == kCases.end()) {
        std::cerr << "usage: communicator_program CASE DIRECTORY\n";
        return 2;
    }
    Program program(4);
    found->second(program);
    program.barrier(kWorld);
    program.write(argv[2]);
    return 0;
}

}  // namespace
}  // namespace tracefold::testing

int main(int argc, char** argv) {
    try {
        return tracefold::testing::run(argc, argv);
    } catch (const tracefold::Error& error) {
        std::cerr << "communicator_program: " << error.what() << '\n';
        return 1;
    }
}

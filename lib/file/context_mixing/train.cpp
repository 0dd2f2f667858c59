// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// A part of the build: tracefold_train OUTPUT trains models on the samples in the dictionary, and
// writes their states as C++ (context_mixing/trained_states.hpp), equal on every machine: cross
// builds run it on the build machine.
#include "base/error.hpp"
#include "file/context_mixing/number_coder.hpp"

#include <cstdio>
#include <fstream>
#include <string>

namespace {

using namespace tracefold;

constexpr SectionKind kKinds[] = {SectionKind::definitions, SectionKind::local_definitions,
                                  SectionKind::structure, SectionKind::durations};

std::string learn(SectionKind kind) {
    ByteModel model(ByteModel::kMaxCells);
    train_on_samples(model, kind);
    ModelStateWriter state;
    model.save(state);
    return state.bytes().take();
}

/// Writes little-endian words, which compile faster than bytes.
void write_words(std::ostream& out, std::string bytes) {
    bytes.resize((bytes.size() + 7) / 8 * 8);
    ByteReader in(bytes, "what a model has learnt");
    for (std::size_t i = 0; i < bytes.size() / 8; ++i)
        out << in.get_u64le() << (i % 16 == 15 ? "U,\n" : "U,");
}

void write_models(std::ostream& out) {
    std::string table;
    out << "#include \"file/context_mixing/trained_states.hpp\"\n\n"
           "namespace tracefold {\n\nnamespace {\n\n";
    for (const SectionKind kind : kKinds) {
        const std::string number = std::to_string(static_cast<u32>(kind));
        out << "constexpr u64 kWords" << number << "[] = {\n";
        write_words(out, learn(kind));
        out << "};\n\n";
        table += "    {static_cast<SectionKind>(" + number + "), kWords" + number + "},\n";
    }
    out << "constexpr TrainedState kTrainedStates[] = {\n"
        << table << "};\n\n}  // namespace\n\n"
        << "std::span<const TrainedState> trained_states() { return kTrainedStates; }\n\n"
        << "}  // namespace tracefold\n";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: tracefold_train OUTPUT\n");
        return 2;
    }
    try {
        std::ofstream out(argv[1]);
        write_models(out);
        out.close();
        if (!out) throw Error(ErrorKind::io, std::string("cannot write ") + argv[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tracefold_train: %s\n", error.what());
        return 1;
    }
    return 0;
}

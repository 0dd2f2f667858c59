#!/bin/sh
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds the replayer, measures the replay, and proves it: report.json and proof.json.
# Arguments go to the measured replay, as in ./run.sh --repeat 10. MPIRUN starts the ranks, as in MPIRUN="srun -n 27".
set -eu
cd "$(dirname "$0")"
. ./study
: "${MPIRUN:=mpirun -n $RANKS}"

make -j "$(nproc 2>/dev/null || echo 2)" --no-print-directory >build.log 2>&1 || {
    tail -n 20 build.log >&2
    echo "run.sh: the replayer cannot be built; build.log has all messages" >&2
    exit 1
}
rm -f report.json proof.json
status=0
replay() {
    code=0
    $MPIRUN ./trace_replay run.tfold $OPTIONS "$@" || code=$?
    [ $code -eq 0 ] || [ $code -eq 3 ] || exit $code
    [ $code -eq 0 ] || status=$code
}
case " $OPTIONS $* " in *" --warmup"*) ;; *) set -- --warmup 1 "$@" ;; esac
case " $OPTIONS $* " in *" --repeat"*) ;; *) set -- --repeat 5 "$@" ;; esac
replay --report report.json "$@"
replay --verify --report proof.json >/dev/null
if ! grep -q "\"fingerprint\": *\"$FINGERPRINT\"" proof.json; then
    echo "run.sh: the issued calls do not have the fingerprint of this study, $FINGERPRINT" >&2
    exit 3
fi
echo "verified: the issued calls have the fingerprint $FINGERPRINT; send back report.json and proof.json"
exit $status

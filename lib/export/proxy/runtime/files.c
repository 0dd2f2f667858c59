/* SPDX-FileCopyrightText: 2026 The tracefold authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Files: in the folder of --scratch, as large as the program ever reads or writes them, removed after each
 * repetition. */

//@ File_open: files
static void File_open(int f, int c, int number, int mode, ll bytes) { /* mode: read 0, write 1, both 2; create 4 */
    char name[PATH_SIZE];
    file_name(name, number);
    if (comm[c].rank == 0) make_file(name, number, bytes);
    PMPI_Barrier(comm[c].handle);
    int access = ((int[]){MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR})[mode & 3];
    if (mode & 4) access |= MPI_MODE_CREATE;
    begin();
    int error = MPI_File_open(comm[c].handle, name, access, MPI_INFO_NULL, &file[f].handle);
    tally("MPI_File_open", 0, 0);
    check_file(name, error);
    file[f].order = ++opened;
}

//@ File_close: files
static void File_close(int f) {
    begin();
    MPI_File_close(&file[f].handle);
    tally("MPI_File_close", 0, 0);
    file[f].order = 0;
}

//@ File_delete: files
static void File_delete(int number) { /* of another file, which is empty: the file may be opened again */
    char name[PATH_SIZE];
    MPI_File empty;
    file_name(name, number);
    snprintf(name + strlen(name), 32, "-%d", comm[WORLD].rank);
    check_file(name, PMPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &empty));
    PMPI_File_close(&empty);
    begin();
    MPI_File_delete(name, MPI_INFO_NULL);
    tally("MPI_File_delete", 0, 0);
}

//@ File_seek File_seek_shared: files
static void File_seek(int f, ll place) {
    begin();
    MPI_File_seek(file[f].handle, place, MPI_SEEK_SET);
    tally("MPI_File_seek", 0, 0);
}

//@ File_set_view: files
static void File_set_view(int f, ll place) {
    begin();
    MPI_File_set_view(file[f].handle, place, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    tally("MPI_File_set_view", 0, 0);
}

//@ File_set_size File_preallocate: files
static void File_set_size(int f, ll bytes) {
    begin();
    MPI_File_set_size(file[f].handle, bytes);
    tally("MPI_File_set_size", 0, 0);
}

//@ File_sync: files
static void File_sync(int f) {
    begin();
    MPI_File_sync(file[f].handle);
    tally("MPI_File_sync", 0, 0);
}

//@ File_set_atomicity: files
static void File_set_atomicity(int f) {
    begin();
    MPI_File_set_atomicity(file[f].handle, 0);
    tally("MPI_File_set_atomicity", 0, 0);
}

//@ File_read File_read_all File_read_shared File_read_ordered: files buffers
static void File_read(int f, ll bytes) {
    begin();
    MPI_File_read(file[f].handle, in(bytes), BYTES(bytes), MPI_STATUS_IGNORE);
    moved("MPI_File_read", bytes);
}

//@ File_read_at File_read_at_all: files buffers
static void File_read_at(int f, ll place, ll bytes) {
    begin();
    MPI_File_read_at(file[f].handle, place, in(bytes), BYTES(bytes), MPI_STATUS_IGNORE);
    moved("MPI_File_read_at", bytes);
}

//@ File_write File_write_all File_write_shared File_write_ordered: files buffers
static void File_write(int f, ll bytes) {
    begin();
    MPI_File_write(file[f].handle, out(bytes), BYTES(bytes), MPI_STATUS_IGNORE);
    moved("MPI_File_write", bytes);
}

//@ File_write_at File_write_at_all: files buffers
static void File_write_at(int f, ll place, ll bytes) {
    begin();
    MPI_File_write_at(file[f].handle, place, out(bytes), BYTES(bytes), MPI_STATUS_IGNORE);
    moved("MPI_File_write_at", bytes);
}

//@ File_iread File_iread_all File_iread_shared: files requests
static void File_iread(int f, ll bytes) {
    MPI_Request r;
    char *buffer = malloc(bytes + 1);
    begin();
    MPI_File_iread(file[f].handle, buffer, BYTES(bytes), &r);
    moved("MPI_File_iread", bytes);
    put(r, buffer, NULL, UNKNOWN);
}

//@ File_iread_at File_iread_at_all: files requests
static void File_iread_at(int f, ll place, ll bytes) {
    MPI_Request r;
    char *buffer = malloc(bytes + 1);
    begin();
    MPI_File_iread_at(file[f].handle, place, buffer, BYTES(bytes), &r);
    moved("MPI_File_iread_at", bytes);
    put(r, buffer, NULL, UNKNOWN);
}

//@ File_iwrite File_iwrite_all File_iwrite_shared: files buffers requests
static void File_iwrite(int f, ll bytes) {
    MPI_Request r;
    begin();
    MPI_File_iwrite(file[f].handle, out(bytes), BYTES(bytes), &r);
    moved("MPI_File_iwrite", bytes);
    put(r, NULL, NULL, UNKNOWN);
}

//@ File_iwrite_at File_iwrite_at_all: files buffers requests
static void File_iwrite_at(int f, ll place, ll bytes) {
    MPI_Request r;
    begin();
    MPI_File_iwrite_at(file[f].handle, place, out(bytes), BYTES(bytes), &r);
    moved("MPI_File_iwrite_at", bytes);
    put(r, NULL, NULL, UNKNOWN);
}

//@ File_read_all_begin File_read_ordered_begin: files
static void File_read_all_begin(int f, ll bytes) {
    file[f].buffer = malloc(bytes + 1);
    begin();
    MPI_File_read_all_begin(file[f].handle, file[f].buffer, BYTES(bytes));
    moved("MPI_File_read_all_begin", bytes);
}

//@ File_read_at_all_begin: files
static void File_read_at_all_begin(int f, ll place, ll bytes) {
    file[f].buffer = malloc(bytes + 1);
    begin();
    MPI_File_read_at_all_begin(file[f].handle, place, file[f].buffer, BYTES(bytes));
    moved("MPI_File_read_at_all_begin", bytes);
}

//@ File_write_all_begin File_write_ordered_begin: files
static void File_write_all_begin(int f, ll bytes) {
    file[f].buffer = calloc(bytes + 1, 1);
    begin();
    MPI_File_write_all_begin(file[f].handle, file[f].buffer, BYTES(bytes));
    moved("MPI_File_write_all_begin", bytes);
}

//@ File_write_at_all_begin: files
static void File_write_at_all_begin(int f, ll place, ll bytes) {
    file[f].buffer = calloc(bytes + 1, 1);
    begin();
    MPI_File_write_at_all_begin(file[f].handle, place, file[f].buffer, BYTES(bytes));
    moved("MPI_File_write_at_all_begin", bytes);
}

//@ File_read_all_end File_read_ordered_end File_read_at_all_end File_write_all_end File_write_ordered_end File_write_at_all_end: files
static void File_read_all_end(int f) {
    begin();
    MPI_File_read_all_end(file[f].handle, file[f].buffer, MPI_STATUS_IGNORE);
    tally("MPI_File_read_all_end", 0, 0);
    free(file[f].buffer);
    file[f].buffer = NULL;
}

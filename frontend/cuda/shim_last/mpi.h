// MPI, for host code on machines where no library of it is installed: opaque types, prototypes of what ordinary
// programs call. Whoever has a real mpi.h gets that one. Left out: tools, sessions, dynamic processes but for
// the names that programs test.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_MPI_H
#define HGRD_MPI_H
#pragma GCC system_header
#include <stddef.h>
#define MPI_VERSION 3
#define MPI_SUBVERSION 1
#define MPI_INCLUDED 1

typedef struct hgrd_mpi_comm *MPI_Comm;
typedef struct hgrd_mpi_datatype *MPI_Datatype;
typedef struct hgrd_mpi_errhandler *MPI_Errhandler;
typedef struct hgrd_mpi_file *MPI_File;
typedef struct hgrd_mpi_group *MPI_Group;
typedef struct hgrd_mpi_info *MPI_Info;
typedef struct hgrd_mpi_message *MPI_Message;
typedef struct hgrd_mpi_op *MPI_Op;
typedef struct hgrd_mpi_request *MPI_Request;
typedef struct hgrd_mpi_win *MPI_Win;
typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;
typedef struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int hgrd_private[4];
} MPI_Status;

typedef void MPI_User_function(void *, void *, int *, MPI_Datatype *);
typedef void MPI_Comm_errhandler_function(MPI_Comm *, int *, ...);
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void *, void *);

#define HGRD_MPI(type, number) ((type)(size_t)(number))
#define MPI_COMM_NULL HGRD_MPI(MPI_Comm, 0)
#define MPI_COMM_WORLD HGRD_MPI(MPI_Comm, 8)
#define MPI_COMM_SELF HGRD_MPI(MPI_Comm, 16)
#define MPI_DATATYPE_NULL HGRD_MPI(MPI_Datatype, 0)
#define MPI_CHAR HGRD_MPI(MPI_Datatype, 8)
#define MPI_SIGNED_CHAR HGRD_MPI(MPI_Datatype, 16)
#define MPI_UNSIGNED_CHAR HGRD_MPI(MPI_Datatype, 24)
#define MPI_BYTE HGRD_MPI(MPI_Datatype, 32)
#define MPI_PACKED HGRD_MPI(MPI_Datatype, 40)
#define MPI_SHORT HGRD_MPI(MPI_Datatype, 48)
#define MPI_UNSIGNED_SHORT HGRD_MPI(MPI_Datatype, 56)
#define MPI_INT HGRD_MPI(MPI_Datatype, 64)
#define MPI_UNSIGNED HGRD_MPI(MPI_Datatype, 72)
#define MPI_LONG HGRD_MPI(MPI_Datatype, 80)
#define MPI_UNSIGNED_LONG HGRD_MPI(MPI_Datatype, 88)
#define MPI_LONG_LONG HGRD_MPI(MPI_Datatype, 96)
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_UNSIGNED_LONG_LONG HGRD_MPI(MPI_Datatype, 104)
#define MPI_FLOAT HGRD_MPI(MPI_Datatype, 112)
#define MPI_DOUBLE HGRD_MPI(MPI_Datatype, 120)
#define MPI_LONG_DOUBLE HGRD_MPI(MPI_Datatype, 128)
#define MPI_WCHAR HGRD_MPI(MPI_Datatype, 136)
#define MPI_C_BOOL HGRD_MPI(MPI_Datatype, 144)
#define MPI_CXX_BOOL MPI_C_BOOL
#define MPI_INT8_T HGRD_MPI(MPI_Datatype, 152)
#define MPI_INT16_T HGRD_MPI(MPI_Datatype, 160)
#define MPI_INT32_T HGRD_MPI(MPI_Datatype, 168)
#define MPI_INT64_T HGRD_MPI(MPI_Datatype, 176)
#define MPI_UINT8_T HGRD_MPI(MPI_Datatype, 184)
#define MPI_UINT16_T HGRD_MPI(MPI_Datatype, 192)
#define MPI_UINT32_T HGRD_MPI(MPI_Datatype, 200)
#define MPI_UINT64_T HGRD_MPI(MPI_Datatype, 208)
#define MPI_AINT HGRD_MPI(MPI_Datatype, 216)
#define MPI_OFFSET HGRD_MPI(MPI_Datatype, 224)
#define MPI_COUNT HGRD_MPI(MPI_Datatype, 232)
#define MPI_C_COMPLEX HGRD_MPI(MPI_Datatype, 240)
#define MPI_C_FLOAT_COMPLEX MPI_C_COMPLEX
#define MPI_C_DOUBLE_COMPLEX HGRD_MPI(MPI_Datatype, 248)
#define MPI_CXX_FLOAT_COMPLEX MPI_C_COMPLEX
#define MPI_CXX_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define MPI_COMPLEX MPI_C_COMPLEX
#define MPI_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define MPI_FLOAT_INT HGRD_MPI(MPI_Datatype, 256)
#define MPI_DOUBLE_INT HGRD_MPI(MPI_Datatype, 264)
#define MPI_LONG_INT HGRD_MPI(MPI_Datatype, 272)
#define MPI_SHORT_INT HGRD_MPI(MPI_Datatype, 280)
#define MPI_2INT HGRD_MPI(MPI_Datatype, 288)
#define MPI_INTEGER HGRD_MPI(MPI_Datatype, 296)
#define MPI_REAL HGRD_MPI(MPI_Datatype, 304)
#define MPI_DOUBLE_PRECISION HGRD_MPI(MPI_Datatype, 312)
#define MPI_OP_NULL HGRD_MPI(MPI_Op, 0)
#define MPI_MAX HGRD_MPI(MPI_Op, 8)
#define MPI_MIN HGRD_MPI(MPI_Op, 16)
#define MPI_SUM HGRD_MPI(MPI_Op, 24)
#define MPI_PROD HGRD_MPI(MPI_Op, 32)
#define MPI_LAND HGRD_MPI(MPI_Op, 40)
#define MPI_BAND HGRD_MPI(MPI_Op, 48)
#define MPI_LOR HGRD_MPI(MPI_Op, 56)
#define MPI_BOR HGRD_MPI(MPI_Op, 64)
#define MPI_LXOR HGRD_MPI(MPI_Op, 72)
#define MPI_BXOR HGRD_MPI(MPI_Op, 80)
#define MPI_MAXLOC HGRD_MPI(MPI_Op, 88)
#define MPI_MINLOC HGRD_MPI(MPI_Op, 96)
#define MPI_REPLACE HGRD_MPI(MPI_Op, 104)
#define MPI_NO_OP HGRD_MPI(MPI_Op, 112)
#define MPI_REQUEST_NULL HGRD_MPI(MPI_Request, 0)
#define MPI_GROUP_NULL HGRD_MPI(MPI_Group, 0)
#define MPI_GROUP_EMPTY HGRD_MPI(MPI_Group, 8)
#define MPI_INFO_NULL HGRD_MPI(MPI_Info, 0)
#define MPI_INFO_ENV HGRD_MPI(MPI_Info, 8)
#define MPI_WIN_NULL HGRD_MPI(MPI_Win, 0)
#define MPI_FILE_NULL HGRD_MPI(MPI_File, 0)
#define MPI_MESSAGE_NULL HGRD_MPI(MPI_Message, 0)
#define MPI_ERRHANDLER_NULL HGRD_MPI(MPI_Errhandler, 0)
#define MPI_ERRORS_ARE_FATAL HGRD_MPI(MPI_Errhandler, 8)
#define MPI_ERRORS_RETURN HGRD_MPI(MPI_Errhandler, 16)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_ARGV_NULL ((char **)0)
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_UNWEIGHTED ((int *)2)
#define MPI_WEIGHTS_EMPTY ((int *)3)

enum {
  MPI_SUCCESS,
  MPI_ERR_BUFFER,
  MPI_ERR_COUNT,
  MPI_ERR_TYPE,
  MPI_ERR_TAG,
  MPI_ERR_COMM,
  MPI_ERR_RANK,
  MPI_ERR_REQUEST,
  MPI_ERR_ROOT,
  MPI_ERR_GROUP,
  MPI_ERR_OP,
  MPI_ERR_TOPOLOGY,
  MPI_ERR_DIMS,
  MPI_ERR_ARG,
  MPI_ERR_UNKNOWN,
  MPI_ERR_TRUNCATE,
  MPI_ERR_OTHER,
  MPI_ERR_INTERN,
  MPI_ERR_IN_STATUS,
  MPI_ERR_PENDING,
  MPI_ERR_LASTCODE = 100
};
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum { MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL };
enum { MPI_COMM_TYPE_SHARED = 1 };
enum { MPI_ORDER_C, MPI_ORDER_FORTRAN };
enum { MPI_LOCK_EXCLUSIVE = 1, MPI_LOCK_SHARED = 2 };
enum {
  MPI_MODE_CREATE = 1,
  MPI_MODE_RDONLY = 2,
  MPI_MODE_WRONLY = 4,
  MPI_MODE_RDWR = 8,
  MPI_MODE_DELETE_ON_CLOSE = 16,
  MPI_MODE_UNIQUE_OPEN = 32,
  MPI_MODE_EXCL = 64,
  MPI_MODE_APPEND = 128,
  MPI_MODE_SEQUENTIAL = 256,
  MPI_MODE_NOCHECK = 1024,
  MPI_MODE_NOSTORE = 2048,
  MPI_MODE_NOPUT = 4096,
  MPI_MODE_NOPRECEDE = 8192,
  MPI_MODE_NOSUCCEED = 16384
};
enum { MPI_SEEK_SET = 600, MPI_SEEK_CUR, MPI_SEEK_END };
#define MPI_PROC_NULL (-1)
#define MPI_ANY_SOURCE (-2)
#define MPI_ANY_TAG (-1)
#define MPI_ROOT (-3)
#define MPI_UNDEFINED (-32766)
#define MPI_TAG_UB 1
#define MPI_MAX_PROCESSOR_NAME 256
#define MPI_MAX_ERROR_STRING 512
#define MPI_MAX_OBJECT_NAME 128
#define MPI_MAX_LIBRARY_VERSION_STRING 8192
#define MPI_BSEND_OVERHEAD 96

#ifdef __cplusplus
extern "C" {
#endif
int MPI_Init(int *, char ***);
int MPI_Init_thread(int *, char ***, int, int *);
int MPI_Initialized(int *);
int MPI_Finalized(int *);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm, int);
int MPI_Query_thread(int *);
double MPI_Wtime(void);
double MPI_Wtick(void);
int MPI_Get_version(int *, int *);
int MPI_Get_library_version(char *, int *);
int MPI_Get_processor_name(char *, int *);
int MPI_Error_string(int, char *, int *);
int MPI_Error_class(int, int *);
int MPI_Alloc_mem(MPI_Aint, MPI_Info, void *);
int MPI_Free_mem(void *);
int MPI_Get_address(const void *, MPI_Aint *);
int MPI_Pcontrol(int, ...);

int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Comm_dup(MPI_Comm, MPI_Comm *);
int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);
int MPI_Comm_split_type(MPI_Comm, int, int, MPI_Info, MPI_Comm *);
int MPI_Comm_create(MPI_Comm, MPI_Group, MPI_Comm *);
int MPI_Comm_free(MPI_Comm *);
int MPI_Comm_compare(MPI_Comm, MPI_Comm, int *);
int MPI_Comm_group(MPI_Comm, MPI_Group *);
int MPI_Comm_get_parent(MPI_Comm *);
int MPI_Comm_set_name(MPI_Comm, const char *);
int MPI_Comm_get_name(MPI_Comm, char *, int *);
int MPI_Comm_get_attr(MPI_Comm, int, void *, int *);
int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *, MPI_Errhandler *);
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler);
int MPI_Errhandler_set(MPI_Comm, MPI_Errhandler);
MPI_Comm MPI_Comm_f2c(MPI_Fint);
MPI_Fint MPI_Comm_c2f(MPI_Comm);
int MPI_Group_size(MPI_Group, int *);
int MPI_Group_rank(MPI_Group, int *);
int MPI_Group_incl(MPI_Group, int, const int *, MPI_Group *);
int MPI_Group_excl(MPI_Group, int, const int *, MPI_Group *);
int MPI_Group_translate_ranks(MPI_Group, int, const int *, MPI_Group, int *);
int MPI_Group_free(MPI_Group *);
int MPI_Info_create(MPI_Info *);
int MPI_Info_set(MPI_Info, const char *, const char *);
int MPI_Info_free(MPI_Info *);

int MPI_Cart_create(MPI_Comm, int, const int *, const int *, int, MPI_Comm *);
int MPI_Cart_coords(MPI_Comm, int, int, int *);
int MPI_Cart_rank(MPI_Comm, const int *, int *);
int MPI_Cart_shift(MPI_Comm, int, int, int *, int *);
int MPI_Cart_sub(MPI_Comm, const int *, MPI_Comm *);
int MPI_Cart_get(MPI_Comm, int, int *, int *, int *);
int MPI_Dims_create(int, int, int *);

int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Ssend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Bsend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Rsend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Issend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Irsend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm,
                 MPI_Status *);
int MPI_Sendrecv_replace(void *, int, MPI_Datatype, int, int, int, int, MPI_Comm, MPI_Status *);
int MPI_Send_init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Recv_init(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Start(MPI_Request *);
int MPI_Startall(int, MPI_Request *);
int MPI_Wait(MPI_Request *, MPI_Status *);
int MPI_Waitall(int, MPI_Request *, MPI_Status *);
int MPI_Waitany(int, MPI_Request *, int *, MPI_Status *);
int MPI_Waitsome(int, MPI_Request *, int *, int *, MPI_Status *);
int MPI_Test(MPI_Request *, int *, MPI_Status *);
int MPI_Testall(int, MPI_Request *, int *, MPI_Status *);
int MPI_Testany(int, MPI_Request *, int *, int *, MPI_Status *);
int MPI_Cancel(MPI_Request *);
int MPI_Request_free(MPI_Request *);
int MPI_Probe(int, int, MPI_Comm, MPI_Status *);
int MPI_Iprobe(int, int, MPI_Comm, int *, MPI_Status *);
int MPI_Get_count(const MPI_Status *, MPI_Datatype, int *);
int MPI_Buffer_attach(void *, int);
int MPI_Buffer_detach(void *, int *);

int MPI_Barrier(MPI_Comm);
int MPI_Ibarrier(MPI_Comm, MPI_Request *);
int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Ibcast(void *, int, MPI_Datatype, int, MPI_Comm, MPI_Request *);
int MPI_Reduce(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Iallreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
int MPI_Reduce_scatter(const void *, void *, const int *, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Reduce_scatter_block(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Scan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Exscan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Gather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Gatherv(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype, int,
                MPI_Comm);
int MPI_Scatter(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Scatterv(const void *, const int *, const int *, MPI_Datatype, void *, int, MPI_Datatype, int,
                 MPI_Comm);
int MPI_Allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Allgatherv(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype, MPI_Comm);
int MPI_Alltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Alltoallv(const void *, const int *, const int *, MPI_Datatype, void *, const int *, const int *,
                  MPI_Datatype, MPI_Comm);
int MPI_Op_create(MPI_User_function *, int, MPI_Op *);
int MPI_Op_free(MPI_Op *);

int MPI_Type_size(MPI_Datatype, int *);
int MPI_Type_get_extent(MPI_Datatype, MPI_Aint *, MPI_Aint *);
int MPI_Type_contiguous(int, MPI_Datatype, MPI_Datatype *);
int MPI_Type_vector(int, int, int, MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_hvector(int, int, MPI_Aint, MPI_Datatype, MPI_Datatype *);
int MPI_Type_indexed(int, const int *, const int *, MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_indexed_block(int, int, const int *, MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_struct(int, const int *, const MPI_Aint *, const MPI_Datatype *, MPI_Datatype *);
int MPI_Type_create_subarray(int, const int *, const int *, const int *, int, MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_resized(MPI_Datatype, MPI_Aint, MPI_Aint, MPI_Datatype *);
int MPI_Type_commit(MPI_Datatype *);
int MPI_Type_free(MPI_Datatype *);
int MPI_Pack(const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm);
int MPI_Unpack(const void *, int, int *, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Pack_size(int, MPI_Datatype, MPI_Comm, int *);

int MPI_Win_create(void *, MPI_Aint, int, MPI_Info, MPI_Comm, MPI_Win *);
int MPI_Win_allocate(MPI_Aint, int, MPI_Info, MPI_Comm, void *, MPI_Win *);
int MPI_Win_allocate_shared(MPI_Aint, int, MPI_Info, MPI_Comm, void *, MPI_Win *);
int MPI_Win_shared_query(MPI_Win, int, MPI_Aint *, int *, void *);
int MPI_Win_free(MPI_Win *);
int MPI_Win_fence(int, MPI_Win);
int MPI_Win_lock(int, int, int, MPI_Win);
int MPI_Win_unlock(int, MPI_Win);
int MPI_Win_lock_all(int, MPI_Win);
int MPI_Win_unlock_all(MPI_Win);
int MPI_Win_flush(int, MPI_Win);
int MPI_Put(const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win);
int MPI_Get(void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win);
int MPI_Accumulate(const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Op, MPI_Win);

int MPI_File_open(MPI_Comm, const char *, int, MPI_Info, MPI_File *);
int MPI_File_close(MPI_File *);
int MPI_File_set_view(MPI_File, MPI_Offset, MPI_Datatype, MPI_Datatype, const char *, MPI_Info);
int MPI_File_seek(MPI_File, MPI_Offset, int);
int MPI_File_set_size(MPI_File, MPI_Offset);
int MPI_File_get_size(MPI_File, MPI_Offset *);
int MPI_File_read(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_read_all(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_read_at(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_read_at_all(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_all(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_at(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_at_all(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *);
#ifdef __cplusplus
}
#endif
#endif

// How is clang called? Both sides are compiled to complete, unoptimised
// functions with full debug information: -O1 keeps optnone away, -disable-llvm-passes keeps every access as
// written, and without lifetime markers scopes end without the clean-up switches that would hide early
// returns from dominance. Declarations of CUDA are ours, and --cuda-path points nowhere so that an installed
// toolkit stays out; or they are a toolkit's. Soundness: host asserts stay (-UNDEBUG comes last). What is
// compiled is what the flags say, no more.
// SPDX-License-Identifier: Apache-2.0
#include "core/process.h"
#include "core/bug.h"
#include "frontend/lower.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_ARCH = 80 };
static const char prefix_header[] = "hgrd_cuda_prefix.h";

// ---- finding things

static bool has_declarations(const char *dir, Arena *arena) {
  return access(arena_printf(arena, "%s/%s", dir, prefix_header), R_OK) == 0;
}

static const char *find_declarations(const FrontendOptions *options, Arena *arena) {
  if (options->resource_dir)
    return has_declarations(options->resource_dir, arena) ? arena_strdup(arena, options->resource_dir) : NULL;
  const char *dirs[] = {process_beside("../share/hgrd/cuda", arena), places_source_declarations,
                        HGRD_INSTALLED_CUDA_DIR};
  for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
    if (dirs[i] && has_declarations(dirs[i], arena)) return arena_strdup(arena, dirs[i]);
  return NULL;
}

static void report_no_declarations(const FrontendOptions *options, DiagSink *sink) {
  bool is_lost = !options->resource_dir && access("/proc/self", F_OK) != 0;
  diag_report(sink, DIAG_ERROR, NULL, "the CUDA declarations (%s) are not found %s%s: %s", prefix_header,
              options->resource_dir ? "in " : "beside the program",
              options->resource_dir ? options->resource_dir : "",
              is_lost ? "/proc is not mounted here, and the program looks there for where it lies"
                      : "install hgrd again");
}

const char *clang_find(const FrontendOptions *options, Arena *arena) {
  if (options->clang) return arena_strdup(arena, options->clang);
  const char *given = getenv("HGRD_CLANG");
  if (given && *given) return arena_strdup(arena, given);
  return access(HGRD_DEFAULT_CLANG, X_OK) == 0 ? HGRD_DEFAULT_CLANG : HGRD_CLANG_NAME;
}

// Where nobody chose a clang, ours is run, which starts sooner (clang/hgrd_clang.cpp); it takes the headers of the
// installed one, so that has to be there.
const char *compiler_find(const FrontendOptions *options, Arena *arena) {
  const char *clang = clang_find(options, arena), *given = getenv("HGRD_CLANG");
  if (options->clang || (given && *given) || access(clang, X_OK) != 0) return clang;
  const char *own = process_part("hgrd-clang", X_OK, arena);
  return own ? own : clang;
}

static bool holds_toolkit(const char *path, Arena *arena) {
  return access(arena_printf(arena, "%s/include/cuda_runtime.h", path), R_OK) == 0;
}

static const char *toolkit_in_usual_place(Arena *arena) {
  const char *const places[] = {getenv("CUDA_PATH"), getenv("CUDA_HOME"), "/usr/local/cuda", "/opt/cuda"};
  if (places[0] && strcmp(places[0], "none") == 0) return NULL;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (places[i] && *places[i] && holds_toolkit(places[i], arena)) return arena_strdup(arena, places[i]);
  return NULL;
}

// A toolkit comes first only when asked for: its headers take ten times as long to read as our declarations.
static bool find_toolkit(const FrontendOptions *options, Arena *arena, DiagSink *sink, Toolchain *out) {
  const char *path = options->cuda_path;
  if (path && strcmp(path, "none") == 0) return true;
  if (!path) {
    out->known_toolkit = toolkit_in_usual_place(arena);
    return true;
  }
  if (!holds_toolkit(path, arena)) {
    diag_report(sink, DIAG_ERROR, NULL,
                "no CUDA toolkit in %s: name the folder that holds include/cuda_runtime.h", path);
    return false;
  }
  out->toolkit = out->known_toolkit = arena_strdup(arena, path);
  return true;
}

bool toolchain_find(const FrontendOptions *options, Arena *arena, DiagSink *sink, Toolchain *out) {
  ASSERT(out);
  *out = (Toolchain){
      .clang = compiler_find(options, arena), .arch = options->arch, .device_code = options->device_code};
  char *folder = getcwd(NULL, 0);
  const char *shell_folder = getenv("PWD"); // what clang goes by, when it names the same folder
  out->current_dirs[0] = folder ? arena_strdup(arena, folder) : NULL;
  out->current_dirs[1] = shell_folder ? arena_strdup(arena, shell_folder) : NULL;
  free(folder);
  out->cuda_dir = find_declarations(options, arena);
  if (!out->cuda_dir) {
    report_no_declarations(options, sink);
    return false;
  }
  out->precompiled = precompiled_folder(out->cuda_dir, arena);
  return overlay_open(options, arena, sink, out) && find_toolkit(options, arena, sink, out);
}

Language file_language(const CompileFlags *flags, const char *path) {
  ASSERT(path);
  const char *dot = strrchr(path, '.');
  static const char *const cxx[] = {".cpp", ".cc", ".cxx", ".C", ".c++", ".cp"};
  if (flags->language != LANGUAGE_BY_NAME) return flags->language;
  for (size_t i = 0; dot && i < sizeof cxx / sizeof *cxx; i++)
    if (strcmp(dot, cxx[i]) == 0) return LANGUAGE_CXX;
  return dot && strcmp(dot, ".c") == 0 ? LANGUAGE_C : LANGUAGE_CUDA;
}

const char *frontend_clang(const FrontendOptions *options, Arena *arena) {
  return clang_find(options, arena);
}

bool frontend_is_system(const FrontendOptions *options, const char *path) {
  ASSERT(path);
  Arena *scratch = arena_open();
  Toolchain tools = {.cuda_dir = find_declarations(options, scratch),
                     .known_toolkit = toolkit_in_usual_place(scratch)};
  bool is_system = path_is_system(&tools, path);
  arena_close(scratch);
  return is_system;
}

bool path_is_system(const Toolchain *tools, const char *path) {
  if (!path) return false;
  if (tools->cuda_dir && str_starts_with(path, tools->cuda_dir)) return true;
  if (tools->known_toolkit && str_starts_with(path, tools->known_toolkit)) return true;
  return strstr(path, "/lib/clang/") || str_starts_with(path, "/usr/include/") ||
         str_starts_with(path, "/usr/lib/");
}

bool toolchain_other_headers(const Toolchain *tools, Toolchain *out) {
  ASSERT(out);
  *out = *tools;
  out->toolkit = tools->toolkit ? NULL : tools->known_toolkit;
  return tools->known_toolkit != NULL;
}

bool toolchain_runs_in(const Toolchain *tools, const char *directory) {
  ASSERT(directory);
  if (!tools->current_dirs[0] && !tools->current_dirs[1]) return true; // clang did not run for this module
  for (int i = 0; i < 2; i++)
    if (tools->current_dirs[i] && strcmp(tools->current_dirs[i], directory) == 0) return true;
  return false;
}

bool path_is_foreign(const Toolchain *tools, const char *path) {
  ASSERT(path);
  if (path_is_system(tools, path)) return true;
  for (uint32_t i = 0; path && i < tools->foreign_dirs.count; i++) {
    const char *dir = tools->foreign_dirs.items[i];
    if (str_starts_with(path, dir) && path[strlen(dir)] == '/') return true;
  }
  return false;
}

// ---- command lines

typedef VEC(const char *) ArgList;

static void add(Arena *arena, ArgList *args, const char *arg) {
  vec_push(arena, args, arg);
}

static void add_all(Arena *arena, ArgList *args, size_t count, const char *const *more) {
  for (size_t i = 0; i < count; i++)
    add(arena, args, more[i]);
}
#define ADD_LIST(arena, args, list) add_all((arena), (args), sizeof(list) / sizeof *(list), (list))

uint32_t clang_arch(const Toolchain *tools, const CompileFlags *flags) {
  if (tools->arch) return tools->arch;
  return flags->arch ? flags->arch : DEFAULT_ARCH;
}

// The nearest architecture that clang 19 knows, from below.
static uint32_t known_arch(uint32_t arch) {
  static const uint32_t known[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
  uint32_t best = known[0];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i] <= arch) best = known[i];
  return best;
}

uint32_t clang_known_arch(const Toolchain *tools, const CompileFlags *flags) {
  return known_arch(clang_arch(tools, flags));
}

// An include folder of a CUDA toolkit, whose headers would fight with our declarations.
static bool is_toolkit_include(const char *dir, Arena *arena) {
  return access(arena_printf(arena, "%s/cuda_runtime_api.h", dir), R_OK) == 0;
}

static void add_user_flags(const Toolchain *tools, const CompileFlags *flags, Arena *arena, ArgList *args) {
  for (uint32_t i = 0; i < flags->args.count; i++) {
    const char *flag = flags->args.items[i];
    bool names_dir = str_starts_with(flag, "-I") || strcmp(flag, "-isystem") == 0;
    bool is_joined = names_dir && flag[1] == 'I' && flag[2];
    const char *dir = is_joined                                  ? flag + 2
                      : (names_dir && i + 1 < flags->args.count) ? flags->args.items[i + 1]
                                                                 : NULL;
    if (dir && !tools->toolkit && is_toolkit_include(dir, arena)) {
      if (!is_joined) i++;
      continue;
    }
    add(arena, args, flag);
  }
}

static void add_bundled(const Toolchain *tools, Arena *arena, ArgList *args) {
  static const char *const bundled[] = {"-nocudainc", "--cuda-path=/nonexistent", "-Xclang",
                                        "-target-sdk-version=12.3"};
  if (tools->is_nvcc) add(arena, args, "-D__NVCC__=1");
  ADD_LIST(arena, args, bundled);
}

static void add_prefix(const Toolchain *tools, const CompileFlags *flags, bool is_device, Arena *arena,
                       ArgList *args) {
  const char *precompiled = precompiled_file(tools, flags, is_device, arena);
  static const char *const checked[] = {"-Xclang", "-fmodules-validate-system-headers", "-include-pch"};
  if (precompiled)
    ADD_LIST(arena, args, checked);
  else
    add(arena, args, "-include");
  add(arena, args, precompiled ? precompiled : arena_printf(arena, "%s/%s", tools->cuda_dir, prefix_header));
}

// The toolkit's own headers; in front of them those that clang 19 and new toolkits disagree on, and one with
// what is missing then.
static void add_toolkit(const Toolchain *tools, Arena *arena, ArgList *args) {
  add(arena, args, arena_printf(arena, "--cuda-path=%s", tools->toolkit));
  static const char *const versions[] = {"-Xclang", "-target-sdk-version=12.5", "-isystem"};
  ADD_LIST(arena, args, versions);
  add(arena, args, arena_printf(arena, "%s/shim", tools->cuda_dir));
  add(arena, args, "-DHGRD_TOOLKIT");
  if (tools->has_toolkit_groups) add(arena, args, "-DHGRD_TOOLKIT_GROUPS");
  add(arena, args, "-include");
  add(arena, args, arena_printf(arena, "%s/shim/hgrd_toolkit.h", tools->cuda_dir));
}

// Constructors that register kernels and variables with the CUDA runtime.
static void add_registering(const Toolchain *tools, Arena *arena, ArgList *args) {
  static const char *const register_with[] = {"-Xclang", "-fcuda-include-gpubinary", "-Xclang"};
  ADD_LIST(arena, args, register_with);
  add(arena, args, tools->device_code);
}

static const char *const of_host[] = {"--cuda-host-only"}, //
    *const of_device[] = {"--cuda-feature=+ptx85",         // what clang 19 knows, whatever the toolkit is
                          "-fno-strict-aliasing",          // marks that only the host's lowering reads
                          "--cuda-device-only"};

bool clang_flag_is_of_one_side(const char *arg) {
  bool is_found = strcmp(arg, of_host[0]) == 0 || str_ends_with(arg, ".pch"); // our declarations for it
  for (size_t i = 0; i < sizeof of_device / sizeof *of_device; i++)
    is_found |= strcmp(arg, of_device[i]) == 0;
  return is_found;
}

static void add_cuda(const Toolchain *tools, const CompileFlags *flags, bool is_device, Arena *arena,
                     ArgList *args) {
  add(arena, args, "-nocudalib");
  add(arena, args, "-Wno-unknown-cuda-version");
  add(arena, args, arena_printf(arena, "--cuda-gpu-arch=sm_%u", clang_known_arch(tools, flags)));
  if (is_device)
    ADD_LIST(arena, args, of_device);
  else
    ADD_LIST(arena, args, of_host);
  if (tools->device_code)
    add(arena, args, "-DHGRD_RUN"); // bundled headers have values that are run, not models
  if (!is_device && tools->device_code) add_registering(tools, arena, args);
  if (tools->toolkit)
    add_toolkit(tools, arena, args);
  else
    add_bundled(tools, arena, args);
}

// Last come our headers of libraries that are often not installed: a real one counts.
static void add_include_folders(const Toolchain *tools, Arena *arena, ArgList *args) {
  if (HGRD_LLVM < 19) {
    add(arena, args, "-isystem");
    add(arena, args, arena_printf(arena, "%s/shim_18", tools->cuda_dir));
  }
  add(arena, args, "-isystem");
  if (!tools->toolkit) {
    add(arena, args, tools->cuda_dir);
  } else {
    add(arena, args, arena_printf(arena, "%s/include/cccl", tools->toolkit)); // since CUDA 13
    add(arena, args, "-isystem");
    add(arena, args, arena_printf(arena, "%s/include", tools->toolkit));
  }
  add(arena, args, "-idirafter");
  add(arena, args, arena_printf(arena, "%s/shim_last", tools->cuda_dir));
}

// All but what the command makes of what file.
static ArgList common_args(const Toolchain *tools, const CompileFlags *flags, Language kind, bool is_device,
                           Arena *arena) {
  static const char *const languages[] = {
      [LANGUAGE_CUDA] = "cuda", [LANGUAGE_CXX] = "c++", [LANGUAGE_C] = "c"};
  static const char *const form[] = {
      "--no-default-config", "-fno-crash-diagnostics", "-fno-color-diagnostics", "-ferror-limit=20", "-w",
      // errors of clang that are warnings for nvcc and its host compiler
      "-Wno-register", "-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal",
      "-Wno-dynamic-exception-spec", "-Wno-enum-constexpr-conversion", "-Wno-invalid-constexpr",
      "-Wno-missing-template-arg-list-after-template-kw", "-Wno-non-pod-varargs", "-Wno-return-type",
      "-Wno-injected-class-name", "-Wno-invalid-offsetof", "-Wno-asm-operand-widths", "-Wno-cuda-compat",
      "-fno-discard-value-names", "-O1", "-g", "-Xclang", "-disable-llvm-passes", "-Xclang",
      "-disable-lifetime-markers", "-Xclang", "-debug-info-kind=limited",
      // a report is that of every day, and so is what hgrd-run runs by its proofs
      "-Xclang", "-source-date-epoch", "-Xclang", "0"};
  // old C, with which gcc still puts up
  static const char *const of_c[] = {"-Wno-implicit-int", "-Wno-implicit-function-declaration",
                                     "-Wno-int-conversion", "-Wno-incompatible-function-pointer-types"};
  ArgList args = {0};
  add(arena, &args, tools->clang);
  add(arena, &args, "-x");
  add(arena, &args, languages[kind]);
  ADD_LIST(arena, &args, form);
  if (tools->overlay_file) {
    add(arena, &args, "-ivfsoverlay");
    add(arena, &args, tools->overlay_file);
  }
  if (kind == LANGUAGE_C) ADD_LIST(arena, &args, of_c);
  if (!flags->has_standard && kind != LANGUAGE_C) add(arena, &args, "-std=c++17");
  if (kind == LANGUAGE_CUDA) add_cuda(tools, flags, is_device, arena, &args);
  return args;
}

const char *const *clang_command(const Toolchain *tools, const CompileFlags *flags, const char *path,
                                 bool is_device, Arena *arena) {
  ASSERT(path);
  Language kind = file_language(flags, path);
  ArgList args = common_args(tools, flags, kind, is_device, arena);
  if (kind == LANGUAGE_CUDA && !tools->toolkit) add_prefix(tools, flags, is_device, arena, &args);
  add_include_folders(tools, arena, &args);
  add_user_flags(tools, flags, arena, &args);
  // The driver asks the disk for the file; a text that has only a name is included.
  bool is_on_disk = overlay_text_path(tools->overlay, path) == path || access(path, F_OK) == 0;
  if (!is_on_disk) {
    add(arena, &args, "-include");
    add(arena, &args, path);
  }
  static const char *const last[] = {"-UNDEBUG", "-c", "-emit-llvm", "-o", "-", "--"};
  ADD_LIST(arena, &args, last);
  add(arena, &args, is_on_disk ? path : "/dev/null");
  add(arena, &args, NULL);
  return args.items;
}

// Templates that the declarations use are instantiated there, once, and not in each file again.
const char *const *clang_precompile_command(const Toolchain *tools, const CompileFlags *flags,
                                            const char *header, const char *out, bool is_device,
                                            Arena *arena) {
  ASSERT(header);
  ASSERT(out);
  ArgList args = common_args(tools, flags, LANGUAGE_CUDA, is_device, arena);
  add_include_folders(tools, arena, &args);
  add_user_flags(tools, flags, arena, &args);
  static const char *const last[] = {
      "-UNDEBUG", "-c", "-emit-llvm", "-Xclang", "-emit-pch", "-Xclang", "-fpch-instantiate-templates", "-o"};
  ADD_LIST(arena, &args, last);
  add(arena, &args, out);
  add(arena, &args, "--");
  add(arena, &args, header);
  add(arena, &args, NULL);
  return args.items;
}

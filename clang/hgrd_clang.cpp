// Is there a clang that starts at once? This one: the driver and the front end out of clang's own static
// libraries, linked as one program, for what hgrd asks of clang: LLVM's bitcode of one side of one file,
// precompiled headers, the text after preprocessing, and what a file includes. Debian's clang is a small
// program and two shared libraries, in which each start relocates 560,000 pointers; that takes longer than
// compiling a small file twice. It takes clang's command line and finds headers where the installed clang
// does; what it is not made for, it hands to that one whole. No part of LLVM that makes machine code is in it, and nothing that loads plugins.
//
// C++, unlike the rest, as clang's libraries have no other door; where they are not installed, the tool is built
// without it and starts clang itself. Soundness: the same libraries give the same bitcode, byte for byte
// (tests/cli/own_clang.sh). Of precompiled headers one list is left out, which has no bearing on it (below).
// SPDX-License-Identifier: Apache-2.0
#include "clang/Basic/Stack.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace clang;
using Diagnostics = IntrusiveRefCntPtr<DiagnosticsEngine>;

static const char installed_clang[] = HGRD_DEFAULT_CLANG;

// clang's libraries name this pass of Debian's build; it is in a library of its own, and none is run here.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder &) {}};
}

// Does not come back, unless the installed clang cannot be started.
static int hand_over(char **argv) {
  argv[0] = const_cast<char *>(installed_clang);
  execv(installed_clang, argv);
  llvm::errs() << "error: cannot run " << installed_clang << ": " << strerror(errno) << "\n";
  return 127;
}

static Diagnostics driver_diagnostics(llvm::ArrayRef<const char *> args) {
  IntrusiveRefCntPtr<DiagnosticOptions> options = CreateAndPopulateDiagOpts(args);
  auto *printer = new TextDiagnosticPrinter(llvm::errs(), &*options);
  printer->setPrefix(std::string(llvm::sys::path::stem(installed_clang)));
  Diagnostics diagnostics = new DiagnosticsEngine(new DiagnosticIDs, options, printer);
  ProcessWarningOptions(*diagnostics, *options, /*ReportDiags=*/false);
  return diagnostics;
}

// Options of LLVM's passes ("-mllvm"), of which the driver gives one for devices. False: one is unknown here.
static bool takes_options(const std::vector<std::string> &options) {
  llvm::SmallVector<const char *, 4> words = {installed_clang};
  for (const std::string &option : options)
    words.push_back(option.c_str());
  return options.empty() ||
         llvm::cl::ParseCommandLineOptions(int(words.size()), words.data(), "", &llvm::nulls());
}

// clang notes of each inline function of a precompiled header that deferred mistakes of it are to be told, and reads all of these
// functions wherever the header is used, which takes as long as everything else on a small file. The mistakes
// themselves are not kept in the header, so that there are none to tell. The list is private; the name of a private
// member may stand in an explicit instantiation ([temp.spec.general]).
using DeclSet = llvm::SmallSetVector<Decl *, 4>;
DeclSet &deferred_of(Sema &sema);
template <DeclSet Sema::*member> struct DeferredOf {
  friend DeclSet &deferred_of(Sema &sema) { return sema.*member; }
};
template struct DeferredOf<&Sema::DeclsToCheckForDeferredDiags>;

class ForgetDeferred : public SemaConsumer {
  Sema *sema = nullptr;
  void InitializeSema(Sema &started) override { sema = &started; }
  void ForgetSema() override { sema = nullptr; }
  void HandleTranslationUnit(ASTContext &) override { deferred_of(*sema).clear(); }
};

class PrecompileAction : public GeneratePCHAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef file) override {
    std::unique_ptr<ASTConsumer> writer = GeneratePCHAction::CreateASTConsumer(compiler, file);
    if (!writer) return nullptr;
    std::vector<std::unique_ptr<ASTConsumer>> both;
    both.push_back(std::make_unique<ForgetDeferred>());
    both.push_back(std::move(writer));
    return std::make_unique<MultiplexConsumer>(std::move(both));
  }
};

static std::unique_ptr<FrontendAction> action_for(const FrontendOptions &options) {
  if (!takes_options(options.LLVMArgs) || !options.Plugins.empty()) return nullptr;
  const frontend::ActionKind action = options.ProgramAction;
  if (action == frontend::EmitBC) return std::make_unique<EmitBCAction>();
  if (action == frontend::GeneratePCH) return std::make_unique<PrecompileAction>();
  if (action == frontend::PrintPreprocessedInput) return std::make_unique<PrintPreprocessedAction>();
  if (action == frontend::RunPreprocessorOnly) return std::make_unique<PreprocessOnlyAction>(); // -M
  return nullptr;
}

// What the driver makes of the command: a command of the front end, "-cc1" and its arguments.
static int compile(llvm::ArrayRef<const char *> args, char **argv) {
  CompilerInstance compiler;
  auto *early = new TextDiagnosticBuffer;
  DiagnosticsEngine diagnostics(new DiagnosticIDs, new DiagnosticOptions, early);
  bool is_understood =
      CompilerInvocation::CreateFromArgs(compiler.getInvocation(), args, diagnostics, installed_clang);
  std::unique_ptr<FrontendAction> action = action_for(compiler.getFrontendOpts());
  if (is_understood && !action) return hand_over(argv);
  compiler.createDiagnostics();
  if (!compiler.hasDiagnostics()) return 1;
  early->FlushDiagnostics(compiler.getDiagnostics());
  if (!is_understood) {
    compiler.getDiagnosticClient().finish();
    return 1;
  }
  return compiler.ExecuteAction(*action) ? 0 : 1;
}

int main(int argc, char **argv) {
  noteBottomOfStack();
  llvm::InitLLVM signals(argc, argv);
  llvm::SmallVector<const char *, 128> args(argv, argv + argc);
  args[0] = installed_clang;
  Diagnostics diagnostics = driver_diagnostics(args);
  driver::Driver driver(installed_clang, llvm::sys::getDefaultTargetTriple(), *diagnostics);
  std::unique_ptr<driver::Compilation> compilation(driver.BuildCompilation(args));
  if (!compilation || compilation->containsError()) return 1;
  const driver::JobList &jobs = compilation->getJobs();
  if (jobs.empty()) return 0; // --version, or nothing is to be done
  const driver::Command &job = *jobs.begin();
  const llvm::opt::ArgStringList &words = job.getArguments();
  bool is_front_end = jobs.size() == 1 && !words.empty() && strcmp(words[0], "-cc1") == 0;
  return is_front_end ? compile(llvm::ArrayRef(words).drop_front(), argv) : hand_over(argv);
}

// One run of clang over one source: set-up, token pass, parser. compile.cpp decides what consumes
// the declarations (IR or a precompiled header).
#pragma once

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Parse/Parser.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "msl/compile.h"
#include "msl/token_pass.h"

namespace assay::msl {

class Deadline;
class DiagnosticCollector;
class FileUseList;
class ImplicitCopies;

class FrontEnd {
 public:
  FrontEnd(const Source& source, const CompileOptions& options, bool use_precompiled);
  ~FrontEnd();

  clang::CompilerInstance& compiler() { return *compiler_; }

  // What earlier runs over the same source have found. Before run().
  void set_repairs(Repairs repairs) { repairs_ = std::move(repairs); }

  using ConsumerFactory = std::function<std::unique_ptr<clang::ASTConsumer>()>;

  // Parses the whole source. The consumer, made once the preprocessor exists, sees every
  // declaration. `at_end` runs after the last declaration and before the
  // consumer ends the translation unit.
  void run(clang::TranslationUnitKind kind, const ConsumerFactory& make_consumer,
           const std::function<void(const TokenPassResult&)>& at_end);

  bool failed() const;
  // What this run has found, together with what it was given.
  Repairs repairs() const;
  std::vector<Diagnostic> take_diagnostics();
  // Without the source itself, which is never read from a file.
  std::vector<FileUse> take_file_uses();
  bool uses_clock() const { return uses_clock_; }

 private:
  void set_options(const CompileOptions& options);
  void open_source(const Source& source, const CompileOptions& options);
  std::vector<clang::Token> read_tokens();
  bool create_context(clang::TranslationUnitKind kind);
  void create_sema(clang::TranslationUnitKind kind, std::unique_ptr<clang::ASTConsumer> consumer);
  void parse(clang::Parser& parser, const std::vector<clang::Token>& tokens);
  void report(const TokenMessage& message);

  std::unique_ptr<ImplicitCopies> implicit_copies_;  // outlives the tree, which knows it
  std::unique_ptr<clang::CompilerInstance> compiler_;
  DiagnosticCollector* collector_;  // owned by the diagnostics engine
  std::unique_ptr<Deadline> deadline_;
  std::shared_ptr<FileUseList> file_uses_;
  std::string source_name_;
  CompileLimits limits_;
  std::string preamble_;
  Tokens tokens_;  // of the preprocessed source
  Repairs repairs_;
  std::vector<RefusedMix> refused_mixes_;
  std::vector<TokenMessage> token_messages_;
  bool use_precompiled_;
  bool allow_double_;
  bool uses_clock_ = false;
};

}  // namespace assay::msl

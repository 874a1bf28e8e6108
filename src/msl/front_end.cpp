// See front_end.h.
#include "msl/front_end.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/TargetOptions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/LexDiagnostic.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Parse/Parser.h>
#include <clang/Sema/EnterExpressionEvaluationContext.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/TemplateInstCallback.h>

#include <algorithm>

#include "msl/deadline.h"
#include "msl/diagnostic_collector.h"
#include "msl/implicit_copies.h"
#include "msl/internal_names.h"
#include "msl/metal_target.h"
#include "msl/metal_words.h"
#include "msl/record_file_uses.h"
#include "msl/standard_library.h"
#include "msl/variable_types.h"

namespace assay::msl {
namespace {

// Ends the compilation cleanly: afterwards clang instantiates no further templates. It only does so
// for an error of its own, not for a custom one, and only from the message after the fatal one on;
// that second one is not shown.
void report_fatal(clang::DiagnosticsEngine& diagnostics, const std::string& text,
                  clang::SourceLocation location = {}) {
  diagnostics.setErrorsAsFatal(true);
  for (int i = 0; i < 2; ++i) diagnostics.Report(location, clang::diag::err_pp_hash_error) << text;
}

// `#pragma METAL …` only widens what the compiler accepts or narrows what it may reorder; both are
// already so.
class MetalPragma final : public clang::PragmaHandler {
 public:
  MetalPragma() : clang::PragmaHandler("METAL") {}
  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer,
                    clang::Token&) override {
    preprocessor.DiscardUntilEndOfDirective();
  }
};

bool is_clock_macro(llvm::StringRef name) {
  return name == "__DATE__" || name == "__TIME__" || name == "__TIMESTAMP__";
}

// Macros that use each other can grow for a long time between two tokens; some tell the time.
class MacroWatch final : public clang::PPCallbacks {
 public:
  MacroWatch(clang::Preprocessor& preprocessor, Deadline& deadline, bool& uses_clock)
      : preprocessor_(preprocessor), deadline_(deadline), uses_clock_(uses_clock) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& macro,
                    clang::SourceRange, const clang::MacroArgs*) override {
    const clang::MacroInfo* info = macro.getMacroInfo();
    if (info != nullptr && info->isBuiltinMacro() &&
        is_clock_macro(name.getIdentifierInfo()->getName())) {
      uses_clock_ = true;
    }
    if (stopped_ || deadline_.poll().empty()) return;
    stopped_ = true;
    report_fatal(preprocessor_.getDiagnostics(), deadline_.exceeded());
  }

 private:
  clang::Preprocessor& preprocessor_;
  Deadline& deadline_;
  bool& uses_clock_;
  bool stopped_ = false;
};

// Templates that use each other can grow for a long time inside one declaration.
class InstantiationWatch final : public clang::TemplateInstantiationCallback {
 public:
  InstantiationWatch(clang::DiagnosticsEngine& diagnostics, Deadline& deadline)
      : diagnostics_(diagnostics), deadline_(deadline) {}

  void initialize(const clang::Sema&) override {}
  void finalize(const clang::Sema&) override {}
  void atTemplateBegin(const clang::Sema&,
                       const clang::Sema::CodeSynthesisContext& context) override {
    if (stopped_ || deadline_.poll().empty()) return;
    stopped_ = true;
    report_fatal(diagnostics_, deadline_.exceeded(), context.PointOfInstantiation);
  }
  void atTemplateEnd(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override {}

 private:
  clang::DiagnosticsEngine& diagnostics_;
  Deadline& deadline_;
  bool stopped_ = false;
};

std::string preamble_text(const CompileOptions& options, bool use_precompiled) {
  std::string text;
  if (!use_precompiled) text += predefined_macros();
  if (options.math_mode == MathMode::kFast) text += "#define __FAST_MATH__ 1\n";
  for (const auto& [name, value] : options.defines) {
    text += "#define " + name + " " + value + "\n";
  }
  return text;
}

}  // namespace

FrontEnd::FrontEnd(const Source& source, const CompileOptions& options, bool use_precompiled)
    : compiler_(std::make_unique<clang::CompilerInstance>()),
      collector_(new DiagnosticCollector),
      deadline_(std::make_unique<Deadline>(options.limits.seconds, options.limits.memory_bytes)),
      file_uses_(std::make_shared<FileUseList>()),
      source_name_(source.name),
      limits_(options.limits),
      use_precompiled_(use_precompiled),
      allow_double_(options.allow_double) {
  set_options(options);
  open_source(source, options);
}

FrontEnd::~FrontEnd() = default;

void FrontEnd::set_options(const CompileOptions& options) {
  compiler_->createDiagnostics(collector_, /*ShouldOwnClient=*/true);
  clang::DiagnosticsEngine& diagnostics = compiler_->getDiagnostics();
  // clang's own warnings are about the base language; assay's are added one by one.
  diagnostics.setSeverityForAll(clang::diag::Flavor::WarningOrError,
                                clang::diag::Severity::Ignored);
  diagnostics.setErrorLimit(100);
  diagnostics.setTemplateBacktraceLimit(4);
  set_metal_language(compiler_->getLangOpts(), options.math_mode);
  auto target_options = std::make_shared<clang::TargetOptions>();
  target_options->Triple = "unknown-unknown-unknown";
  compiler_->getTargetOpts() = *target_options;
  auto target = create_metal_target(target_options);
  target->adjust(diagnostics, compiler_->getLangOpts());
  compiler_->setTarget(target.get());

  clang::CodeGenOptions& code = compiler_->getCodeGenOpts();
  code.OptimizationLevel = 2;   // IR that is meant to be optimised; no pass runs here
  code.UnrollLoops = true;      // or every loop would forbid it
  code.RelaxedAliasing = true;  // kernels re-cast buffers freely
  code.DisableLifetimeMarkers = true;
  // A loop that never ends stays one, for the time limit to tell; C++ lets compilers drop it.
  code.setFiniteLoops(clang::CodeGenOptions::FiniteLoopsKind::Never);
  code.OpenCLCorrectlyRoundedDivSqrt = true;
  if (options.debug_info != DebugInfo::kNone) {
    code.setDebugInfo(options.debug_info == DebugInfo::kFull
                          ? llvm::codegenoptions::FullDebugInfo
                          : llvm::codegenoptions::DebugLineTablesOnly);
    code.DebugColumnInfo = true;
    code.DwarfVersion = 5;
  }
  clang::HeaderSearchOptions& search = compiler_->getHeaderSearchOpts();
  search.UseBuiltinIncludes = false;
  search.UseStandardSystemIncludes = false;
  search.UseStandardCXXIncludes = false;
  for (const std::string& folder : options.include_folders) {
    search.AddPath(folder, clang::frontend::Angled, /*IsFramework=*/false, /*IgnoreSysRoot=*/true);
  }
  search.AddPath(kStandardLibraryFolder, clang::frontend::System, false, true);
  clang::PreprocessorOptions& preprocessing = compiler_->getPreprocessorOpts();
  preprocessing.UsePredefines = true;
  preprocessing.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::All;
  preprocessing.AllowPCHWithCompilerErrors = false;
}

void FrontEnd::open_source(const Source& source, const CompileOptions& options) {
  compiler_->createFileManager(standard_library_file_system(record_file_uses(file_uses_)));
  compiler_->createSourceManager(compiler_->getFileManager());
  clang::SourceManager& sources = compiler_->getSourceManager();
  preamble_ = preamble_text(options, use_precompiled_);
  clang::FileEntryRef file = compiler_->getFileManager().getVirtualFileRef(
      source.name, static_cast<off_t>(source.text.size()), 0);
  sources.overrideFileContents(file,
                               llvm::MemoryBuffer::getMemBufferCopy(source.text, source.name));
  sources.setMainFileID(sources.createFileID(file, clang::SourceLocation(), clang::SrcMgr::C_User));
}

bool FrontEnd::create_context(clang::TranslationUnitKind kind) {
  compiler_->createPreprocessor(kind);
  clang::Preprocessor& preprocessor = compiler_->getPreprocessor();
  set_metal_keywords(preprocessor);
  preprocessor.AddPragmaHandler(new MetalPragma);
  preprocessor.addPPCallbacks(std::make_unique<MacroWatch>(preprocessor, *deadline_, uses_clock_));
  compiler_->createASTContext();
  if (use_precompiled_) {
    compiler_->createPCHExternalASTSource(
        kPrecompiledPath, clang::DisableValidationForModuleKind::All, false, nullptr, false);
    if (!compiler_->getASTContext().getExternalSource()) return false;
  } else {
    preprocessor.getBuiltinInfo().initializeBuiltins(preprocessor.getIdentifierTable(),
                                                     preprocessor.getLangOpts());
  }
  preprocessor.setPredefines(preprocessor.getPredefines() + "\n" + preamble_);
  return true;
}

void FrontEnd::create_sema(clang::TranslationUnitKind kind,
                           std::unique_ptr<clang::ASTConsumer> consumer) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<MixedHalves>([this](const RefusedMix& mix) {
    refused_mixes_.push_back(mix);
    report({mix.operand.getBegin(), Severity::kError,
            "half and bfloat have no common type but float", "convert one of them: float(x)"});
  }));
  consumers.push_back(std::move(consumer));
  compiler_->setASTConsumer(std::make_unique<clang::MultiplexConsumer>(std::move(consumers)));
  compiler_->createSema(kind, nullptr);
  implicit_copies_ = std::make_unique<ImplicitCopies>(compiler_->getSema());
  compiler_->getASTContext().setASTMutationListener(implicit_copies_.get());
  spell_known_types(compiler_->getDiagnostics(), compiler_->getASTContext());
  compiler_->getSema().TemplateInstCallbacks.push_back(
      std::make_unique<InstantiationWatch>(compiler_->getDiagnostics(), *deadline_));
  collector_->BeginSourceFile(compiler_->getLangOpts(), &compiler_->getPreprocessor());
}

void FrontEnd::run(clang::TranslationUnitKind kind, const ConsumerFactory& make_consumer,
                   const std::function<void(const TokenPassResult&)>& at_end) {
  if (!create_context(kind)) return;
  create_sema(kind, make_consumer());
  clang::Preprocessor& preprocessor = compiler_->getPreprocessor();
  // Registers the handlers that turn pragmas into tokens, so it comes before the first token.
  clang::Parser parser(preprocessor, compiler_->getSema(), /*SkipFunctionBodies=*/false);
  preprocessor.EnterMainSourceFile();
  clang::ASTConsumer& consumer = compiler_->getASTConsumer();
  consumer.Initialize(compiler_->getASTContext());
  if (auto* external = compiler_->getASTContext().getExternalSource()) {
    external->StartTranslationUnit(&consumer);
  }
  tokens_ = separate_variable_types(read_tokens(), TokenBuilder(preprocessor));
  TokenPassResult result = rewrite_tokens(tokens_, preprocessor, repairs_);
  for (const TokenMessage& message : result.messages) report(message);
  token_messages_ = result.messages;
  parse(parser, result.tokens);
  at_end(result);
  consumer.HandleTranslationUnit(compiler_->getASTContext());
  preprocessor.EndSourceFile();
  collector_->EndSourceFile();
}

void FrontEnd::parse(clang::Parser& parser, const std::vector<clang::Token>& tokens) {
  auto stream = std::make_unique<clang::Token[]>(tokens.size());
  std::copy(tokens.begin(), tokens.end(), stream.get());
  compiler_->getPreprocessor().EnterTokenStream(std::move(stream), tokens.size(),
                                                /*DisableMacroExpansion=*/true,
                                                /*IsReinject=*/false);
  clang::EnterExpressionEvaluationContext context(
      compiler_->getSema(), clang::Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
  parser.Initialize();
  forget_opencl_names(compiler_->getSema());
  if (allow_double_) {
    for (const char* feature : {"cl_khr_fp64", "__opencl_c_fp64"}) {
      compiler_->getSema().getOpenCLOptions().support(feature);
    }
  }
  clang::Parser::DeclGroupPtrTy group;
  clang::Sema::ModuleImportState imports;
  bool at_eof = parser.ParseFirstTopLevelDecl(group, imports);
  while (!at_eof) {
    if (group && !compiler_->getASTConsumer().HandleTopLevelDecl(group.get())) break;
    if (!deadline_->poll().empty()) break;
    at_eof = parser.ParseTopLevelDecl(group, imports);
  }
  if (!deadline_->exceeded().empty() && !compiler_->getDiagnostics().hasFatalErrorOccurred()) {
    report_fatal(compiler_->getDiagnostics(), deadline_->exceeded());
  }
}

std::vector<clang::Token> FrontEnd::read_tokens() {
  constexpr unsigned kLongestSpelling = 1024;
  clang::Preprocessor& preprocessor = compiler_->getPreprocessor();
  std::vector<clang::Token> tokens;
  clang::Token token;
  do {
    preprocessor.Lex(token);
    tokens.push_back(token);
    // Looking for a name that was meant takes as long as this one times all others.
    if (token.is(clang::tok::identifier) && token.getLength() > kLongestSpelling) {
      compiler_->getLangOpts().SpellChecking = false;
    }
    bool is_too_long = tokens.size() > limits_.tokens;
    if (is_too_long) {
      report_fatal(compiler_->getDiagnostics(), "the source has more than " +
                                                    std::to_string(limits_.tokens) +
                                                    " tokens after macro expansion");
    }
    if (is_too_long || !deadline_->exceeded().empty()) {
      token.setKind(clang::tok::eof);
      tokens.assign(1, token);
    }
  } while (token.isNot(clang::tok::eof));
  return tokens;
}

void FrontEnd::report(const TokenMessage& message) {
  clang::DiagnosticsEngine& diagnostics = compiler_->getDiagnostics();
  unsigned id = message.severity == Severity::kError
                    ? diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")
                    : diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0");
  diagnostics.Report(message.location, id) << message.message;
}

bool FrontEnd::failed() const { return compiler_->getDiagnostics().hasErrorOccurred(); }

Repairs FrontEnd::repairs() const {
  Repairs repairs = repairs_;
  for (const HalfCast& cast : locate_half_casts(collector_->refused_half_casts(), tokens_)) {
    auto is_same = [&](const HalfCast& known) { return known.cast == cast.cast; };
    if (std::ranges::none_of(repairs.half_casts, is_same)) repairs.half_casts.push_back(cast);
  }
  for (const MixedOperand& operand :
       locate_mixed_operands(refused_mixes_, compiler_->getSourceManager(), tokens_)) {
    auto is_same = [&](const MixedOperand& known) { return known.first == operand.first; };
    if (std::ranges::none_of(repairs.mixed_operands, is_same)) {
      repairs.mixed_operands.push_back(operand);
    }
  }
  for (const ThreadOperand& operand : collector_->refused_operands().locate(tokens_)) {
    if (std::ranges::find(repairs.thread_operands, operand) == repairs.thread_operands.end()) {
      repairs.thread_operands.push_back(operand);
    }
  }
  for (size_t reference : locate_bound_temporaries(collector_->bound_temporaries(), tokens_)) {
    repairs.bound_temporaries.push_back(reference);
  }
  for (BracedTemporary& braces : locate_braces(collector_->refused_braces(), tokens_)) {
    auto is_same = [&](const BracedTemporary& known) { return known.brace == braces.brace; };
    if (std::ranges::none_of(repairs.braced_temporaries, is_same)) {
      repairs.braced_temporaries.push_back(std::move(braces));
    }
  }
  for (const FunctionParameter& parameter :
       locate_function_parameters(collector_->refused_functions(), tokens_)) {
    auto is_same = [&](const FunctionParameter& known) { return known.begin == parameter.begin; };
    if (std::ranges::none_of(repairs.function_parameters, is_same)) {
      repairs.function_parameters.push_back(parameter);
    }
  }
  // Last: what is told when nothing can be left out is to have no errors but the user's.
  if (repairs.count() > repairs_.count()) return repairs;
  if (auto left_out = find_left_out(collector_->refused_uses(), tokens_, repairs.left_out)) {
    repairs.left_out = std::move(*left_out);
  } else {
    repairs.needs_all = true;
  }
  return repairs;
}

std::vector<Diagnostic> FrontEnd::take_diagnostics() {
  std::vector<Diagnostic> diagnostics = collector_->take();
  for (Diagnostic& diagnostic : diagnostics) {
    for (const TokenMessage& message : token_messages_) {
      if (diagnostic.message == message.message) diagnostic.fix = message.fix;
    }
  }
  return diagnostics;
}

std::vector<FileUse> FrontEnd::take_file_uses() { return file_uses_->take(source_name_); }

}  // namespace assay::msl

/// Tests that nvcc's command line is parsed and refused as by nvcc.

#include "nvcc_options.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "failure.hpp"
#include "in_folder.hpp"
#include "tools/support/subprocess.hpp"

using emulator_nvcc::Command;
using emulator_nvcc::Failure;
using emulator_nvcc::Language;
using emulator_nvcc::NvccOptions;
using emulator_nvcc::Phase;
using emulator_nvcc::read_nvcc_options;

TEST_CASE("values come joined, after a blank or after an equals sign, and in lists") {
  const NvccOptions o = read_nvcc_options({"a.cu",
                                           "-Ione",
                                           "-I",
                                           "two",
                                           "--include-path=three,four",
                                           "-DA=1,B",
                                           "-D",
                                           "C=\"x,y\"",
                                           "-UD",
                                           "-include",
                                           "p.h",
                                           "-lm",
                                           "-L/lib",
                                           "-O3",
                                           "-std=c++20",
                                           "-o",
                                           "prog",
                                           "b.cpp",
                                           "-x",
                                           "cu",
                                           "-isystem=sys",
                                           "--define-macro",
                                           "E=a\\,b"});
  CHECK(o.inputs == std::vector<std::string>{"a.cu", "b.cpp"});
  CHECK(o.preprocessing == Command{"-Ione", "-Itwo", "-Ithree", "-Ifour", "-DA=1", "-DB",
                                   "-DC=\"x,y\"", "-UD", "-include", "p.h", "-isystem", "sys",
                                   "-DE=a,b"});
  CHECK(o.linking == Command{"-lm", "-L/lib"});
  CHECK(o.optimisation == "3");
  CHECK(o.standard == "c++20");
  CHECK(o.output == "prog");
  CHECK(o.language == Language::cuda);
  CHECK(o.phase == Phase::link);
}

TEST_CASE("options for other programs") {
  const NvccOptions o =
      read_nvcc_options({"a.cu", "-Xcompiler", "-Wall,-fopenmp", "-Xcompiler=-O0 -fPIC", "-Xlinker",
                         "-z,now", "-Xptxas", "-v,-dlcm=ca", "-ccbin", "g++-12"});
  CHECK(o.host == Command{"-Wall", "-fopenmp", "-O0", "-fPIC"});
  CHECK(o.linking == Command{"-Xlinker", "-z", "-Xlinker", "now"});
  CHECK(o.compiler == "g++-12");
}

TEST_CASE("what means nothing here is accepted") {
  const Command ignored[] = {{"-arch=sm_90"},
                             {"-arch", "compute_80"},
                             {"--gpu-architecture=native"},
                             {"-arch=sm_90a"},
                             {"-arch=all-major"},
                             {"-code=sm_80,compute_80"},
                             {"-gencode", "arch=compute_80,code=sm_80"},
                             {"--generate-code=arch=compute_80,code=[sm_80,compute_80]"},
                             {"-G"},
                             {"-lineinfo"},
                             {"--generate-line-info"},
                             {"-Xptxas=-v"},
                             {"-maxrregcount=32"},
                             {"-maxrregcount", "-1"},
                             {"-diag-suppress=20012,177"},
                             {"-gencode", "code=sm_90,arch=compute_90"},
                             {"-use-local-env"},
                             {"-idp", "x"},
                             {"-keep-dir", "no folder"},
                             {"--use_fast_math"},
                             {"-ftz=true"},
                             {"-fmad=false"},
                             {"--extended-lambda"},
                             {"--expt-relaxed-constexpr"},
                             {"-cudart", "static"},
                             {"-lcudart"},
                             {"-lcudadevrt,cuda"},
                             {"-m64"},
                             {"-t", "4"},
                             {"-t0"},
                             {"-res-usage"},
                             {"-diag-suppress", "20012"},
                             {"-Werror", "all-warnings"},
                             {"-w"},
                             {"-dlto"},
                             {"-Xcudafe", "--diag_suppress=20012"},
                             {"-Xcudafe=--display_error_number"},
                             {"-Xfatbin=-compress-all"},
                             {"-restrict"}};
  for (const Command& words : ignored) {
    CAPTURE(words.front());
    Command all = words;
    all.push_back("a.cu");
    const NvccOptions o = read_nvcc_options(all);
    CHECK(o.inputs == std::vector<std::string>{"a.cu"});
    CHECK(o.linking.empty());
    CHECK(o.warnings.empty());
  }
}

TEST_CASE("the phase is what was asked for") {
  CHECK(read_nvcc_options({"-c", "a.cu"}).phase == Phase::compile);
  CHECK(read_nvcc_options({"--compile", "a.cu"}).phase == Phase::compile);
  CHECK(read_nvcc_options({"-E", "a.cu"}).phase == Phase::preprocess);
  CHECK(read_nvcc_options({"-lib", "a.cu"}).phase == Phase::library);
  CHECK(read_nvcc_options({"-M", "a.cu"}).phase == Phase::dependencies);
  const NvccOptions dc = read_nvcc_options({"-dc", "a.cu"});
  CHECK(dc.phase == Phase::compile);
  CHECK(dc.separate_compilation);
  CHECK(read_nvcc_options({"-rdc=true", "a.cu"}).separate_compilation);
  CHECK_FALSE(read_nvcc_options({"-rdc", "true", "-rdc=false", "a.cu"}).separate_compilation);
}

TEST_CASE("a library that is not there is left out with a warning that names it") {
  const NvccOptions o = read_nvcc_options({"a.cu", "-lcublasLt", "-lm"});
  CHECK(o.linking == Command{"-lm"});
  CHECK(o.warnings ==
        std::vector<std::string>{
            "emulator-nvcc: warning: -lcublasLt ignored: the emulator does not support cuBLAS's "
            "other interfaces"});
}

TEST_CASE("cuBLAS and cuFFT are linked where the emulator was built with what they need") {
  struct Case {
    const char* option;
    bool is_there;
    const char* feature;
  };
  for (const Case& c : {Case{"-lcublas", EMULATOR_HAS_CUBLAS, "cuBLAS without OpenBLAS"},
                        Case{"-lcufft", EMULATOR_HAS_CUFFT, "cuFFT without FFTW"}}) {
    const NvccOptions o = read_nvcc_options({"a.cu", c.option});
    CHECK(o.linking == (c.is_there ? Command{c.option} : Command{}));
    CHECK(o.warnings == (c.is_there ? std::vector<std::string>{}
                                    : std::vector<std::string>{
                                          std::string("emulator-nvcc: warning: ") + c.option +
                                          " ignored: the emulator does not support " + c.feature +
                                          ", which was missing when the emulator was built"}));
  }
}

TEST_CASE("cuRAND is linked, whichever form is asked for") {
  for (const char* name : {"-lcurand", "-lcurand_static"}) {
    const NvccOptions o = read_nvcc_options({"a.cu", name});
    CHECK(o.linking == Command{"-lcurand"});
    CHECK(o.warnings.empty());
  }
}

TEST_CASE("unknown options go to the compiler where that is asked for") {
  const NvccOptions o =
      read_nvcc_options({"-forward-unknown-to-host-compiler", "-march=native", "a.cu", "-fopenmp"});
  CHECK(o.host == Command{"-march=native", "-fopenmp"});
}

TEST_CASE("options from a file") {
  const tools::TemporaryFolder folder;
  const auto file = folder.write("options", "-O2 -DNAME='\"a b\"'\n-I\tinc \"x y.cu\"\n");
  const NvccOptions o = read_nvcc_options({"-optf", file.string(), "-g"});
  CHECK(o.preprocessing == Command{"-DNAME=\"a b\"", "-Iinc"});
  CHECK(o.inputs == std::vector<std::string>{"x y.cu"});
  CHECK(o.debug);
}

TEST_CASE("modules of each kind") {
  using emulator_nvcc::ModuleKind;
  using emulator_nvcc::Phase;
  for (const auto& [option, kind] : {std::pair<const char*, ModuleKind>{"-ptx", ModuleKind::ptx},
                                     {"--ptx", ModuleKind::ptx},
                                     {"-cubin", ModuleKind::cubin},
                                     {"-fatbin", ModuleKind::fatbin}}) {
    CAPTURE(option);
    const NvccOptions o =
        read_nvcc_options({option, "a.cu", "-gencode", "arch=compute_80,code=[sm_80,compute_80]"});
    CHECK(o.phase == Phase::module);
    CHECK(o.module_kind == kind);
    CHECK(o.code_instances == 2);
  }
}

TEST_CASE("GPU code is refused by name, and so are other options") {
  const std::pair<std::string, std::string> options[] = {
      {"--optix-ir", "GPU code"},
      {"-ltoir", "GPU code"},
      {"-cuda", "files between two steps of nvcc"},
      {"--clean-targets", "files between two steps of nvcc"},
      {"--sanitize=memory", "compute-sanitizer's checks inside the program"}};
  for (const auto& [option, feature] : options) {
    CAPTURE(option);
    try {
      read_nvcc_options({option, "a.cu"});
      FAIL("accepted");
    } catch (const Failure& failure) {
      CHECK(failure.status == 2);
      std::string name = option.substr(option.find_first_not_of('-'));
      name.erase(std::min(name.find('='), name.size()));
      CHECK(std::string(failure.what()) ==
            "emulator-nvcc: the emulator does not support " + feature + " (--" + name + ")");
    }
  }
}

namespace {

struct Refusal {
  Command arguments;
  std::string message;  // after "nvcc fatal   : "
};

// Messages of nvcc 13.0.
const std::vector<Refusal> kRefusals = {
    {{}, "No input files specified; use option --help for more information"},
    {{"-O2"}, "No input files specified; use option --help for more information"},
    {{"--foo", "a.cu"}, "Unknown option '--foo'"},
    {{"-foo", "a.cu"}, "Unknown option '-foo'"},
    {{"--foo=bar", "a.cu"}, "Unknown option '--foo=bar'"},
    {{"-Wall", "a.cu"}, "Unknown option '-Wall'"},
    {{"-fPIC", "a.cu"}, "Unknown option '-fPIC'"},
    {{"-oprog", "a.cu"}, "Unknown option '-oprog'"},
    {{"--arch=sm_80", "a.cu"}, "Unknown option '--arch=sm_80'"},
    {{"a.xyz"}, "Don't know what to do with 'a.xyz'"},
    {{"a.cu", "-o"}, "argument expected after '-o'"},
    {{"-D"}, "argument expected after '-D'"},
    {{"-Xcompiler"}, "argument expected after '-Xcompiler'"},
    {{"-c", "a.cu", "a.cu", "-o", "x.o"},
     "A single input file is required for a non-link phase when an outputfile is specified"},
    {{"-arch", "sm_5", "a.cu"}, "Unsupported gpu architecture 'sm_5'"},
    {{"-arch=foo", "a.cu"}, "Unsupported gpu architecture 'foo'"},
    {{"-gencode", "foo", "a.cu"}, "'foo' is not in 'keyword=value' format"},
    {{"-gencode", "arch=compute_90", "a.cu"},
     "Option '--generate-code arch=compute_90', missing code"},
    {{"-gencode", "arch=compute_90,code=[sm_90,sm_80]", "a.cu"},
     "Incompatible code generation requested: arch='compute_90', code='sm_80'"},
    {{"-maxrregcount=abc", "a.cu"}, "'abc': expected a number"},
    {{"-diag-suppress=20012,abc", "a.cu"}, "'abc': expected a number"},
    {{"-std=c++99", "a.cu"}, "Value 'c++99' is not defined for option 'std'"},
    {{"-std=gnu++17", "a.cu"}, "Value 'gnu++17' is not defined for option 'std'"},
    {{"-x", "foo", "a.cu"}, "Value 'foo' is not defined for option 'x'"},
    {{"-Werror", "a.cu"}, "Value 'a.cu' is not defined for option 'Werror'"},
    {{"-cudart", "foo", "a.cu"}, "Value 'foo' is not defined for option 'cudart'"},
    {{"-Onope", "a.cu"}, "'nope': expected a number"},
    {{"-O", "-c", "a.cu"}, "'-c': expected a number"},
    {{"-rdc=foo", "-c", "a.cu"}, "'foo': expected true or false"},
    {{"-g=1", "a.cu"}, "no argument expected after '-g'"},
    {{"-optf", "nothing", "a.cu"}, "Could not open options file 'nothing'"},
};

tools::CommandResult run_with(const std::string& compiler, const Command& arguments) {
  const tools::TemporaryFolder folder;
  folder.write("a.cu", "int main() {}\n");
  folder.write("a.xyz", "");
  Command command = {compiler};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return tools::run_command(command, nvcc_tests::in_folder(folder.path()));
}

std::string joined(const Command& words) {
  std::string result;
  for (const std::string& word : words) result += word + " ";
  return result;
}

}  // namespace

TEST_CASE("bad command lines are refused in nvcc's words, with its status") {
  for (const Refusal& refusal : kRefusals) {
    CAPTURE(joined(refusal.arguments));
    const auto result = run_with(EMULATOR_NVCC, refusal.arguments);
    CHECK(result.err == "nvcc fatal   : " + refusal.message + "\n");
    CHECK(result.out == "");
    CHECK(result.status == 1);
  }
}

TEST_CASE("the real nvcc, where there is one, says the same") {
  const std::string nvcc = COURSE_NVCC;
  if (!std::filesystem::exists(nvcc)) return;
  if (run_with(nvcc, {"--version"}).out.find("release 13.0") == std::string::npos) return;
  for (const Refusal& refusal : kRefusals) {
    CAPTURE(joined(refusal.arguments));
    const auto result = run_with(nvcc, refusal.arguments);
    CHECK(result.err == "nvcc fatal   : " + refusal.message + "\n");
    CHECK(result.status == 1);
  }
}

#include "answers_in_one.hpp"

#include <fstream>
#include <set>
#include <stdexcept>

#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace course_test {
namespace {

namespace fs = std::filesystem;
using coursework::Exercise;

std::string name_of(std::size_t answer) { return "answer_" + std::to_string(answer); }

std::string source_of(const std::vector<std::string>& answers) {
  std::set<std::string> includes;
  std::string text;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    text += "namespace " + name_of(i) + " {\n";
    for (const std::string& line : tools::lines_of(answers[i])) {
      if (line.starts_with("#include")) {
        includes.insert(line);
      } else {
        text += line + '\n';
      }
    }
    text += "}\n";
  }
  std::string head;
  for (const std::string& line : includes) head += line + '\n';
  return head + text;
}

/// What CMake writes for one answer (tools/coursework/CMakeLists.txt), for all of them.
std::string kernels_of(const Exercise& exercise, std::size_t answers) {
  std::string headers, declarations, lists;
  for (const std::string& signature : exercise.kernels)
    if (signature.find("__half") != signature.npos) headers = "#include <cuda_fp16.h>\n";
  for (std::size_t i = 0; i < answers; ++i) {
    declarations += "namespace " + name_of(i) + " {\n";
    lists += "      {\n";
    for (const std::string& signature : exercise.kernels) {
      const std::string name = coursework::kernel_name(signature);
      declarations += signature + ";\n";
      lists += "          kernel(\"" + name + "\", &" + name_of(i) + "::" + name + "),\n";
    }
    declarations += "}\n";
    lists += "      },\n";
  }
  return "#include <errno.h>\n#include <stdlib.h>\n#include <string.h>\n"
         "#include \"tools/coursework/runner/kernels.hpp\"\n" +
         headers + declarations +
         "namespace coursework {\n"
         "const std::vector<Kernel>& kernels() {\n"
         "  static const std::vector<std::vector<Kernel>> all = {\n" +
         lists +
         "  };\n"
         "  return all.at(atoi(strrchr(program_invocation_short_name, '_') + 1));\n"
         "}\n}\n";
}

void run(const std::vector<std::string>& command) {
  const auto result = tools::run_command(command);
  if (result.status != 0) throw std::runtime_error(result.out + result.err);
}

}  // namespace

std::vector<fs::path> compile_in_one(const Exercise& exercise,
                                     const std::vector<std::string>& answers,
                                     const fs::path& folder) {
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  const std::string object = (folder / "answers.o").string();
  const std::string list = (folder / "kernels.o").string();
  const std::string program = (folder / "answers").string();
  const std::string nvcc = COURSEWORK_NVCC;
  run({nvcc, "-c", "-Xcompiler", "-w,-fno-quick-forms", write("answers.cu", source_of(answers)),
       "-o", object});
  run({nvcc, "-c", "-O0", "-I", tools::source_folder().string(),
       write("kernels.cpp", kernels_of(exercise, answers.size())), "-o", list});
  run({nvcc, object, list, std::string(COURSEWORK_PARTS) + "/libcoursework_runner.a", "-o",
       program});
  std::vector<fs::path> programs;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    programs.push_back(folder / name_of(i));
    fs::create_symlink(program, programs.back());
  }
  return programs;
}

}  // namespace course_test

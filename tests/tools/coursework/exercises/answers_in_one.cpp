#include "answers_in_one.hpp"

#include <fstream>
#include <set>
#include <stdexcept>

#include "tools/coursework/exercises/kernel_source.hpp"
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

/// What coursework::kernel_source() is for one answer, for all of them.
std::string kernels_of(const Exercise& exercise, std::size_t answers) {
  std::string declarations, lists;
  for (std::size_t i = 0; i < answers; ++i) {
    declarations += "namespace " + name_of(i) + " {\n" + kernel_declarations(exercise) + "}\n";
    lists += "      {\n" + kernel_entries(exercise, name_of(i)) + "      },\n";
  }
  return "#include <errno.h>\n#include <stdlib.h>\n#include <string.h>\n"
         "#include \"tools/coursework/runner/kernels.hpp\"\n" +
         kernel_headers(exercise) + declarations +
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
  run({nvcc, "-c", "-std=c++20", "-Xcompiler", "-w,-fno-quick-forms",
       write("answers.cu", source_of(answers)), "-o", object});
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

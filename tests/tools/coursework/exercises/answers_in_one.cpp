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

std::string name_of(const Exercise& exercise, std::size_t answer) {
  return "answer_" + exercise.id + "_" + std::to_string(answer);
}

std::string source_of(const Answers& answers) {
  std::set<std::string> includes;
  std::string text;
  for (std::size_t i = 0; i < answers.texts.size(); ++i) {
    text += "namespace " + name_of(answers.exercise, i) + " {\n";
    for (const std::string& line : tools::lines_of(answers.texts[i])) {
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

/// Returns the text of coursework::kernel_source() for all answers together. A program has the
/// kernels of only one exercise, so those of the others are weak.
std::string lists_of(const std::vector<Answers>& chapter) {
  std::set<std::string> headers;
  std::string declarations, lists;
  for (const Answers& answers : chapter) {
    headers.insert(kernel_headers(answers.exercise));
    for (std::size_t i = 0; i < answers.texts.size(); ++i) {
      const std::string name = name_of(answers.exercise, i);
      declarations += "namespace " + name + " {\n";
      for (const std::string& signature : answers.exercise.kernels)
        declarations += "__attribute__((weak)) " + signature + ";\n";
      declarations += "}\n";
      lists +=
          "      {\"" + name + "\", {\n" + kernel_entries(answers.exercise, name) + "      }},\n";
    }
  }
  std::string head = "#include <errno.h>\n#include <map>\n";
  for (const std::string& lines : headers) head += lines;
  return head + "#include \"tools/coursework/runner/kernels.hpp\"\n" + declarations +
         "namespace coursework {\n"
         "const std::vector<Kernel>& kernels() {\n"
         "  static const std::map<std::string, std::vector<Kernel>> all = {\n" +
         lists +
         "  };\n"
         "  return all.at(program_invocation_short_name);\n"
         "}\n}\n";
}

void run(const std::vector<std::string>& command) {
  const auto result = tools::run_command(command);
  if (result.status != 0) throw std::runtime_error(result.out + result.err);
}

std::string written(const fs::path& file, const std::string& text) {
  std::ofstream(file) << text;
  return file.string();
}

}  // namespace

fs::path compile_lists(const std::vector<Answers>& chapter, const fs::path& folder) {
  const std::string object = (folder / "kernels.o").string();
  run({COURSEWORK_NVCC, "-c", "-O0", "-I", tools::source_folder().string(),
       written(folder / "kernels.cpp", lists_of(chapter)), "-o", object});
  return object;
}

std::vector<fs::path> compile_in_one(const Answers& answers, const fs::path& lists,
                                     const fs::path& folder) {
  const std::string object = (folder / "answers.o").string();
  const std::string program = (folder / "answers").string();
  run({COURSEWORK_NVCC, "-c", "-std=c++20", "-Xcompiler", "-w,-fno-quick-forms",
       written(folder / "answers.cu", source_of(answers)), "-o", object});
  run({COURSEWORK_NVCC, object, lists.string(),
       std::string(COURSEWORK_PARTS) + "/libcoursework_runner.a", "-o", program});
  std::vector<fs::path> programs;
  for (std::size_t i = 0; i < answers.texts.size(); ++i) {
    programs.push_back(folder / name_of(answers.exercise, i));
    fs::create_symlink(program, programs.back());
  }
  return programs;
}

}  // namespace course_test

#include "host_link.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "failure.hpp"
#include "nvcc_options.hpp"
#include "temporary_folder.hpp"

namespace emulator_nvcc {
namespace {

namespace fs = std::filesystem;

/// Expands `@FILE` arguments to the arguments in the file.
Command with_files(const Command& arguments) {
  Command all;
  for (const std::string& word : arguments) {
    std::ifstream in(word.starts_with("@") ? word.substr(1) : "");
    if (in) {
      append(all, with_files(split_words(std::string(std::istreambuf_iterator<char>(in), {}))));
    } else {
      all.push_back(word);
    }
  }
  return all;
}

/// The inputs of a shared library.
class Library {
 public:
  explicit Library(const Command& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string& word = arguments[i];
      const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : "";
      if (word == "-o" || word == "-L" || word == "-l" || word == "-Xlinker") {
        read(word, next);
        ++i;
      } else if (word.starts_with("-L") || word.starts_with("-l")) {
        read(word.substr(0, 2), word.substr(2));
      } else if (word.starts_with("-Wl,")) {
        read_linker_words(word);
      } else if (word == "-fopenmp") {
        needs.push_back("-lgomp");
      } else if (!word.starts_with("-")) {
        read_input(word);
      }
    }
    for (std::string& need : needs)
      if (need.starts_with("-l")) need = find(need.substr(2));
  }

  std::string output = "a.out";
  Command members;  // for the linker: objects, and archives to be linked whole
  Command needs;    // other libraries, as paths or -lNAME

 private:
  void read(const std::string& option, const std::string& value) {
    if (option == "-o") output = value;
    if (option == "-L") folders_.push_back(value);
    if (option == "-l") needs.push_back("-l" + value);
    if (option == "-Xlinker") read_linker_words("-Wl," + value);
  }

  void read_linker_words(const std::string& word) {
    if (word.find(",--whole-archive") != word.npos) takes_all_ = true;
    if (word.find(",--no-whole-archive") != word.npos || word.find(",--pop-state") != word.npos)
      takes_all_ = false;
  }

  void read_input(const std::string& file) {
    const std::string suffix = fs::path(file).extension().string();
    if (suffix == ".a" && takes_all_) {
      append(members, {"-Wl,--whole-archive", file, "-Wl,--no-whole-archive"});
    } else if (suffix == ".a" || file.find(".so") != file.npos) {
      needs.push_back(fs::absolute(file).string());
    } else {
      members.push_back(file);
    }
  }

  std::string find(const std::string& name) const {
    for (const std::string& folder : folders_) {
      for (const char* const suffix : {".so", ".a"}) {
        const fs::path file = fs::path(folder) / ("lib" + name + suffix);
        if (fs::exists(file)) return fs::absolute(file).string();
      }
    }
    return "-l" + name;
  }

  Command folders_;
  bool takes_all_ = false;
};

/// Returns the linker script that stands for a shared library: INPUT with its libraries and
/// archives.
///
/// Names are absolute, so that the script may be copied. Names with a blank are relative to the
/// script instead, because ld does not escape blanks in its dependency file (`--dependency-file`,
/// which CMake uses): ninja would see two missing files and link again in every build.
std::string script_of(const fs::path& library, const Command& inputs) {
  const fs::path folder = fs::absolute(library).parent_path();
  std::string names;
  for (const std::string& input : inputs) {
    const bool has_blank = input.find(' ') != input.npos;
    const std::string name = has_blank ? fs::proximate(input, folder).string() : input;
    names += name.starts_with("-") ? " " + name : " \"" + name + '"';
  }
  return "/* A linker script in the place of a shared library, whose code becomes part of the\n"
         "   program: see docs/own_project.md of Warp by Warp. */\n"
         "INPUT(" +
         names + " )\n";
}

int make_library(const Command& compiler, const Library& library, const Toolchain& toolchain) {
  const TemporaryFolder temporary;
  const std::string object =
      (temporary.path() / fs::path(library.output).filename()).string() + ".o";
  const std::string archive = fs::absolute(library.output + ".a").string();
  Command inputs;
  if (!library.members.empty()) {
    Command merge = compiler;
    append(merge, {"-r", "-nostdlib"});
    append(merge, library.members);
    append(merge, {"-o", object});
    if (const int status = run(merge); status != 0) return status;
    fs::remove(archive);
    if (const int status = run({toolchain.archiver, "qcs", archive, object}); status != 0) {
      return status;
    }
    inputs.push_back(archive);
  }
  append(inputs, library.needs);

  fs::remove(library.output);  // it may be a link to another version's file
  std::ofstream out(library.output);
  out << script_of(library.output, inputs) << std::flush;
  if (!out) throw Failure(2, "emulator-nvcc: cannot write " + library.output);
  return 0;
}

}  // namespace

int link_on_host(const Command& compiler, const Command& arguments, const Toolchain& toolchain) {
  const Command all = with_files(arguments);
  if (std::find(all.begin(), all.end(), "-shared") != all.end())
    return make_library(compiler, Library(all), toolchain);
  Command command = compiler;
  append(command, arguments);
  return run(command);
}

}  // namespace emulator_nvcc

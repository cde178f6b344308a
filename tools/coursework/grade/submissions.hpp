#pragma once

/// @file
/// What a class has handed in: a folder for each student, searched once and copied.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// Which part of a class is graded: the `number`-th of `of`, from 1.
struct Shard {
  int number = 1;
  int of = 1;
  /// By the folder's name alone, so that who joins the class moves nobody else.
  bool has(const std::string& student_folder) const;
};

/// A person behind a folder, as a platform's list names them.
struct Person {
  std::string name;
  std::string email;
  std::string id;
};

/// What a student has handed in for one exercise.
struct HandedIn {
  std::string exercise;  ///< id
  std::string file;      ///< where it was found, below the student's folder; printable
  std::string sha256;    ///< of its bytes; empty where there is no file to grade
  /// Outcome::points where there is a file to grade; else not_handed_in or refused.
  Outcome outcome = Outcome::not_handed_in;
  std::string message;
  std::vector<std::string> notes;  ///< sentences on what else was there
};

struct Student {
  std::string name;    ///< of the folder; printable
  std::string folder;  ///< what its folders are called that we make: folder_name()
  std::vector<Person> people;
  std::vector<HandedIn> files;  ///< one for each exercise; none where another shard has the student
};

struct Class {
  std::vector<Student> students;   ///< by the bytes of their folders' names
  std::vector<std::string> notes;  ///< on what lies beside the students' folders
};

/// Finds the files of `exercises` in the folders below `submissions`, and copies them to
/// `copies`/FOLDER/FILE. Nothing outside `submissions` is read, whatever links say.
///
/// @throws std::runtime_error where the folder cannot be read or holds no folder
Class take_class(const std::filesystem::path& submissions, const std::vector<Exercise>& exercises,
                 const std::filesystem::path& copies, const Shard& shard);

nlohmann::ordered_json json_of(const Class& all);
/// @throws nlohmann::json::exception for what json_of() has not written
Class class_of(const nlohmann::ordered_json& json);

}  // namespace coursework

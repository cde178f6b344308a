#pragma once

/// @file
/// Collects a class's submissions: a folder for each student, searched once and copied.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// A part of a class: shard `number` of `of`, counted from 1.
struct Shard {
  int number = 1;
  int of = 1;
  /// Returns whether the shard contains a student. Depends on the folder's name alone, so new
  /// students do not move others to another shard.
  bool has(const std::string& student_folder) const;
};

/// A person to whom a folder belongs, as named in a platform's list.
struct Person {
  std::string name;
  std::string email;
  std::string id;
};

/// A student's submission for one exercise.
struct HandedIn {
  std::string exercise;  ///< id
  std::string file;      ///< path below the student's folder; printable
  std::string sha256;    ///< of the file's bytes; empty if there is no file to grade
  /// Outcome::points if there is a file to grade; otherwise not_handed_in or refused.
  Outcome outcome = Outcome::not_handed_in;
  std::string message;
  std::vector<std::string> notes;  ///< sentences about other files found
};

struct Student {
  std::string name;    ///< the folder's name, printable
  std::string folder;  ///< name of the folders that we create: folder_name()
  std::vector<Person> people;
  std::vector<HandedIn> files;  ///< one for each exercise; empty if another shard has the student
};

struct Class {
  std::vector<Student> students;   ///< sorted by the bytes of their folders' names
  std::vector<std::string> notes;  ///< about files beside the students' folders
};

/// Finds the files of `exercises` in the folders below `submissions`, and copies them to
/// `copies`/FOLDER/FILE. Reads nothing outside of `submissions`, even through links.
///
/// @throws std::runtime_error if the folder cannot be read or contains no folder
Class take_class(const std::filesystem::path& submissions, const std::vector<Exercise>& exercises,
                 const std::filesystem::path& copies, const Shard& shard);

nlohmann::ordered_json json_of(const Class& all);
/// @throws nlohmann::json::exception for text not written by json_of()
Class class_of(const nlohmann::ordered_json& json);

}  // namespace coursework

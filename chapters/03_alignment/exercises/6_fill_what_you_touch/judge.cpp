#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_03_6 {

using course::divide_up;
using coursework::Trial;

constexpr int kThreads = 128;
constexpr int kFloats = course::kSectorBytes / sizeof(float);  // of a sector
constexpr int kOtherRows = 3;  // rows of the table that no record goes to

/// Which record became each row; -1: none.
std::vector<int> records_of_rows(const std::vector<int>& ids, int table_rows) {
  std::vector<int> records(table_rows, -1);
  for (std::size_t record = 0; record < ids.size(); ++record)
    records[ids[record]] = static_cast<int>(record);
  return records;
}

void judge(Trial& trial) {
  const int rows = trial["rows"], cols = trial["cols"], pitch = trial["pitch"];
  const int row_sectors = divide_up(cols, kFloats), table_rows = rows + kOtherRows;
  trial.set("sectors", 1.0 * rows * row_sectors);
  trial.set("padding", row_sectors * kFloats - cols);
  if (rows == 0) trial.measure_nothing();

  std::vector<int> ids = course::random_permutation(table_rows, trial.seed(1));
  ids.resize(rows);
  const auto in = course::random_floats(std::size_t(rows) * cols, trial.seed(2));
  const auto table = trial.output<float>(std::size_t(table_rows) * pitch);
  trial.launch("store_records", {std::max(1, divide_up(rows * pitch, kThreads)), kThreads}, rows,
               cols, pitch, trial.input(ids), trial.input(in), table);

  const auto result = trial.read(table);
  const auto records = records_of_rows(ids, table_rows);
  int unfilled = 0;
  for (int row = 0; row < table_rows; ++row)
    for (int col = 0; col < pitch; ++col) {
      const float value = result[std::size_t(row) * pitch + col];
      const int record = records[row];
      const std::string where = "Column " + std::to_string(col) + " of row " + std::to_string(row);
      if (record < 0)
        trial.expect(std::isnan(value), where + " has changed, and no record goes to that row.");
      else if (col < cols)
        trial.expect(value == in[std::size_t(record) * cols + col],
                     where + " should have a float of record " + std::to_string(record) +
                         (std::isnan(value) ? ", but nobody has stored it." : ", but is wrong."));
      else if (col < row_sectors * kFloats)
        unfilled += value != 0.0f;
    }
  trial.set("unfilled", unfilled);
}

const coursework::Registered registered("03_6", judge);

}  // namespace exercise_03_6

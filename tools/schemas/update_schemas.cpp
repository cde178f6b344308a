/// Writes the lists of counters and kinds of hazards into the schemas of docs/.
///
///     update_schemas            after a change of one of the tables

#include <fstream>
#include <iostream>

#include "tools/schemas/schemas.hpp"

int main() {
  try {
    for (const schemas::Schema& schema : schemas::all()) {
      if (schema.wanted == schema.present) continue;
      if (!(std::ofstream(schema.file) << schema.wanted).flush())
        throw std::runtime_error("cannot write " + schema.file.string());
      std::cout << schema.file.string() << " brought up to date\n";
    }
  } catch (const std::exception& error) {
    std::cerr << "update_schemas: " << error.what() << '\n';
    return 2;
  }
}

// The queries of ../shared/data/ccd: linearly moving vertices with true answers (Wang et al. 2021).
#pragma once

#include "carom/verify/check_linear.h"
#include "tests/support/data.h"

#include <gmpxx.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace carom::test {

struct DataQuery {
  verify::LinearQuery query;
  bool truth = false;
  std::array<std::array<mpq_class, 3>, 8> exact; ///< the numbers of the file
};

/// A rational as the double nearest to it, or almost; `error` is raised to what that is off by, rounded up.
inline double nearest_double(const mpq_class& exact, double& error) {
  const double x = exact.get_d();
  const mpq_class off = abs(exact - mpq_class(x));
  if (off != 0) error = std::max(error, off.get_d() * (1 + 0x1p-50));
  return x;
}

/// Eight rows are a query; a file that ends in the middle of one, or has a row of another form, says so.
inline std::vector<DataQuery> read_queries(const std::filesystem::path& file, int first_part,
                                           std::string& complaint) {
  std::vector<DataQuery> queries;
  std::ifstream in(file);
  std::string line;
  std::size_t row = 0;
  DataQuery q;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::array<std::string, 7> field;
    for (std::string& f : field)
      if (!std::getline(fields, f, ',')) complaint = file.string() + ": " + line;
    if (!complaint.empty()) return queries;
    if (row == 0) {
      q = {};
      q.query.first_part = first_part;
      q.truth = field[6][0] == '1';
    }
    MovingPoint& p = q.query.points[row % 4];
    for (std::size_t k = 0; k < 3; ++k) {
      mpq_class& exact = q.exact[row][k];
      exact = mpq_class(mpz_class(field[2 * k]), mpz_class(field[2 * k + 1]));
      exact.canonicalize();
      (row < 4 ? p.from : p.to)[static_cast<int>(k)] = nearest_double(exact, q.query.input_error);
    }
    if (++row == 8) {
      queries.push_back(q);
      row = 0;
    }
  }
  if (row != 0) complaint = file.string() + ": a query of fewer than eight rows";
  return queries;
}

/// By set and kind: 'unit-tests vertex-face'. Whatever is in the folder.
inline std::map<std::string, std::vector<DataQuery>>
read_all_queries(const std::filesystem::path& folder, std::string& complaint) {
  std::map<std::string, std::vector<DataQuery>> sets;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const std::string kind = file.parent_path().filename().string();
    if (kind != "vertex-face" && kind != "edge-edge") continue;
    auto& set = sets[file.parent_path().parent_path().filename().string() + " " + kind];
    for (DataQuery& q : read_queries(file, kind == "vertex-face" ? 1 : 2, complaint))
      set.push_back(std::move(q));
  }
  return sets;
}

} // namespace carom::test

// carom clash: all parts of an assembly against each other.
#include "tools/carom/answer.h"
#include "tools/carom/clash_search.h"
#include "tools/carom/page_drawing.h"
#include "tools/carom/player.h"
#include "tools/carom/text.h"
#include "tools/carom/verbs.h"

#include <algorithm>
#include <array>
#include <thread>

namespace carom::tool {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string clearance = "0", touch, split = "object", rows = "50", threads, html;
};

constexpr std::array<const char*, 3> kind_names = {"overlapping", "touching", "near"};

Split parse_split(const std::string& text) {
  if (text == "object") return Split::automatic;
  if (text == "group") return Split::groups;
  if (text == "file") return Split::none;
  fail("--split", "'" + printable(text) + "' is none of object, group, file");
}

ClashOptions parse(const Options& options) {
  ClashOptions parsed;
  parsed.clearance = parse_number_from("--clearance", options.clearance, 0);
  if (!options.touch.empty()) parsed.touch = parse_number_from("--touch", options.touch, 0);
  parsed.threads = options.threads.empty() ? std::max(1U, std::thread::hardware_concurrency())
                                           : parse_count("--threads", options.threads, 1, 1024);
  return parsed;
}

Json json_of(const Clash& clash, const std::vector<Part>& parts) {
  Json out{{"a", parts[clash.a].name}, {"b", parts[clash.b].name}};
  if (clash.kind == ClashKind::overlapping) {
    const Penetration& p = clash.penetration;
    out["depth"] = p.depth;
    out["lower_bound"] = p.lower_bound;
    out["upper_bound"] = p.upper_bound;
    out["normal"] = to_json(p.normal);
    out["deepest"] = clash.deepest;
    if (clash.deepest > 0) out["deepest_vertex"] = to_json(clash.deepest_vertex);
  } else {
    out["distance"] = clash.distance.value;
    out["lower_bound"] = clash.distance.lower_bound;
    out["normal"] = to_json(clash.distance.normal);
  }
  out["points"] = {to_json(clash.distance.on_a), to_json(clash.distance.on_b)};
  return out;
}

std::vector<std::string> headings(ClashKind kind) {
  switch (kind) {
  case ClashKind::overlapping:
    return {"  depth", "at least", "deepest", "A", "B", "common point"};
  case ClashKind::touching:
    return {"  gap", "A", "B", "point"};
  case ClashKind::near:
    break;
  }
  return {"  distance", "A", "B", "on A", "on B"};
}

std::vector<std::string> row_of(const Clash& clash, const std::vector<Part>& parts) {
  const std::string a = parts[clash.a].name;
  const std::string b = parts[clash.b].name;
  const std::string point = show(clash.distance.on_a);
  switch (clash.kind) {
  case ClashKind::overlapping:
    return {"  " + std::string(clash.depth_is_bound() ? "<= " : "") + show(clash.penetration.depth),
            show(clash.penetration.lower_bound),
            show(clash.deepest),
            a,
            b,
            point};
  case ClashKind::touching:
    return {"  " + show(clash.distance.value), a, b, point};
  case ClashKind::near:
    break;
  }
  return {"  " + show(clash.distance.value), a, b, point, show(clash.distance.on_b)};
}

std::string table_of(ClashKind kind, const ClashReport& report, const std::vector<Part>& parts,
                     std::size_t most) {
  std::vector<std::vector<std::string>> rows = {headings(kind)};
  const std::size_t all = report.count(kind);
  for (const Clash& clash : report.clashes) {
    if (clash.kind == kind && rows.size() <= most) rows.push_back(row_of(clash, parts));
  }
  if (all == 0) return "";
  std::string text = std::string(kind_names[static_cast<std::size_t>(kind)]) + ": " +
                     counted(all, "pair") + "\n" + table(rows);
  if (rows.size() - 1 < all) {
    text += "  ... and " + std::to_string(all - (rows.size() - 1)) + " more (--rows, or --json)\n";
  }
  return text;
}

std::string summary_of(const ClashReport& report, const std::vector<Part>& parts) {
  const auto open = static_cast<std::size_t>(
      std::count_if(parts.begin(), parts.end(), [](const Part& p) { return !p.solid; }));
  std::string text = counted(parts.size(), "part") + ": ";
  for (const ClashKind kind : {ClashKind::overlapping, ClashKind::touching, ClashKind::near}) {
    text += std::to_string(report.count(kind)) + " " + kind_names[static_cast<std::size_t>(kind)] +
            (kind == ClashKind::near ? "" : ", ");
  }
  text += " (of " + counted(report.candidates, "pair") + " whose boxes are near)\n";
  if (open > 0) {
    text += counted(open, "part") +
            (open == 1 ? " is not closed: taken as a surface, without an inside\n"
                       : " are not closed: taken as surfaces, without an inside\n");
  }
  return text;
}

Json json_of(const ClashReport& report, const std::vector<Part>& parts) {
  Json out{{"verb", "clash"},
           {"clearance", report.clearance},
           {"parts", Json::array()},
           {"candidates", report.candidates}};
  for (const Part& part : parts) {
    out["parts"].push_back(
        {{"name", part.name}, {"triangles", part.triangles}, {"solid", part.solid}});
  }
  for (const char* name : kind_names) out[name] = Json::array();
  for (const Clash& clash : report.clashes) {
    out[kind_names[static_cast<std::size_t>(clash.kind)]].push_back(json_of(clash, parts));
  }
  return out;
}

void clash(const Options& options, Session& session) {
  const ClashOptions parsed = parse(options);
  const Split split = parse_split(options.split);
  const std::size_t rows = parse_count("--rows", options.rows, 0, 1U << 30);
  if (!options.html.empty()) check_page(options.html);
  const std::vector<Part> parts = load_parts(options.files, split, parsed.threads);
  if (parts.size() == 1) fail(parts[0].name, "it is the only part: there is nothing to compare");
  const ClashReport report = find_clashes(parts, parsed);
  if (!options.html.empty()) write_page(options.html, page_of(report, parts));
  if (session.json) {
    print(json_of(report, parts));
  } else {
    std::string text = summary_of(report, parts);
    for (const ClashKind kind : {ClashKind::overlapping, ClashKind::touching, ClashKind::near}) {
      text += table_of(kind, report, parts, rows);
    }
    print(text);
  }
  const bool found = std::any_of(report.clashes.begin(), report.clashes.end(),
                                 [&](const Clash& c) { return report.is_finding(c); });
  session.exit_code = found ? exit_no : exit_answer;
}

} // namespace

void add_clash(CLI::App& app, Session& session) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb =
      add_verb(app, session,
               {"clash", "Which parts of an assembly overlap, or are closer than a clearance?",
                "  carom clash assembly.obj\n"
                "  carom clash engine.glb --clearance 0.5 --html report.html\n"
                "  carom clash *.stl --clearance 1 --touch 0.01 --json > clashes.json\n",
                "Parts are files, and objects inside of files. Exit code 0: none, 1: some.\n"
                "Those that only touch count where a clearance is wanted."});
  verb.add_option("FILE", options->files, "mesh files")->required()->expected(1, -1);
  verb.add_option("--clearance", options->clearance,
                  "pairs closer than this are listed, too (default 0)")
      ->type_name("LENGTH");
  verb.add_option("--touch", options->touch,
                  "overlaps no deeper than this, and gaps no wider, are touching (default: a "
                  "millionth of the coordinates, the rounding of floats)")
      ->type_name("LENGTH");
  verb.add_option("--split", options->split,
                  "what a part is: an object (default), each group of it, or a whole file")
      ->type_name("object|group|file");
  verb.add_option("--rows", options->rows, "rows of each table (default 50)")->type_name("N");
  verb.add_option("--threads", options->threads,
                  "that share the work (default: all cores); the answer is the same")
      ->type_name("N");
  verb.add_option("--html", options->html, "write a report with a 3D view of each finding")
      ->type_name("FILE");
  verb.callback([options, &session] { clash(*options, session); });
}

} // namespace carom::tool

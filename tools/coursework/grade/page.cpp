#include "tools/coursework/grade/page.hpp"

#include "course/html.hpp"

namespace coursework {
namespace {

constexpr const char* kStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --line: #dfe3e8; --text: #1c2530; --quiet: #566270;
  --good: #1f7a4d; --some: #2f6fb3; --bad: #b4431f; --none: #8792a0; --fault: #7a3fa8;
  --track: #e9edf1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161b; --card: #1b2128; --line: #313a45; --text: #e6eaef; --quiet: #a3afbc;
    --good: #4fb985; --some: #6aa9ec; --bad: #f08b66; --none: #7d8997; --fault: #c191ea;
    --track: #2a323b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 66rem; padding: 2rem 1.25rem 4rem; background: var(--page);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word;
}
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 0 0 .75rem; font-size: 1.15rem; line-height: 1.3; }
p { margin: .25rem 0; }
a { color: var(--some); }
a:focus-visible, summary:focus-visible, input:focus-visible, th button:focus-visible {
  outline: 3px solid var(--some); outline-offset: 2px;
}
.over, .quiet { color: var(--quiet); }
.quiet { font-size: .9rem; }
.sum b { font-size: 1.5rem; }
.points { color: var(--quiet); font-weight: 400; font-size: .9rem; white-space: nowrap; }
.card {
  margin-top: 1rem; padding: 1.1rem 1.25rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .6rem;
}
.outcome { padding: .5rem .75rem; border-left: 4px solid var(--bad); background: var(--track); }
pre { margin: .5rem 0 0; padding: .75rem; overflow-x: auto; background: var(--track);
  border-radius: .4rem; font: .85rem/1.45 ui-monospace, monospace; }
.requirements { margin: .5rem 0; padding: 0; list-style: none; }
.requirements li { display: flex; gap: .75rem; padding: .5rem 0; border-top: 1px solid var(--line); }
.requirements li:first-child { border-top: 0; }
.requirements p { margin: 0; }
.wanted { font-weight: 600; }
.sign { flex: 0 0 1.2rem; font-weight: 700; text-align: center; }
.yes .sign { color: var(--good); } .no .sign { color: var(--bad); } .open .sign { color: var(--none); }
.advice { color: var(--quiet); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem;
  margin: 1.25rem 0 0; }
.tile { padding: .75rem 1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .6rem; }
.tile dt { color: var(--quiet); font-size: .85rem; }
.tile dd { margin: 0; font-size: 1.5rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.bars { display: flex; align-items: flex-end; gap: 2px; height: 12rem; padding-top: 1.3rem;
  border-bottom: 1px solid var(--quiet); }
.bars div { position: relative; flex: 1; min-width: 0; background: var(--some);
  border-radius: 3px 3px 0 0; }
.bars span { position: absolute; bottom: 100%; left: -1rem; right: -1rem; text-align: center;
  font-size: .75rem; font-variant-numeric: tabular-nums; color: var(--quiet); }
.ticks { display: flex; gap: 2px; font-size: .75rem; color: var(--quiet); }
.ticks div { flex: 1; min-width: 0; text-align: center; white-space: nowrap; }
.axis { text-align: center; color: var(--quiet); font-size: .85rem; }
.stack { display: flex; height: 1rem; border-radius: .3rem; overflow: hidden; gap: 1px;
  background: var(--track); }
.stack i { display: block; }
.good { background: var(--good); } .some { background: var(--some); } .bad { background: var(--bad); }
.none { background: var(--none); } .fault { background: var(--fault); }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: .4rem 0 0; font-size: .85rem;
  color: var(--quiet); }
.legend i { display: inline-block; width: .7rem; height: .7rem; margin-right: .35rem;
  border-radius: 2px; }
.rates { width: 100%; margin-top: 1rem; border-collapse: collapse; }
.rates td { padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line); vertical-align: middle; }
.rates .bar { width: 34%; min-width: 7rem; }
.rates .rate { width: 1%; padding-right: 0; text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.find { width: 100%; max-width: 20rem; padding: .45rem .7rem; font: inherit; color: inherit;
  background: var(--page); border: 1px solid var(--line); border-radius: .4rem; }
.scroll { overflow-x: auto; }
.class { width: 100%; margin-top: .75rem; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.class th, .class td { padding: .35rem .75rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; }
.class th:first-child, .class td:first-child { padding-left: 0; text-align: left;
  white-space: normal; min-width: 9rem; }
.class th button { padding: 0; border: 0; background: none; color: inherit; font: inherit;
  font-weight: 600; cursor: pointer; }
.class small { color: var(--bad); }
.look { margin: 0; padding-left: 1.1rem; }
.look li { margin: .3rem 0; }
@media (max-width: 34rem) {
  body { padding: 1.25rem .75rem 3rem; }
  .card { padding: .9rem; }
  .rates, .rates tbody, .rates tr { display: block; }
  .rates tr { display: grid; grid-template-columns: 1fr auto; align-items: center;
    padding: .5rem 0; border-top: 1px solid var(--line); }
  .rates td { border: 0; padding: .1rem 0; }
  .rates td:first-child { grid-column: 1 / 3; }
  .rates .bar { width: auto; padding-right: .75rem; }
  .rates .rate { width: auto; }
}
@media print { body { background: none; } .find { display: none; } .card { break-inside: avoid; } }
)css";

}  // namespace

std::string page(const std::string& title, const std::string& body) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         course::escape_html(title) + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n" +
         body + "</body>\n</html>\n";
}

}  // namespace coursework

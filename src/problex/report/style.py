"""How a report looks, and the few lines that draw its charts."""

from __future__ import annotations

from problex.explanation.views import CSS as MARKED

CSS = (
    MARKED
    + """
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #1d1f23; --soft: #5c6068; --line: #d9dadd; --wash: #f2f2ee;
  --link: #0b5a8f; --warn: #b25a00; --warnwash: #fdf3e4; }
@media (prefers-color-scheme: dark) { :root { --paper: #15171a; --ink: #e4e5e7; --soft: #a2a6ad; --line: #363a40;
  --wash: #1e2125; --link: #7cc0ee; --warn: #f0a95a; --warnwash: #2b2217; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.06rem/1.55 Charter, "Bitstream Charter", "Iowan Old Style", "Source Serif 4", Cambria, Georgia, serif; }
.page { max-width: 43rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1, h2, h3, nav, table, figcaption, .figures, .note, .callout, details, .kind, .edit, article header,
article footer, .by
  { font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 2rem; line-height: 1.15; letter-spacing: -.015em; margin: 0 0 .4rem; overflow-wrap: anywhere;
  text-wrap: balance; }
h2 { font-size: 1.35rem; line-height: 1.25; letter-spacing: -.01em; margin: 3.6rem 0 .8rem; padding-top: 1rem;
  border-top: 1px solid var(--line); text-wrap: balance; }
h3 { font-size: 1rem; margin: 2rem 0 .5rem; }
p { margin: .7rem 0; overflow-wrap: break-word; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .15em; }
.by { color: var(--soft); font-size: .95rem; margin: 0 0 1.6rem; }
.note, figcaption, table, .findings, article header, article footer, details { font-size: .85rem; }
.note, article header, article footer, .kind, .rest { color: var(--soft); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1px; background: var(--line);
  border: 1px solid var(--line); margin: 0 0 2rem; padding: 0; }
.figures div { background: var(--paper); padding: .8rem .9rem; }
.figures dd { margin: 0; font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums;
  letter-spacing: -.01em; }
.figures dt { font-size: .78rem; line-height: 1.35; color: var(--soft); margin-top: .2rem; }
.figures div { display: flex; flex-direction: column-reverse; justify-content: flex-end; }
nav ol { columns: 2; column-gap: 2rem; padding-left: 1.4rem; margin: 0; font-size: .9rem; }
nav li { line-height: 1.6; break-inside: avoid; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
blockquote { margin: 1rem 0; padding: .2rem 0 .2rem 1.1rem; border-left: 3px solid var(--line); }
pre { background: var(--wash); padding: .9rem 1rem; overflow-x: auto;
  font: .78rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
.callout { background: var(--warnwash); border-left: 3px solid var(--warn); padding: .7rem .9rem; font-size: .92rem; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; min-width: 60%; line-height: 1.4; }
th { font-weight: 600; text-align: left; vertical-align: bottom; max-width: 8rem; }
th, td { padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 1px solid var(--soft); }
.number { text-align: right; }
figure { margin: 1.6rem 0; break-inside: avoid; }
.chart { width: 100%; }
.chart.vega-embed { display: block; padding: 0; }
.chart svg, .still svg { max-width: 100%; height: auto; display: block; overflow: visible; }
figcaption { color: var(--soft); margin-top: .5rem; line-height: 1.45; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0 2rem; }
.pair > * { min-width: 0; }
.pair figure { margin: .8rem 0; min-width: 0; }
article.problex-why { font: inherit; max-width: none; border: 1px solid var(--line); padding: .7rem .95rem;
  margin: .8rem 0;  break-inside: avoid; }
article.problex-why .text { font-size: .93rem; margin: .4rem 0; }
.findings { padding-left: 1.5rem; font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.findings li { margin: .7rem 0; padding-left: .2rem; }
.findings b { font-size: .95rem; }
.kind { margin: 0 .3rem; font-style: italic; }
.edit { color: var(--link); }
summary { cursor: pointer; color: var(--soft); margin: .2rem 0; }
.lines { list-style: none; padding: 0; margin: .2rem 0; font: .78rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
.lines li { margin: .2rem 0; overflow-wrap: anywhere; }
#vg-tooltip-element { background: var(--paper) !important; color: var(--ink) !important;
  border: 1px solid var(--line) !important; font: .8rem/1.4 system-ui, sans-serif !important; }
#vg-tooltip-element table tr td.key { color: var(--soft) !important; }
#vg-tooltip-element table { min-width: 0; }
#vg-tooltip-element td { border: 0; padding: 0 .4rem; }
@media (min-width: 78rem) {
  nav { position: fixed; top: 3rem; left: max(1.5rem, calc(50vw - 37rem)); width: 13rem; }
  nav h2 { display: none; }
  nav ol { columns: 1; padding-left: 1.2rem; font-size: .82rem; }
}
@media (max-width: 34rem) {
  body { font-size: 1rem; }
  .page { padding: 1.6rem 1rem 3rem; }
  h1 { font-size: 1.55rem; }
  h2 { margin-top: 2.6rem; }
  nav ol { columns: 1; }
  .figures { grid-template-columns: 1fr 1fr; }
  th, td { padding-right: .6rem; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --wash: #f4f4f4; --link: #000;
    --warn: #b25a00; --warnwash: #fff; }
  @page { margin: 18mm 16mm; }
  html { font-size: 9.5pt; }
  .page { max-width: none; padding: 0; }
  nav { position: static; width: auto; }
  nav ol { columns: 2; }
  h2 { margin-top: 1.6rem; }
  h2, h3, figcaption { break-after: avoid; }
  figcaption { break-before: avoid; }
  main > section > figure { max-width: 13.5cm; }
  mark { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  details:not([open]) { display: none; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
}
"""
)

SCRIPT = """
const specs = JSON.parse(document.getElementById("charts").textContent);
for (const box of document.querySelectorAll("[data-chart]"))
  vegaEmbed(box, specs[box.dataset.chart], { renderer: "svg", actions: false, tooltip: { theme: "custom" } })
    .catch(error => { box.textContent = "This chart could not be drawn: " + error.message; });
"""
"""Draws every chart into its place; nothing is fetched."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data:"
"""The page itself forbids the network; the drawing of charts compiles small functions."""

/** Colours of the pages, light and dark: a file that is taken along has no stylesheet to ask. Held equal to them by a test. */
const COLOURS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  surface: ["oklch(1 0 0)", "oklch(0.19 0.006 250)"],
  "surface-2": ["oklch(0.975 0.003 250)", "oklch(0.225 0.007 250)"],
  "surface-3": ["oklch(0.935 0.005 250)", "oklch(0.29 0.009 250)"],
  line: ["oklch(0.925 0.004 250)", "oklch(0.27 0.008 250)"],
  "line-2": ["oklch(0.86 0.006 250)", "oklch(0.35 0.01 250)"],
  "line-3": ["oklch(0.655 0.01 250)", "oklch(0.505 0.012 250)"],
  ink: ["oklch(0.23 0.012 250)", "oklch(0.94 0.004 250)"],
  "ink-2": ["oklch(0.47 0.014 250)", "oklch(0.75 0.01 250)"],
  "ink-3": ["oklch(0.525 0.014 250)", "oklch(0.665 0.012 250)"],
  accent: ["oklch(0.52 0.15 255)", "oklch(0.66 0.14 252)"],
  "accent-ink": ["oklch(0.48 0.15 255)", "oklch(0.76 0.11 250)"],
  focus: ["oklch(0.55 0.165 255)", "oklch(0.74 0.125 250)"],
  leaking: ["oklch(0.58 0.2 27)", "oklch(0.68 0.185 27)"],
  "leaking-ink": ["oklch(0.51 0.19 27)", "oklch(0.74 0.155 27)"],
  growing: ["oklch(0.64 0.135 65)", "oklch(0.76 0.135 72)"],
  "growing-ink": ["oklch(0.51 0.11 62)", "oklch(0.81 0.125 75)"],
  flat: ["oklch(0.6 0.012 250)", "oklch(0.66 0.012 250)"],
  "flat-ink": ["oklch(0.44 0.012 250)", "oklch(0.75 0.01 250)"],
  "shrinking-ink": ["oklch(0.49 0.12 245)", "oklch(0.77 0.1 240)"],
  "unknown-ink": ["oklch(0.49 0.014 250)", "oklch(0.73 0.01 250)"],
  "ok-ink": ["oklch(0.46 0.1 158)", "oklch(0.78 0.13 158)"],
  "band-free": ["oklch(0.95 0.005 250)", "oklch(0.27 0.008 250)"],
  "band-pcp": ["oklch(0.48 0.024 229.8)", "oklch(0.75 0.011 262.1)"],
  "band-file": ["oklch(0.594 0.13 260)", "oklch(0.651 0.108 260)"],
  "band-buffers": ["oklch(0.34 0.034 261.1)", "oklch(0.93 0.03 195)"],
  "band-shmem": ["oklch(0.515 0.06 170.3)", "oklch(0.747 0.138 165)"],
  "band-anon": ["oklch(0.613 0.15 155.6)", "oklch(0.55 0.071 142.1)"],
  "band-srecl": ["oklch(0.34 0.07 75.4)", "oklch(0.878 0.15 91.6)"],
  "band-sunrecl": ["oklch(0.642 0.178 44)", "oklch(0.565 0.185 36.4)"],
  "band-kstack": ["oklch(0.34 0.193 290)", "oklch(0.581 0.2 290)"],
  "band-ptables": ["oklch(0.512 0.16 278.6)", "oklch(0.794 0.122 299.6)"],
  "band-percpu": ["oklch(0.62 0.12 352.2)", "oklch(0.561 0.134 338.8)"],
  "band-vmalloc": ["oklch(0.481 0.103 67)", "oklch(0.707 0.13 68.1)"],
  "band-hugetlb": ["oklch(0.401 0.086 240)", "oklch(0.889 0.07 226)"],
  "band-other": ["oklch(0.53 0.06 121.9)", "oklch(0.93 0.042 103.6)"],
  "band-unacc": ["oklch(0.34 0 269.7)", "oklch(0.634 0 256.3)"],
};

const coloursOf = (at: 0 | 1) =>
  Object.entries(COLOURS)
    .map(([name, values]) => `--${name}:${values[at]}`)
    .join(";");

/** The stylesheet of a report: light, dark as the system says, and on paper always light. */
export const REPORT_STYLE = `
:root{color-scheme:light;${coloursOf(0)}}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${coloursOf(1)}}}
*{box-sizing:border-box}
html{background:var(--surface);-webkit-text-size-adjust:100%}
body{margin:0;color:var(--ink);font:14px/21px Geist,Inter,-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif;font-variant-numeric:tabular-nums lining-nums;overflow-wrap:anywhere}
main,footer{max-width:1000px;margin:0 auto;padding:20px 24px 0}
h1{font-size:22px;line-height:30px;margin:4px 0 8px;font-weight:600}
h2{font-size:16px;line-height:24px;margin:32px 0 8px;padding-top:8px;border-top:1px solid var(--line-2);font-weight:600}
h3{font-size:15px;margin:18px 0 4px;font-weight:600}
h4,h5{font-size:14px;margin:14px 0 4px;font-weight:600}
p,ul,ol,blockquote,pre{margin:0 0 10px;max-width:86ch}
b,strong{font-weight:600}
a{color:var(--accent-ink)}
a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:12.5px}
pre{padding:6px 8px;border:1px solid var(--line);background:var(--surface-2);white-space:pre-wrap}
blockquote{padding-left:12px;border-left:2px solid var(--line-2);color:var(--ink-2)}
hr{border:0;border-top:1px solid var(--line-2)}
ul,ol{padding-left:22px}
.note,.scope{color:var(--ink-2)}
.facts{display:flex;flex-wrap:wrap;gap:2px 20px;padding:0;margin:0 0 8px;list-style:none;color:var(--ink-2);max-width:none}
.facts b{color:var(--ink);font-weight:500}
.verdict{font-weight:500}
.verdict svg{vertical-align:-1px}
.verdict.leaking{color:var(--leaking-ink)}
.verdict.growing{color:var(--growing-ink)}
.verdict.flat{color:var(--flat-ink);font-weight:400}
.verdict.shrinking{color:var(--shrinking-ink)}
.verdict.unknown{color:var(--unknown-ink);font-weight:400}
.verdict.ok{color:var(--ok-ink)}
figure{margin:12px 0 20px;padding:10px 14px 12px;border:1px solid var(--line-2)}
figcaption{display:flex;flex-wrap:wrap;gap:2px 10px;align-items:baseline;margin-bottom:6px}
figcaption b{font-size:15px}
.number{min-width:20px;padding:0 5px;border:1px solid var(--ink);border-radius:2px;font-size:12px;line-height:17px;font-weight:600;text-align:center}
.answers{padding:0;list-style:none;margin-bottom:8px;max-width:none}
.answers li{margin-bottom:4px}
.answers li+li{font-size:13px;line-height:19px}
.answers .scope{font-size:12.5px}
.plot,.scroll{overflow-x:auto}
.plot svg{display:block;width:100%;min-width:780px;height:auto}
@media(max-width:840px){.plot::before{content:"The chart goes on to the right.";position:sticky;left:0;font-size:12px;color:var(--ink-2)}}
.plot text{font-size:11.5px;fill:var(--ink-2)}
.plot .day{font-weight:600;fill:var(--ink)}
.plot .name,.plot .chip-name,.plot .badge-name{fill:var(--ink)}
.plot .badge-name{font-weight:600}
.plot .boot-name{fill:var(--ink-2)}
.plot path:not(.band){fill:none}
.plot .grid{stroke:var(--line)}
.plot .zero{stroke:var(--ink-3)}
.plot .ink,.keys .ink{fill:none;stroke:var(--ink);stroke-width:1.5;stroke-linejoin:round}
.plot .halo{stroke:var(--surface);stroke-width:4}
.plot .band{stroke:var(--surface);stroke-width:.6}
.plot .gap{fill:var(--surface-2);stroke:var(--line-3);stroke-dasharray:1 3}
.plot .quartiles{fill:var(--surface-3)}
.plot .boot{stroke:var(--ink-2);stroke-dasharray:2 3}
.plot .mark{stroke:var(--ink)}
.plot .stretch{fill:var(--ink);fill-opacity:.08}
.plot .badge{fill:var(--surface);stroke:var(--ink)}
.plot .chip{fill:var(--surface);fill-opacity:.92}
.plot path.interval:not(.band){fill:var(--accent);fill-opacity:.16}
.plot .estimate{stroke:var(--accent);stroke-width:2}
.plot .dot{fill:var(--ink);fill-opacity:.62;stroke:var(--surface)}
.plot .side-a,.keys .side-a{stroke:var(--ink-2);stroke-width:1.75;stroke-dasharray:5 3}
.plot .side-b,.keys .side-b{stroke:var(--accent);stroke-width:1.75}
.plot .alone{stroke-dasharray:none}
.plot .node{stroke:var(--flat);fill:none;stroke-width:1.2}
.plot .node.leaking{stroke:var(--leaking);fill:var(--leaking);fill-opacity:.85}
.plot .node.undecided{stroke:var(--growing);fill:var(--growing);fill-opacity:.3}
.keys{display:flex;flex-wrap:wrap;gap:0 14px;padding:0;margin:4px 0 6px;list-style:none;font-size:12px;color:var(--ink-2);max-width:none}
.swatch{stroke:var(--line-3)}
.marks{font-size:13px;line-height:19px;margin-bottom:8px;max-width:none}
table{border-collapse:collapse;font-size:12.5px;line-height:18px;margin:6px 0}
th,td{padding:3px 14px 3px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);overflow-wrap:normal;min-width:5ch}
th{color:var(--ink-2);font-weight:500;border-bottom-color:var(--line-2)}
td:first-child,th:first-child{max-width:46ch;overflow-wrap:anywhere}
.n{text-align:right;white-space:nowrap}
th.n{white-space:normal}
details{margin-top:4px}
summary{cursor:pointer;color:var(--accent-ink);min-height:24px}
details .scroll{max-height:420px;overflow:auto}
details table{font-size:12px}
.hypothesis{padding:6px 0 2px;border-top:1px solid var(--line)}
.hypothesis>p:first-child{margin-bottom:2px}
.evidence{font-size:13px;line-height:19px;max-width:none}
.log{padding:0;list-style:none;font-size:13px;line-height:19px;max-width:none}
.log .day{font-weight:600;color:var(--ink-2);padding-top:8px}
.log .line{display:grid;grid-template-columns:48px minmax(0,1fr);gap:0 10px;padding:4px 0;border-bottom:1px solid var(--line)}
.log .line p:last-child{margin-bottom:0}
.log .program{color:var(--ink-2)}
.log .grave{color:var(--leaking-ink)}
footer{padding-bottom:32px;color:var(--ink-2);font-size:13px}
footer p:first-child{padding-top:8px;border-top:1px solid var(--line-2);max-width:none;margin-bottom:2px}
@media(max-width:600px){main,footer{padding:14px 14px 0}figure{padding:8px 10px}h1{font-size:18px;line-height:25px}}
@media print{
@page{margin:14mm}
main,footer{max-width:none;padding:0}
body{font-size:10.5pt;line-height:15pt}
details{display:none}
.plot svg{min-width:0}
.plot::before{content:none}
.plot,.scroll{overflow:visible}
h2,h3,h4,figcaption{break-after:avoid}
.plot,.answers li,tr,.log .line,.hypothesis>p:first-child{break-inside:avoid}
.open::after{content:" " attr(href);font-size:8pt;color:var(--ink-2)}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
`;

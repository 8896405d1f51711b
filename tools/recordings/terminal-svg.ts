import { stripVTControlCharacters } from 'node:util';

/** A command as typed in a terminal, and the lines it printed, which may hold color sequences. */
export interface TypedCommand {
  command: string;
  output: readonly string[];
}

const CHAR_WIDTH = 7.8;
const LINE_HEIGHT = 18;
const PADDING = 16;
const TITLE_BAR = 28;
/** Columns of the drawn terminal. Longer lines make the drawing wider. */
const COLUMNS = 84;

const TYPING_MS = 45;
const PAUSE_BEFORE_OUTPUT_MS = 350;
const PAUSE_AFTER_OUTPUT_MS = 1900;
/** How long the finished screen stays before the recording starts again. */
const LAST_PAUSE_MS = 5000;

/** CSS class by the number of an SGR sequence; others reset. */
const STYLES: Readonly<Record<string, string>> = {
  '1': 'bold',
  '2': 'dim',
  '31': 'red',
  '32': 'green',
  '33': 'yellow',
  '34': 'blue',
  '35': 'magenta',
  '36': 'cyan',
};

/** Draws commands and their output as an SVG that types them one after the other, in a loop. */
export function drawTerminal(title: string, commands: readonly TypedCommand[]): string {
  const lines = toTimedLines(commands);
  const duration = (lines.at(-1)?.shownAt ?? 0) + LAST_PAUSE_MS;
  const columns = Math.max(
    COLUMNS,
    ...lines.map(({ text }) => stripVTControlCharacters(text).length),
  );
  const width = Math.ceil(columns * CHAR_WIDTH + 2 * PADDING);
  const height = lines.length * LINE_HEIGHT + TITLE_BAR + 2 * PADDING;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">`,
    `<title>${escape(title)}</title>`,
    `<style>${STYLE}`,
    ...lines.map((line, index) => keyframes(line, index, duration)),
    '</style>',
    `<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...['red', 'yellow', 'green'].map(
      (color, index) =>
        `<circle class="${color}" cx="${PADDING + 6 + index * 18}" cy="${TITLE_BAR / 2 + 4}" r="5"/>`,
    ),
    ...lines.map(drawLine),
    '</svg>',
  ].join('\n')}\n`;
}

interface TimedLine {
  text: string;
  /** Milliseconds from the start. */
  shownAt: number;
  /** Set for a command: when its last character is typed. */
  typedAt?: number;
}

function toTimedLines(commands: readonly TypedCommand[]): TimedLine[] {
  let now = 500;
  return commands.flatMap(({ command, output }) => {
    const typedAt = now + command.length * TYPING_MS;
    const shownAt = typedAt + PAUSE_BEFORE_OUTPUT_MS;
    const lines: TimedLine[] = [
      { text: `$ ${command}`, shownAt: now, typedAt },
      ...output.map((text) => ({ text, shownAt })),
    ];
    now = shownAt + PAUSE_AFTER_OUTPUT_MS;
    return lines;
  });
}

/** A line appears; a command is also uncovered character by character. */
function keyframes({ text, shownAt, typedAt }: TimedLine, index: number, duration: number): string {
  const percent = (at: number): string => `${((at / duration) * 100).toFixed(2)}%`;
  const shown = `@keyframes l${index}{0%{opacity:0}${percent(shownAt)}{opacity:1}100%{opacity:1}}.l${index}{animation:l${index} ${duration}ms step-end infinite}`;
  if (typedAt === undefined) return shown;
  return `${shown}@keyframes t${index}{0%,${percent(shownAt)}{transform:scaleX(0);animation-timing-function:steps(${text.length})}${percent(typedAt)},100%{transform:scaleX(1)}}.t${index}{animation:t${index} ${duration}ms infinite}`;
}

function drawLine({ text, typedAt }: TimedLine, index: number): string {
  const y = TITLE_BAR + PADDING + index * LINE_HEIGHT + 4;
  const length = stripVTControlCharacters(text).length;
  const width = (length * CHAR_WIDTH).toFixed(1);
  const spans =
    typedAt === undefined ? toSpans(text) : toSpans(`\u001B[2m$\u001B[0m${text.slice(1)}`);
  const drawn = `<text y="14" textLength="${width}" lengthAdjust="spacingAndGlyphs">${spans}</text>`;
  const place = `transform="translate(${PADDING} ${y})"`;
  if (length === 0) return '';
  if (typedAt === undefined) return `<g ${place}><g class="l${index}">${drawn}</g></g>`;
  const clip = `<clipPath id="c${index}"><rect class="t${index}" width="${width}" height="${LINE_HEIGHT}"/></clipPath>`;
  return `<g ${place}>${clip}<g class="l${index}" clip-path="url(#c${index})">${drawn}</g></g>`;
}

function toSpans(text: string): string {
  let style = '';
  // oxlint-disable-next-line no-control-regex
  return text.split(/\u001B\[([\d;]*)m/).reduce((spans, part, index) => {
    if (index % 2 === 1) {
      style = STYLES[part] ?? '';
      return spans;
    }
    if (part === '') return spans;
    return `${spans}${style === '' ? escape(part) : `<tspan class="${style}">${escape(part)}</tspan>`}`;
  }, '');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Light and dark by the reader's preference; without motion if the reader wants none. */
const STYLE = [
  'text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:#1f2328}',
  '.window{fill:#f6f8fa;stroke:#d1d9e0}',
  '.bold{font-weight:600}.dim{fill:#59636e}',
  '.red{fill:#cf222e}.green{fill:#1a7f37}.yellow{fill:#9a6700}',
  '.blue{fill:#0969da}.magenta{fill:#8250df}.cyan{fill:#1b7c83}',
  '@media (prefers-color-scheme:dark){text{fill:#e6edf3}.window{fill:#0d1117;stroke:#3d444d}.dim{fill:#9198a1}',
  '.red{fill:#ff7b72}.green{fill:#3fb950}.yellow{fill:#d29922}.blue{fill:#58a6ff}.magenta{fill:#bc8cff}.cyan{fill:#39c5cf}}',
  '@media (prefers-reduced-motion:reduce){*{animation:none!important}}',
].join('');

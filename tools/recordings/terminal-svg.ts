import { stripVTControlCharacters } from 'node:util';
import { escapeXml } from '@catalog/core/text/escape-xml';
import { toSpans, toSpansOfLines } from './styled-spans.ts';

export interface TypedCommand {
  command: string;
  output: readonly string[];
}

const CHAR_WIDTH = 7.8;
const LINE_HEIGHT = 18;
const PADDING = 16;
const TITLE_BAR = 28;
/** Longer lines make the drawing wider. */
const COLUMNS = 84;

const TYPING_MS = 45;
const PAUSE_BEFORE_OUTPUT_MS = 350;
const PAUSE_AFTER_OUTPUT_MS = 1900;
/** Pause before the recording starts again. */
const LAST_PAUSE_MS = 5000;

/** Types the commands in sequence, in a loop. */
export function drawTerminal(title: string, commands: readonly TypedCommand[]): string {
  const lines = toTimedLines(commands);
  const duration = (lines.at(-1)?.shownAt ?? 0) + LAST_PAUSE_MS;
  const columns = Math.max(
    COLUMNS,
    ...lines.map(({ text }) => stripVTControlCharacters(text).length),
  );
  return drawWindow(title, columns, lines.length, {
    style: lines.map((line, index) => keyframes(line, index, duration)),
    content: lines.map(drawLine),
  });
}

export function drawScreen(title: string, columns: number, lines: readonly string[]): string {
  const content = toSpansOfLines(lines).map((spans, index) => {
    const length = stripVTControlCharacters(lines[index] ?? '').length;
    return length === 0 ? '' : `<g ${placeOf(index)}>${drawSpans(spans, length)}</g>`;
  });
  return drawWindow(title, columns, lines.length, { style: [], content });
}

interface WindowParts {
  style: readonly string[];
  content: readonly string[];
}

function drawWindow(title: string, columns: number, rows: number, parts: WindowParts): string {
  const width = Math.ceil(columns * CHAR_WIDTH + 2 * PADDING);
  const height = rows * LINE_HEIGHT + TITLE_BAR + 2 * PADDING;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${STYLE}`,
    ...parts.style,
    '</style>',
    `<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...['red', 'yellow', 'green'].map(
      (color, index) =>
        `<circle class="${color}" cx="${PADDING + 6 + index * 18}" cy="${TITLE_BAR / 2 + 4}" r="5"/>`,
    ),
    ...parts.content,
    '</svg>',
  ].join('\n')}\n`;
}

interface TimedLine {
  text: string;
  /** Milliseconds from the start. */
  shownAt: number;
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

/** Lines appear at once, and commands also character by character. */
function keyframes({ text, shownAt, typedAt }: TimedLine, index: number, duration: number): string {
  const percent = (at: number): string => `${((at / duration) * 100).toFixed(2)}%`;
  const shown = `@keyframes l${index}{0%{opacity:0}${percent(shownAt)}{opacity:1}100%{opacity:1}}.l${index}{animation:l${index} ${duration}ms step-end infinite}`;
  if (typedAt === undefined) return shown;
  return `${shown}@keyframes t${index}{0%,${percent(shownAt)}{transform:scaleX(0);animation-timing-function:steps(${text.length})}${percent(typedAt)},100%{transform:scaleX(1)}}.t${index}{animation:t${index} ${duration}ms infinite}`;
}

function drawLine({ text, typedAt }: TimedLine, index: number): string {
  const length = stripVTControlCharacters(text).length;
  if (length === 0) return '';
  const place = placeOf(index);
  if (typedAt === undefined)
    return `<g ${place}><g class="l${index}">${drawSpans(toSpans(text), length)}</g></g>`;
  const drawn = drawSpans(toSpans(`\u001B[2m$\u001B[0m${text.slice(1)}`), length);
  const clip = `<clipPath id="c${index}"><rect class="t${index}" width="${widthOf(length)}" height="${LINE_HEIGHT}"/></clipPath>`;
  return `<g ${place}>${clip}<g class="l${index}" clip-path="url(#c${index})">${drawn}</g></g>`;
}

function placeOf(index: number): string {
  return `transform="translate(${PADDING} ${TITLE_BAR + PADDING + index * LINE_HEIGHT + 4})"`;
}

/** The length keeps columns aligned in fonts of other widths. */
function drawSpans(spans: string, length: number): string {
  return `<text y="14" textLength="${widthOf(length)}" lengthAdjust="spacingAndGlyphs">${spans}</text>`;
}

function widthOf(characters: number): string {
  return (characters * CHAR_WIDTH).toFixed(1);
}

/**
 * Light or dark by the preference of the reader, and without animation if the reader prefers
 * reduced motion.
 */
const STYLE = [
  'text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:#1f2328}',
  '.window{fill:#f6f8fa;stroke:#d1d9e0}',
  '.bold{font-weight:600}.dim{fill:#59636e}.inverse{text-decoration:underline}',
  '.red{fill:#cf222e}.green{fill:#1a7f37}.yellow{fill:#9a6700}',
  '.blue{fill:#0969da}.magenta{fill:#8250df}.cyan{fill:#1b7c83}',
  '@media (prefers-color-scheme:dark){text{fill:#e6edf3}.window{fill:#0d1117;stroke:#3d444d}.dim{fill:#9198a1}',
  '.red{fill:#ff7b72}.green{fill:#3fb950}.yellow{fill:#d29922}.blue{fill:#58a6ff}.magenta{fill:#bc8cff}.cyan{fill:#39c5cf}}',
  '@media (prefers-reduced-motion:reduce){*{animation:none!important}}',
].join('');

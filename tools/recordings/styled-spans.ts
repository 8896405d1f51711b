import { escapeXml } from '@catalog/core/text/escape-xml';

const COLORS: Readonly<Record<number, string>> = {
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
  90: 'dim',
};

interface Style {
  bold: boolean;
  dim: boolean;
  inverse: boolean;
  color: string | undefined;
}

const PLAIN: Style = { bold: false, dim: false, inverse: false, color: undefined };

export function toSpans(text: string): string {
  const [spans = ''] = toSpansOfLines([text]);
  return spans;
}

/** A style can continue on the next line. */
export function toSpansOfLines(lines: readonly string[]): string[] {
  let style = PLAIN;
  return lines.map((line) => {
    const converted = convert(line, style);
    style = converted.style;
    return converted.spans;
  });
}

function convert(text: string, before: Style): { spans: string; style: Style } {
  let style = before;
  // oxlint-disable-next-line no-control-regex
  const spans = text.split(/\u001B\[([\d;]*)m/).reduce((done, part, index) => {
    if (index % 2 === 1) {
      style = part.split(';').map(Number).reduce(applyCode, style);
      return done;
    }
    if (part === '') return done;
    const classes = classesOf(style);
    const escaped = escapeXml(part);
    return `${done}${classes === '' ? escaped : `<tspan class="${classes}">${escaped}</tspan>`}`;
  }, '');
  return { spans, style };
}

/** Ignores unknown numbers. */
function applyCode(style: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 7) return { ...style, inverse: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 27) return { ...style, inverse: false };
  if (code === 39) return { ...style, color: undefined };
  return code in COLORS ? { ...style, color: COLORS[code] } : style;
}

function classesOf({ bold, dim, inverse, color }: Style): string {
  const classes = [
    ...(bold ? ['bold'] : []),
    ...(dim ? ['dim'] : []),
    ...(inverse ? ['inverse'] : []),
    ...(color === undefined ? [] : [color]),
  ];
  return [...new Set(classes)].join(' ');
}

export interface ProseOutline {
  /** Start offsets of blocks; the first is 0. A link never crosses blocks. */
  blocks: number[];
  /** Code blocks from the opening to after the closing fence. They contain no links. */
  code: { start: number; end: number }[];
}

interface Fence {
  start: number;
  sign: string;
  length: number;
  indent: number;
}

const BLANK = /^[ \t\r\n]*$/;
const AT_MARGIN = /^[^ \t\r\n]/;
/** Lines that end a paragraph without a blank line before them. */
const INTERRUPTS = /^(?:#{1,6}[ \t]|[-+*] +[^ \t\r\n])/;
const INDENTED_CODE = /^(?: {4}| {0,3}\t)/;
const NESTED_FENCE = /^[ \t]*(?:[-+*>]|\d{1,9}[.)])[-+*>\d.) \t]*(?:`{3}|~{3})/;
const FENCE = /^([ \t]*)(`{3,}|~{3,})(.*)$/s;
const OPEN_ENDED_HTML = /^[ \t]*<(?:[!?]|script|pre|style|textarea)/i;
const ONE_LINE_COMMENT = /^[ \t]*<!--.*-->\s*$/;

/**
 * Splits Markdown into blocks that can be parsed separately: before an unindented line after a blank line, or before a
 * heading or list item. Returns one block if fences or HTML are too complex.
 */
export function outlineProse(prose: string): ProseOutline {
  const outline: ProseOutline = { blocks: [0], code: [] };
  let fence: Fence | undefined;
  let afterBlank = true;
  let afterCode = false;
  let inHtml = false;
  for (let start = 0; start < prose.length;) {
    const end = endOfLine(prose, start);
    const line = prose.slice(start, end);
    const isBlank = BLANK.test(line);
    if (fence !== undefined) {
      const state = insideFence(fence, line, isBlank);
      if (state === 'unclear') return oneBlock();
      if (state === 'closed') {
        if (fence.indent === 0) outline.code.push({ start: fence.start, end });
        fence = undefined;
      }
      afterBlank = false;
    } else {
      if (isUnclear(line)) return oneBlock();
      const startsBlock = afterBlank ? AT_MARGIN.test(line) : !inHtml && INTERRUPTS.test(line);
      if (startsBlock && !afterCode && start > 0) outline.blocks.push(start);
      // The parser treats indented code as unfinished, which affects the following lines.
      if (!isBlank) afterCode = INDENTED_CODE.test(line);
      if (isBlank) inHtml = false;
      else if (/^[ \t]*</.test(line)) inHtml = true;
      fence = openingFence(line, start);
      // HTML extends to the next blank line and may include a fence.
      if (fence !== undefined && inHtml) return oneBlock();
      afterBlank = isBlank;
    }
    start = end;
  }
  if (fence !== undefined && fence.indent > 0) return oneBlock();
  if (fence !== undefined) outline.code.push({ start: fence.start, end: prose.length });
  return outline;
}

function oneBlock(): ProseOutline {
  return { blocks: [0], code: [] };
}

function isUnclear(line: string): boolean {
  if (NESTED_FENCE.test(line)) return true;
  return OPEN_ENDED_HTML.test(line) && !ONE_LINE_COMMENT.test(line);
}

function openingFence(line: string, start: number): Fence | undefined {
  const [, indent = '', signs = '', info = ''] = FENCE.exec(line) ?? [];
  if (signs === '' || (signs.startsWith('`') && info.includes('`'))) return undefined;
  return { start, sign: signs.charAt(0), length: signs.length, indent: indent.length };
}

/**
 * Returns the state after a line in a code block. Only the parser can tell whether an indented fence belongs to a list
 * item.
 */
function insideFence(fence: Fence, line: string, isBlank: boolean): 'open' | 'closed' | 'unclear' {
  const indent = line.search(/[^ \t]/);
  if (!isBlank && indent < fence.indent) return 'unclear';
  const [, , signs = '', info = ''] = FENCE.exec(line) ?? [];
  const closes = signs.startsWith(fence.sign) && signs.length >= fence.length && BLANK.test(info);
  if (!closes) return 'open';
  return indent === fence.indent ? 'closed' : 'unclear';
}

function endOfLine(prose: string, start: number): number {
  const lineFeed = prose.indexOf('\n', start);
  return lineFeed === -1 ? prose.length : lineFeed + 1;
}

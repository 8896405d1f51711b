/** Where a text of Markdown can be cut so that no part says anything about another. */
export interface ProseOutline {
  /** Offsets at which a block starts, the first 0, in order. A link never leaves its block. */
  blocks: number[];
  /** Fenced code, from the opening fence to after the closing one: nothing in it is a link. */
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
/** A heading or list item at the margin ends a paragraph even without a blank line. */
const INTERRUPTS = /^(?:#{1,6}[ \t]|[-+*] +[^ \t\r\n])/;
const INDENTED_CODE = /^(?: {4}| {0,3}\t)/;
/** A fence that stands behind the marker of a quote or list item. */
const NESTED_FENCE = /^[ \t]*(?:[-+*>]|\d{1,9}[.)])[-+*>\d.) \t]*(?:`{3}|~{3})/;
const FENCE = /^([ \t]*)(`{3,}|~{3,})(.*)$/s;
/** HTML that goes on over blank lines until something closes it. */
const OPEN_ENDED_HTML = /^[ \t]*<(?:[!?]|script|pre|style|textarea)/i;
const ONE_LINE_COMMENT = /^[ \t]*<!--.*-->\s*$/;

/**
 * The blocks of a text whose structure is plain to see: a line at the margin after a blank one, a
 * heading or a list item closes every list, quote and paragraph before it, so the text can be cut
 * there, unless the line is inside fenced code. Where the fences or the HTML are not that plain, the
 * whole text is one block.
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
      // The parser takes indented code for unfinished, and reads what follows it differently.
      if (!isBlank) afterCode = INDENTED_CODE.test(line);
      if (isBlank) inHtml = false;
      else if (/^[ \t]*</.test(line)) inHtml = true;
      fence = openingFence(line, start);
      // HTML takes in everything up to the next blank line, a fence too.
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
 * Whether a line leaves the fence open or closes it. An indented fence may belong to a list item,
 * which a line further out would end: that is for the parser to say.
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

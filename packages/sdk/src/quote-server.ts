import { escapeControls } from '@catalog/contract/text/escape-controls';

const MAX_QUOTED = 600;

/** Quotes text of a server on one line, shortened and without double quotes, so that it cannot end the quotation. */
export function quoteServer(text: string, max = MAX_QUOTED): string {
  const short = text.length > max ? `${text.slice(0, max)}… (${text.length - max} more)` : text;
  return `"${escapeControls(short).replaceAll(/["\u201C-\u201F\u2033\u2036\u301D-\u301F\uFF02]/g, "'")}"`;
}

/** Returns a sentence that quotes a registry. */
export function quoteRegistry(registry: string, text: string): string {
  return `The registry at ${registry} reports: ${quoteServer(text)}`;
}

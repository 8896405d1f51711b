import {
  createCssVariablesTheme,
  createHighlighterCore,
  type GrammarState,
  type HighlighterCore,
  type LanguageRegistration,
} from '@shikijs/core';
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';
import { monotonicMs } from '../clock.ts';
import type { Language } from '../parts/languages.ts';

/** Part of a line. Its class is `tok-<kind>`; an empty `kind` is plain text. */
export interface Token {
  text: string;
  kind: string;
}

const PREFIX = '--tok-';
const theme = createCssVariablesTheme({ name: 'tokens', variablePrefix: PREFIX });

const GRAMMARS: Readonly<Record<Language, () => Promise<{ default: LanguageRegistration[] }>>> = {
  bash: () => import('@shikijs/langs/bash'),
  css: () => import('@shikijs/langs/css'),
  diff: () => import('@shikijs/langs/diff'),
  go: () => import('@shikijs/langs/go'),
  html: () => import('@shikijs/langs/html'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  markdown: () => import('@shikijs/langs/markdown'),
  python: () => import('@shikijs/langs/python'),
  rust: () => import('@shikijs/langs/rust'),
  sql: () => import('@shikijs/langs/sql'),
  toml: () => import('@shikijs/langs/toml'),
  typescript: () => import('@shikijs/langs/typescript'),
  yaml: () => import('@shikijs/langs/yaml'),
};

let highlighter: Promise<HighlighterCore> | undefined;

/**
 * Highlights code and returns the tokens of each line, with classes because style attributes would need a wider Content
 * Security Policy. `clock` returns milliseconds.
 */
export async function highlight(
  text: string,
  language: Language,
  clock = monotonicMs,
): Promise<Token[][]> {
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const core = await highlighter;
  if (!core.getLoadedLanguages().includes(language)) {
    await core.loadLanguage((await GRAMMARS[language]()).default);
  }
  return tokenize(core, text, language, clock);
}

/** Maximum length of a highlighted line, because some grammars need quadratic time. */
const MAX_LINE_LENGTH = 1000;
/** Maximum time of highlighting; later lines stay plain. */
const MAX_MS = 3000;
/** Time after which the page can react to input. */
const SLICE_MS = 16;

async function tokenize(
  core: HighlighterCore,
  text: string,
  lang: Language,
  clock: () => number,
): Promise<Token[][]> {
  const end = clock() + MAX_MS;
  let sliceEnd = clock() + SLICE_MS;
  let grammarState: GrammarState | undefined;
  const lines: Token[][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.length > MAX_LINE_LENGTH || clock() > end) {
      lines.push([{ text: line, kind: '' }]);
      continue;
    }
    const state = grammarState === undefined ? {} : { grammarState };
    const result = core.codeToTokens(line, { lang, theme: 'tokens', ...state });
    grammarState = result.grammarState;
    lines.push(toTokens(result.tokens[0] ?? []));
    if (clock() > sliceEnd) {
      await nextTask();
      sliceEnd = clock() + SLICE_MS;
    }
  }
  return lines;
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function toTokens(tokens: readonly { content: string; color?: string }[]): Token[] {
  return tokens.map(({ content, color }) => ({ text: content, kind: kindOf(color) }));
}

function kindOf(color: string | undefined): string {
  return /^var\(--tok-token-([a-z-]+)\)$/.exec(color ?? '')?.[1] ?? '';
}

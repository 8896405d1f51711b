import {
  createCssVariablesTheme,
  createHighlighterCore,
  type HighlighterCore,
  type LanguageRegistration,
} from '@shikijs/core';
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';
import type { Language } from '../parts/languages.ts';

/** A piece of a line; `kind` names its class, `tok-<kind>`, and is empty for plain text. */
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

/** Splits source code into lines of tokens. Uses classes: style attributes need a wider policy. */
export async function highlight(text: string, language: Language): Promise<Token[][]> {
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const core = await highlighter;
  if (!core.getLoadedLanguages().includes(language)) {
    await core.loadLanguage((await GRAMMARS[language]()).default);
  }
  const { tokens } = core.codeToTokens(text, { lang: language, theme: 'tokens' });
  return tokens.map((line) =>
    line.map(({ content, color }) => ({ text: content, kind: kindOf(color) })),
  );
}

/** `keyword` for `var(--tok-token-keyword)`. */
function kindOf(color: string | undefined): string {
  return /^var\(--tok-token-([a-z-]+)\)$/.exec(color ?? '')?.[1] ?? '';
}

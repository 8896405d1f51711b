/** Languages with highlighting, each of which loads separately. */
export const LANGUAGES = [
  'bash',
  'css',
  'diff',
  'go',
  'html',
  'javascript',
  'json',
  'markdown',
  'python',
  'rust',
  'sql',
  'toml',
  'typescript',
  'yaml',
] as const;
export type Language = (typeof LANGUAGES)[number];

const OTHER_NAMES: Readonly<Record<string, Language>> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  rs: 'rust',
  md: 'markdown',
  mdc: 'markdown',
  yml: 'yaml',
  jsonc: 'json',
  htm: 'html',
  patch: 'diff',
};

/** Returns the language of a code fence or a file extension; undefined without a grammar. */
export function languageOf(name: string | undefined): Language | undefined {
  if (name === undefined) return undefined;
  const lower = name.toLowerCase();
  return LANGUAGES.find((language) => language === lower) ?? OTHER_NAMES[lower];
}

export function languageOfFile(path: string): Language | undefined {
  const ending = /\.([^./]+)$/.exec(path)?.[1];
  return languageOf(ending);
}

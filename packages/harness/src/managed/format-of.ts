export type ManagedFormat = 'json' | 'toml' | 'yaml' | 'markdown';

const FORMATS: Readonly<Record<string, ManagedFormat>> = {
  json: 'json',
  jsonc: 'json',
  toml: 'toml',
  yaml: 'yaml',
  yml: 'yaml',
};

/** Files without a data format contain text blocks. */
export function formatOf(path: string): ManagedFormat {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return FORMATS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'markdown';
}

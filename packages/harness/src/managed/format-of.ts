export type ManagedFormat = 'json' | 'toml' | 'yaml' | 'markdown';

const FORMATS: Readonly<Record<string, ManagedFormat>> = {
  json: 'json',
  jsonc: 'json',
  toml: 'toml',
  yaml: 'yaml',
  yml: 'yaml',
};

/** Returns the format of a file; text blocks for files without a data format. */
export function formatOf(path: string): ManagedFormat {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return FORMATS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'markdown';
}

/** How a file that is also the person's is laid out, and so how entries are put into it. */
export type ManagedFormat = 'json' | 'toml' | 'yaml' | 'markdown';

const FORMATS: Readonly<Record<string, ManagedFormat>> = {
  json: 'json',
  jsonc: 'json',
  toml: 'toml',
  yaml: 'yaml',
  yml: 'yaml',
};

/** The format of a shared file by its name; whatever has no data format takes blocks of text. */
export function formatOf(path: string): ManagedFormat {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return FORMATS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'markdown';
}

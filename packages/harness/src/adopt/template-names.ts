interface TemplateParts {
  folder: string;
  before: string;
  after: string;
}

const NAME = '{name}';

function partsOf(template: string): TemplateParts {
  const at = template.indexOf(NAME);
  const slash = template.lastIndexOf('/', at);
  return {
    folder: template.slice(0, Math.max(slash, 0)),
    before: template.slice(slash + 1, at),
    after: template.slice(at + NAME.length),
  };
}

export function folderOf(template: string): string {
  return partsOf(template).folder;
}

export function childPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function endingOf(template: string): string {
  return partsOf(template).after;
}

export function nameIn(
  template: string,
  path: string,
): { folder: string; name: string } | undefined {
  const { folder, before, after } = partsOf(template);
  const start = childPath(folder, '');
  if (!path.startsWith(start) || !path.endsWith(after)) return undefined;
  const inner = path.slice(start.length, path.length - after.length);
  const slash = inner.lastIndexOf('/') + 1;
  const name = inner.slice(slash);
  if (!name.startsWith(before) || name.length === before.length) return undefined;
  return { folder: inner.slice(0, slash), name: name.slice(before.length) };
}

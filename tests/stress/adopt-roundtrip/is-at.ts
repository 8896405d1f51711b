import { nameIn } from '@catalog/harness/adopt/template-names';

/** True if a path matches the template of a source, which can contain a name. */
export function isAt(template: string, path: string): boolean {
  return template === path || (template.includes('{name}') && nameIn(template, path) !== undefined);
}

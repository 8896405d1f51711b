import { nameIn } from '@catalog/harness/adopt/template-names';

/** Whether a path is the one that a source names, which may hold a name. */
export function isAt(template: string, path: string): boolean {
  return template === path || (template.includes('{name}') && nameIn(template, path) !== undefined);
}

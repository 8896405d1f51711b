import { isJsonObject, type Json } from '@catalog/core/json';
import type { FieldReading } from '@catalog/core/manifest/field-checks';

export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$(?<escape>\$)?\{(?<name>[A-Za-z_][A-Za-z0-9_]*)\}/g;

export function isInterpolated(text: string): boolean {
  return text.search(REFERENCE) !== -1;
}

/**
 * Replaces `${NAME}` in strings by environment variables; `$${NAME}` becomes `${NAME}`. YAML is parsed first, so a
 * variable cannot add keys. An unset variable is a problem.
 */
export function interpolate(value: Json, env: Environment, at: FieldReading): Json {
  if (typeof value === 'string') return replaceReferences(value, env, at);
  if (Array.isArray(value)) {
    return value.map((item, index) => descend(index, item, env, at));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, descend(name, item, env, at)]),
  );
}

function descend(step: string | number, value: Json, env: Environment, at: FieldReading): Json {
  at.path.push(step);
  const replaced = interpolate(value, env, at);
  at.path.pop();
  return replaced;
}

function replaceReferences(text: string, env: Environment, at: FieldReading): string {
  return text.replace(REFERENCE, (whole, escape: string | undefined, name: string) => {
    if (escape !== undefined) return whole.slice(1);
    const found = env[name];
    if (found !== undefined) return found;
    at.problems.push({
      path: [...at.path],
      code: 'config.invalid',
      message: `The environment variable \`${name}\` is not set.`,
      fix: `Set ${name}, or write \`$\${${name}}\` for the literal text.`,
    });
    return '';
  });
}

import type { Launch } from '@catalog/consumer/trust/approve-launch';
import type { Problem } from './examination.ts';

/** Reference to an environment variable: `${NAME}` and `${env:NAME}`, with or without a default, and `{env:NAME}`. */
const REFERENCE =
  /\$\{(?:env:)?(?<plain>[A-Za-z_]\w*)(?::-(?<otherwise>[^}]*))?\}|\{env:(?<braced>[A-Za-z_]\w*)\}/g;

export function expandLaunch(
  { command, args, env }: Launch,
  variables: Readonly<Record<string, string | undefined>>,
): { launch: Launch; problems: Problem[] } {
  const unset = new Set<string>();
  function expand(text: string): string {
    return text.replaceAll(REFERENCE, (...match) => {
      const groups: Record<string, string | undefined> = match.at(-1);
      const name = groups['plain'] ?? groups['braced'] ?? '';
      const value = variables[name] ?? groups['otherwise'];
      if (value === undefined) unset.add(name);
      return value ?? '';
    });
  }
  const launch = {
    command: expand(command),
    args: args.map(expand),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, expand(value)])),
  };
  return { launch, problems: [...unset].map(toProblem) };
}

function toProblem(name: string): Problem {
  return {
    what: `The catalog-mcp entry uses ${name}, which is not set here.`,
    next: `Set ${name} in the environment of the harness, or put the value into the entry.`,
  };
}

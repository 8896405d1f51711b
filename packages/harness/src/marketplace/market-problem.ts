import type { MarketplaceFormat } from './format.ts';

/** Names that every product accepts. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 64;

export function marketProblem(
  name: string,
  plugins: readonly string[],
  formats: readonly MarketplaceFormat[],
): { problem: string; advice: string } | undefined {
  const alone = formats.find((format) => format.plugins !== 'many');
  if (alone !== undefined && formats.length > 1) {
    const others = formats.filter((format) => format !== alone).map(({ id }) => id);
    return {
      problem: `${alone.id} needs its own repository and cannot share one with ${others.join(', ')}`,
      advice: `Give ${alone.id} its own target, with its own folder.`,
    };
  }
  if (alone?.plugins === 'one' && plugins.length > 1) {
    return {
      problem: `${alone.id} has one plugin per repository, and there are ${plugins.length}`,
      advice: 'Keep one plugin here, and make a target for each of the others.',
    };
  }
  return (
    listProblem(formats) ??
    nameProblem(name, 'The id of a marketplace', formats) ??
    pluginsProblem(plugins)
  );
}

function listProblem(formats: readonly MarketplaceFormat[]): ReturnType<typeof marketProblem> {
  const seen = new Map<string, string>();
  const empty = { name: '', description: undefined, version: '', plugins: [] };
  for (const { id, documents } of formats) {
    for (const { path } of documents(empty)) {
      const other = seen.get(path);
      if (other !== undefined) {
        return {
          problem: `${other} and ${id} both keep their list in ${path}`,
          advice: `Name one of the two, or give ${id} its own target.`,
        };
      }
      seen.set(path, id);
    }
  }
  return undefined;
}

function pluginsProblem(plugins: readonly string[]): ReturnType<typeof marketProblem> {
  const repeated = plugins.find((plugin, position) => plugins.indexOf(plugin) !== position);
  if (repeated !== undefined) {
    return {
      problem: `two plugins are named ${repeated}`,
      advice: 'Give each plugin its own name, or merge them.',
    };
  }
  return plugins.map((plugin) => nameProblem(plugin, 'The name of a plugin', [])).find(Boolean);
}

function nameProblem(
  name: string,
  what: string,
  formats: readonly MarketplaceFormat[],
): ReturnType<typeof marketProblem> {
  if (!NAME.test(name) || name.length > MAX_NAME_LENGTH) {
    return {
      problem: `${JSON.stringify(name)} is not a name that the products take`,
      advice: `${what} is at most ${MAX_NAME_LENGTH} small letters and digits, with single hyphens between.`,
    };
  }
  const reserving = formats.find(({ reserved_names = [] }) => reserved_names.includes(name));
  if (reserving === undefined) return undefined;
  return {
    problem: `${name} is a name that the makers of ${reserving.id} keep for themselves`,
    advice: 'Name the marketplace after your organization.',
  };
}

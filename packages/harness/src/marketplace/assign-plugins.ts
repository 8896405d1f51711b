import { compileScope, type Scope } from '@catalog/core/scope/scope-filter';

export interface PluginRule extends Scope {
  name: string;
  description: string | undefined;
}

/** Assignment of artifacts to plugins. Each belongs to the first plugin that selects it. */
export interface Assignment<Entry> {
  plugins: { rule: PluginRule; entries: Entry[] }[];
  /** Artifacts without a plugin, which are not published. */
  unmatched: Entry[];
}

export function assignPlugins<Entry extends { id: string; type: string }>(
  entries: readonly Entry[],
  rules: readonly PluginRule[],
): Assignment<Entry> {
  const plugins = rules.map((rule) => ({
    rule,
    takes: compileScope(rule),
    entries: [] as Entry[],
  }));
  const unmatched: Entry[] = [];
  for (const entry of entries) {
    const plugin = plugins.find(({ takes }) => takes(entry));
    (plugin?.entries ?? unmatched).push(entry);
  }
  return { plugins: plugins.map(({ rule, entries: own }) => ({ rule, entries: own })), unmatched };
}

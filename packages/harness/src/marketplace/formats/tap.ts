import type { MarketplaceFormat } from '../format.ts';

interface TapFormat {
  id: string;
  groups?: { path: string; schema: string };
}

/** Format with skills only, under `skills/` (MKT-10). */
export function tapFormat({ id, groups }: TapFormat): MarketplaceFormat {
  return {
    id,
    landing: undefined,
    revision: 1,
    plugins: 'together',
    components: { skill: { folder: 'skills', keys: 'as-authored' } },
    documents: ({ plugins }) => {
      if (groups === undefined) return [];
      const groupings = plugins
        .filter(({ skills }) => skills.length > 0)
        .map(({ name, skills }) => ({ title: name, skills: [...skills] }));
      const content = { $schema: groups.schema, groupings };
      return [{ path: groups.path, plugin: undefined, content }];
    },
  };
}

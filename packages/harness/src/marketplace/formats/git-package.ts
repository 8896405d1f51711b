import type { MarketplaceFormat } from '../format.ts';

interface GitPackageFormat {
  id: string;
  landing: string;
  root: string;
  key: string;
}

/** Format in which `package.json` lists the folders of skills and prompts. */
export function gitPackageFormat({ id, landing, root, key }: GitPackageFormat): MarketplaceFormat {
  return {
    id,
    landing,
    revision: 1,
    plugins: 'together',
    components: {
      skill: { folder: 'skills', keys: 'as-authored' },
      command: { from: `${root}/prompts`, to: 'prompts' },
    },
    documents: ({ name, version, plugins }) => {
      const paths = plugins.flatMap((plugin) => [...plugin.paths]);
      const hasPrompts = paths.some((path) => path.startsWith('prompts/'));
      const brings = { skills: ['./skills'], ...(hasPrompts ? { prompts: ['./prompts'] } : {}) };
      const content = { name, version, keywords: [`${key}-package`], [key]: brings };
      return [{ path: 'package.json', plugin: undefined, content }];
    },
  };
}

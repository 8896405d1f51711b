import { resolve } from 'node:path';
import { expandHome } from '@catalog/core/text/expand-home';
import { isAddress } from './is-address.ts';
import { isGitAddress } from './refuse-git-address.ts';
import type { Config, ConfigFile } from './types.ts';

export function resolveContentRules(
  files: readonly ConfigFile[],
  home: string,
): Config['content_rules'] {
  return files.flatMap(({ content, origin, base }) => {
    const rules = (content.executable_content ?? []).map(({ registry, ...rule }) =>
      registry === undefined ? rule : { ...rule, registry: toRegistry(registry, base, home) },
    );
    return rules.length === 0 ? [] : [{ rules, origin }];
  });
}

function toRegistry(registry: string, base: string, home: string): string {
  return isAddress(registry) || isGitAddress(registry)
    ? registry
    : resolve(base, expandHome(registry, home));
}

import type { Config, MarketplaceTarget } from '../config/types.ts';

export type Variables = Readonly<Record<string, string>>;

export function workflowVariables(
  { id, directory, git, identity, harnesses }: MarketplaceTarget,
  { registry }: Pick<Config, 'registry'>,
): Variables {
  return {
    CATALOG_WORKDIR: directory,
    CATALOG_OUTPUT_ID: id,
    CATALOG_GIT_REMOTE: git?.remote ?? '',
    CATALOG_GIT_BRANCH: git?.branch ?? '',
    CATALOG_REGISTRY: registry?.value ?? '',
    CATALOG_IDENTITY: identity ?? '',
    CATALOG_HARNESSES: harnesses.join(','),
  };
}

const REFERENCE = /\$(?:\{(CATALOG_[A-Z_]+)\}|(CATALOG_[A-Z_]+))/g;

export function fillVariables(word: string, variables: Variables): string {
  return word.replaceAll(REFERENCE, (reference, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? '';
    return Object.hasOwn(variables, name) ? (variables[name] ?? '') : reference;
  });
}

import type { Refused } from '../adapter.ts';

export function unsupportedFeature(product: string, what: string, instead?: string): Refused {
  const way = instead === undefined ? '' : `${instead}, or `;
  return { refused: `${product} has no ${what}; ${way}leave it out with target_harnesses` };
}

export function onlyUserScope(product: string, what: string): Refused {
  return {
    refused: `${product} reads ${what} from the home folder only; use --scope user, or leave it out with target_harnesses`,
  };
}

/** Rejects a feature without a known place in the home folder. */
export function onlyInWorkspace(product: string, what: string): Refused {
  return unsupportedFeature(
    product,
    `place for ${what} in the home folder`,
    'sync it to a workspace',
  );
}

export function notWritten(product: string, what: string, instead: string): Refused {
  return {
    refused: `catalog does not write ${what} for ${product}; ${instead}, or leave it out with target_harnesses`,
  };
}

export const AS_SKILL = 'author it as a skill';

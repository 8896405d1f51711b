import type { Refused } from '../adapter.ts';

/** A product without anything of the kind: what it lacks, and what serves instead where anything does. */
export function noLanding(product: string, what: string, instead?: string): Refused {
  const way = instead === undefined ? '' : `${instead}, or `;
  return { refused: `${product} has no ${what}; ${way}leave it out with target_harnesses` };
}

/** A product that reads something from the home folder alone. */
export function onlyUserScope(product: string, what: string): Refused {
  return {
    refused: `${product} reads ${what} from the home folder only; use --scope user, or leave it out with target_harnesses`,
  };
}

/** A product that has no known place for something in the home folder. */
export function onlyInWorkspace(product: string, what: string): Refused {
  return noLanding(product, `place for ${what} in the home folder`, 'sync it to a workspace');
}

/** A product that has something of the kind in a form catalog does not write. */
export function notWritten(product: string, what: string, instead: string): Refused {
  return {
    refused: `catalog does not write ${what} for ${product}; ${instead}, or leave it out with target_harnesses`,
  };
}

/** What serves where a product has no agents or commands. */
export const AS_SKILL = 'author it as a skill';

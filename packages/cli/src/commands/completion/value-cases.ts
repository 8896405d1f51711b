import type { Offer, OfferedFlag } from './list-places.ts';

/** Renders `case` branches for bash and zsh, which differ only in the reply. */
export function renderValueCases(
  flags: readonly OfferedFlag[],
  reply: (offer: Offer | undefined) => string,
): string {
  const branches = flags.map(({ spellings, value, offer }) => {
    const joined = spellings.map((spelling) => `${spelling}=`);
    const patterns = value === 'joined' ? joined : [...spellings, ...joined];
    return `    ${patterns.join('|')}) ${reply(offer)}; return ;;`;
  });
  return branches.join('\n');
}

import type { Offer, OfferedFlag } from './list-places.ts';

/** The branches of a shell's `case` for flags that take a value, alike in bash and zsh but for the reply. */
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

import type { AdoptReaders } from '../../adopt/adopt-source.ts';

/** What Hermes has in forms of its own. */
export const hermesReaders: AdoptReaders = {
  hook: {
    matchers: 'whole',
    narrowed: { post_approval_response: 'it no longer runs where permission was given' },
  },
  prose: ['.hermes.md', 'HERMES.md'],
};

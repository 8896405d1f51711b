import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS, SELECTION_FLAGS } from '../config-flags.ts';

export const searchDefinition = {
  name: 'search',
  section: 'Look',
  summary: 'Find artifacts by words and meaning.',
  description: [
    'Searches names, descriptions, tags and ids of the registry, a server or a folder, by their words and by what they mean. Without words it lists what there is, by id.',
    'To look for the word "eval" itself, write it after `--`: `catalog search -- eval`.',
  ],
  arguments: [
    {
      name: 'words',
      summary: 'What to look for.',
      required: false,
      repeated: true,
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    type: { ...SELECTION_FLAGS.type, summary: 'Only artifacts of this type.' },
    tag: { type: 'list', placeholder: 'tag', summary: 'Only with this tag; may be repeated.' },
    scope: {
      type: 'text',
      placeholder: 'path',
      summary: 'Only below this domain, such as ops/deploy.',
    },
    'top-k': { type: 'text', placeholder: 'n', summary: 'At most so many.', default: '10' },
    explain: {
      type: 'switch',
      summary: 'Say of each result which words and what similarity put it there.',
    },
  },
  examples: [
    { command: 'catalog search release checklist', summary: 'by words' },
    { command: 'catalog search --type skill --tag deploy', summary: 'all of a kind' },
    { command: 'catalog search deploy --scope ops --top-k 50', summary: 'in one domain' },
    { command: 'catalog search undo a bad release --explain', summary: 'and why' },
  ],
  known_as: { find: 'search', grep: 'search' },
} as const satisfies CommandDefinition;

export const searchEvalDefinition = {
  name: 'search eval',
  section: 'Look',
  summary: 'Measure how well the registry answers questions of yours.',
  description: [
    'Runs the questions of a file through the registry and prints how good the answers are, in all and by kind, and the worst of them with what stood above. nDCG@10 counts everything that was wanted, the later the less; MRR@10 is one over the place of the first that was wanted; recall@10 is the share that was found.',
    'The file is YAML or JSON: a list of entries with `query`, `relevant` (the ids that answer it) and, where you like, `kind`, by which figures are grouped.',
  ],
  arguments: [
    {
      name: 'file',
      summary: 'The questions, with what answers them.',
      required: true,
      completion: 'file',
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    'min-ndcg': {
      type: 'text',
      placeholder: 'share',
      summary: 'Exit 1 where nDCG@10 is below this, such as 0.8.',
    },
  },
  examples: [
    { command: 'catalog search eval questions.yaml', summary: 'how good the search is' },
    { command: 'catalog search eval questions.yaml --min-ndcg 0.8', summary: 'as a check in CI' },
  ],
  exit_one: 'nDCG@10 is below --min-ndcg, or the run failed',
} as const satisfies CommandDefinition;

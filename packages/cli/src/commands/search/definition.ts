import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS, SELECTION_FLAGS } from '../config-flags.ts';

export const searchDefinition = {
  name: 'search',
  section: 'Inspect',
  summary: 'Search for artifacts.',
  description: [
    'Searches names, descriptions, tags and ids by words and meaning. Without words, lists all artifacts by id.',
    'To search for the word "eval", use `catalog search -- eval`.',
  ],
  arguments: [
    {
      name: 'words',
      summary: 'Search words.',
      required: false,
      repeated: true,
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    type: { ...SELECTION_FLAGS.type, summary: 'Show only artifacts of this type.' },
    tag: {
      type: 'list',
      placeholder: 'tag',
      summary: 'Show only artifacts with this tag; may be repeated.',
    },
    scope: {
      type: 'text',
      placeholder: 'path',
      summary: 'Search only in this domain, such as ops/deploy.',
    },
    'top-k': {
      type: 'text',
      placeholder: 'n',
      summary: 'Maximum number of results.',
      default: '10',
    },
    explain: {
      type: 'switch',
      summary: 'Show the matching words and similarity of each result.',
    },
  },
  examples: [
    { command: 'catalog search release checklist', summary: 'search by words' },
    {
      command: 'catalog search --type skill --tag deploy',
      summary: 'list all artifacts with a type and tag',
    },
    { command: 'catalog search deploy --scope ops --top-k 50', summary: 'search one domain' },
    { command: 'catalog search undo a bad release --explain', summary: 'explain the ranking' },
  ],
  known_as: { find: 'search', grep: 'search' },
} as const satisfies CommandDefinition;

export const searchEvalDefinition = {
  name: 'search eval',
  section: 'Inspect',
  summary: 'Measure search quality against a set of queries.',
  description: [
    'Runs the queries in a file and prints nDCG@10, MRR@10 and recall@10, overall and by kind, followed by the worst queries and what ranked above the expected results.',
    'The file is YAML or JSON: a list of entries with `query`, `relevant` (the expected ids) and, optionally, `kind` for grouping.',
  ],
  arguments: [
    {
      name: 'file',
      summary: 'File of queries and expected ids.',
      required: true,
      completion: 'file',
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    'min-ndcg': {
      type: 'text',
      placeholder: 'share',
      summary: 'Exit with 1 if nDCG@10 is below this value, such as 0.8.',
    },
  },
  examples: [
    { command: 'catalog search eval questions.yaml', summary: 'measure search quality' },
    {
      command: 'catalog search eval questions.yaml --min-ndcg 0.8',
      summary: 'fail in CI below a threshold',
    },
  ],
  exit_one: 'nDCG@10 is below --min-ndcg, or the command failed',
} as const satisfies CommandDefinition;

import type { Artifact } from '@catalog/core/artifact/types';
import type { ArtifactWarning } from '../adapter.ts';
import { authoredText, authoredValue } from './project-frontmatter.ts';

/** What an author may write beside the canonical keys to narrow an agent or a command. */
export type NarrowingKey =
  | 'tools'
  | 'disallowedTools'
  | 'permissionMode'
  | 'readonly'
  | 'allowed-tools'
  | 'model';

/**
 * What a landing makes of one such key: it is taken as authored, or a function says what happens
 * instead, as a sentence without a full stop, and nothing where it is taken.
 */
export type KeySupport = 'native' | ((artifact: Artifact) => string | undefined);

/** What a landing makes of all of them; of those it does not name, nothing. */
export type TakenKeys = Readonly<Partial<Record<NarrowingKey, KeySupport>>>;

const KEYS: Readonly<Record<'agent' | 'command', readonly NarrowingKey[]>> = {
  agent: ['tools', 'disallowedTools', 'permissionMode', 'readonly', 'model'],
  command: ['allowed-tools', 'model'],
};

/**
 * The keys that narrow an artifact and that its landing does not write: whatever they keep it from
 * it would be free to do.
 */
export function narrowingWarnings(
  type: 'agent' | 'command',
  { render, takes = {} }: { render?: unknown; takes?: TakenKeys },
  artifact: Artifact,
): ArtifactWarning[] {
  // Without a form of its own the product is given every key as authored.
  if (render === undefined) return [];
  return KEYS[type].flatMap((key): ArtifactWarning[] => {
    if (!isNarrowed(artifact, key)) return [];
    const support = takes[key] ?? (() => lostKey(artifact, key));
    const reason = support === 'native' ? undefined : support(artifact);
    return reason === undefined ? [] : [{ capability: `type:${type}`, reason }];
  });
}

/** Values that narrow nothing, because they say what holds without them. */
const PLAIN: Readonly<Partial<Record<NarrowingKey, string>>> = {
  permissionMode: 'default',
  model: 'inherit',
};

function isNarrowed(artifact: Artifact, key: NarrowingKey): boolean {
  const value = authoredValue(artifact, key);
  if (value === undefined || value === null) return false;
  return key === 'readonly' ? value === true : value !== PLAIN[key];
}

const LOST: Readonly<Record<Exclude<NarrowingKey, 'model'>, string>> = {
  tools: '`tools` has no equivalent, so the agent may use every tool of the session',
  disallowedTools:
    '`disallowedTools` has no equivalent, so the agent may use every tool of the session',
  permissionMode:
    '`permissionMode` is not written, so the agent has the permissions of the session',
  readonly: '`readonly` has no equivalent, so the agent may change files',
  'allowed-tools':
    '`allowed-tools` is not written, so the command has the tools and approvals of the session',
};

/** What the loss of a key comes to. */
function lostKey(artifact: Artifact, key: NarrowingKey): string {
  return key === 'model'
    ? `the model ${authoredText(artifact, 'model') ?? 'it names'} is not written, so that of the session is used`
    : LOST[key];
}

/** For a product that has some models: the others are lost. */
export function modelsOf(model: (artifact: Artifact) => string | undefined): KeySupport {
  return (artifact) => (model(artifact) === undefined ? lostKey(artifact, 'model') : undefined);
}

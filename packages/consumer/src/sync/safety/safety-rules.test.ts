import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openLocalState } from '../../lock/local-state.ts';
import { emptyLock, type LockedTarget } from '../../lock/types.ts';
import type { DirectoryPlan, TargetPlan } from '../plan-directory.ts';
import type { SharedPlan } from '../shared-files.ts';
import type { SyncOptions } from '../sync-options.ts';
import type { PlanFacts } from './rule.ts';
import {
  confirmPrompts,
  checkMarketplace,
  checkPlan,
  checkSync,
  checkUndo,
} from './safety-rules.ts';

const OWNER = { target: 'default', id: 'ops/check' };
const CLAUDE: LockedTarget = { id: 'default', registry: '/srv/r', harness: 'claude-code' };
const CURSOR: LockedTarget = { id: 'other', registry: '/srv/r', harness: 'cursor' };

function createPlan(): DirectoryPlan {
  const directory = temporaryFolder();
  return {
    directory,
    state: openLocalState(directory, temporaryFolder()),
    desired: { files: new Map(), entries: new Map() },
    files: {
      writes: [],
      deletes: [],
      gone: [],
      released: [],
      seen: new Map(),
      pre_existing: [],
      claimed: [],
      unchanged: 0,
      clashes: [],
    },
    shared: [],
    lock: emptyLock(),
    unrecorded: { files: [], entries: [], shared: [] },
    previous: emptyLock(),
    lock_hash: undefined,
    recovered: false,
    has_ignored: false,
    interrupted: undefined,
  };
}

function createFacts(): PlanFacts {
  return {
    plan: createPlan(),
    planned: [],
    registry: '/srv/r',
    unexpected: [],
    removal: { managed: 0, unasked: [], dropped: [], added: 0 },
    caller: undefined,
    config: {
      scope: 'workspace',
      harness: { value: 'claude-code', origin: { kind: 'built-in', name: 'default' } },
      targets: [],
    },
    options: { mode: 'sync' },
  };
}

function sharedPlan(given: Partial<SharedPlan>): SharedPlan {
  return {
    path: '.mcp.json',
    text: '{}',
    before: 'hash',
    mode: 0o644,
    changed: true,
    edited: false,
    owned: undefined,
    entries: [],
    pre_existing: [],
    claimed: [],
    put_back: [],
    ...given,
  };
}

function targetPlan(given: Partial<TargetPlan['plan']> = {}): TargetPlan {
  return {
    locked: CLAUDE,
    artifacts: [],
    plan: { files: [], entries: [], unsupported: [], fallbacks: [], left_out: [], ...given },
    skipped: [],
    frozen: new Set(),
  };
}

function place(path: string): { name: string; path: string; moves: boolean } {
  return { name: path, path, moves: false };
}

type Break = (facts: PlanFacts) => void;

function withOptions(facts: PlanFacts, options: Partial<SyncOptions>): void {
  facts.options = { ...facts.options, ...options };
}

const degraded: Break = (facts) => {
  const capability = 'type:agent' as const;
  const fallback = { artifact_id: OWNER.id, capability, reason: 'No agents.' };
  facts.planned = [targetPlan({ fallbacks: [fallback] })];
  withOptions(facts, { strict: true });
};
const rewritten: Break = (facts) => {
  const locked = { layer: 'base', locked: '1.0.0', locked_hash: 'a' };
  const available = { available: '1.0.0', available_hash: 'b' };
  facts.unexpected = [{ kind: 'rewritten', id: OWNER.id, ...locked, ...available }];
};
const mismatch: Break = (facts) => {
  const row = { ...OWNER, version: '1.0.0', layer: 'base', content_hash: 'a' };
  facts.plan.previous.artifacts.push(row);
  facts.planned = [targetPlan({ fallbacks: facts.planned[0]?.plan.fallbacks ?? [] })];
  withOptions(facts, { locked: true });
};
const clash: Break = ({ plan }) => {
  plan.files.clashes.push({ path: 'a.md', what: 'a folder', owners: [OWNER] });
};
const readOnly: Break = ({ plan }) => {
  plan.shared.push(sharedPlan({ path: 'read-only.json', mode: 0o444 }));
};
const forbidden: Break = ({ plan }) => {
  plan.files.deletes.push('.git/hooks/pre-commit');
};
const recovered: Break = (facts) => {
  facts.plan.files.claimed.push({ path: 'lost.md', claim: 'recover' });
  withOptions(facts, { recover: true });
};
const identity: Break = (facts) => {
  facts.removal.unasked.push(place('secret.md'));
  facts.caller = { viewer: 'open', last_viewer: 'ada' };
};
const massRemoval: Break = (facts) => {
  facts.removal.managed = 3;
  facts.removal.unasked.push(place('1.md'), place('2.md'), place('3.md'));
};
const otherHarness: Break = (facts) => {
  const { plan, config, removal } = facts;
  config.harness = { value: 'claude-code', origin: { kind: 'flag', name: '--harness' } };
  plan.previous.targets.push(CURSOR);
  plan.previous.files.push({ path: 'b.md', hash: 'h', target: CURSOR.id, id: OWNER.id });
  plan.files.deletes.push('b.md');
  removal.dropped.push(place('b.md'));
};
const home: Break = (facts) => {
  facts.plan.shared.push(sharedPlan({ path: 'settings.json' }));
  facts.config.scope = 'user';
};

const RULES: [string, Break, RegExp][] = [
  ['--strict', degraded, /--strict does not allow/],
  ['an unexpected change', rewritten, /changed content under a locked version/],
  ['--locked', mismatch, /does not match the lock/],
  ['a file in the way', clash, /are in the way/],
  ['a read-only file', readOnly, /read-only\.json is read-only/],
  ['a forbidden path', forbidden, /Cannot change \.git/],
  ['a recovery', recovered, /record 1 file/],
  ['another caller', identity, /You are not signed in/],
  ['a mass removal', massRemoval, /no longer serves most/],
  ['another harness', otherHarness, /leaves out cursor/],
  ['the first write into the home folder', home, /Nothing was written: this would write/],
];

function refusalOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof CatalogError) return error.message;
    throw error;
  }
}

test('checkSync accepts a valid plan without a prompt', () => {
  expect(checkSync(createFacts()).questions).toEqual([]);
});

test.each(RULES)('checkSync rejects a plan with %s', (_, breakRule, message) => {
  const facts = createFacts();
  breakRule(facts);
  expect(refusalOf(() => checkSync(facts))).toMatch(message);
});

test('checkSync reports the first violated rule of the list', () => {
  for (const [position, [, , message]] of RULES.entries()) {
    const facts = createFacts();
    for (const [, breakRule] of RULES.slice(position).toReversed()) breakRule(facts);
    expect(refusalOf(() => checkSync(facts))).toMatch(message);
  }
});

describe('prompts of checkSync', () => {
  function createPromptOptions(shown_prompts: string[], answer: boolean): Partial<SyncOptions> {
    const confirm = (what: string) => () => {
      shown_prompts.push(what);
      return Promise.resolve(answer);
    };
    return {
      confirmRecovery: confirm('recovery'),
      confirmRemoval: confirm('removal'),
      confirmConsent: confirm('home'),
    };
  }
  function openQuestions(shown_prompts: string[], answer: boolean): PlanFacts {
    const facts = createFacts();
    recovered(facts);
    otherHarness(facts);
    facts.config.scope = 'user';
    facts.plan.previous.targets = [];
    withOptions(facts, createPromptOptions(shown_prompts, answer));
    return facts;
  }

  test('are shown after all rules passed, in the order of the rules', async () => {
    const shown_prompts: string[] = [];
    const facts = createFacts();
    recovered(facts);
    otherHarness(facts);
    withOptions(facts, createPromptOptions(shown_prompts, true));
    const { questions } = checkSync(facts);
    expect(shown_prompts).toEqual([]);
    await confirmPrompts(questions);
    expect(shown_prompts).toEqual(['recovery', 'removal']);
  });

  test('are not shown if a rule rejects the plan', () => {
    const shown_prompts: string[] = [];
    const facts = openQuestions(shown_prompts, true);
    massRemoval(facts);
    expect(refusalOf(() => checkSync(facts))).toMatch(/no longer serves most/);
    expect(shown_prompts).toEqual([]);
  });

  test('end the run if the user declines', async () => {
    const shown_prompts: string[] = [];
    const { questions } = checkSync(openQuestions(shown_prompts, false));
    await expect(confirmPrompts(questions)).rejects.toMatchObject({
      code: 'materialize.consent_required',
    });
    expect(shown_prompts).toEqual(['recovery']);
  });

  test('become an error in a run that only reports', () => {
    const facts = createFacts();
    otherHarness(facts);
    withOptions(facts, { ...createPromptOptions([], true), mode: 'check' });
    expect(refusalOf(() => checkSync(facts))).toMatch(/leaves out cursor/);
  });
});

test('each kind of plan is checked with its own safety rules', () => {
  const broken = RULES.map(([name, breakRule]) => {
    const facts = createFacts();
    breakRule(facts);
    const { plan } = facts;
    const isRefused = (check: () => unknown): boolean => refusalOf(check) !== undefined;
    return [
      name,
      isRefused(() => checkMarketplace(facts)),
      isRefused(() => checkPlan(plan)),
      isRefused(() => checkUndo(plan)),
    ];
  });
  expect(broken).toEqual([
    ['--strict', true, false, false],
    ['an unexpected change', true, false, false],
    ['--locked', true, false, false],
    ['a file in the way', true, true, false],
    ['a read-only file', true, true, false],
    ['a forbidden path', true, true, true],
    ['a recovery', false, false, false],
    ['another caller', true, false, false],
    ['a mass removal', true, false, false],
    ['another harness', true, false, false],
    ['the first write into the home folder', false, false, false],
  ]);
});

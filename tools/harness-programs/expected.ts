import { loadAdapter, type WorkspaceScope } from '@catalog/harness/registry';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoServer } from './demo-server.ts';
import type { Fixture, FixtureRule } from './fixtures.ts';
import type { RecordedRequest } from './recorder.ts';

/** Profiles that read folders of each other. */
export const TOGETHER = ['claude-code', 'codex', 'opencode', 'gemini-cli', 'pi'];

/** All rules, where a product has no rules by file; else those that hold for the file named. */
export function expectedRules({ rules }: Fixture, by: 'file' | 'all'): string[] {
  return rules.filter(({ scope }) => by === 'all' || scope !== 'untouched').map(({ name }) => name);
}

/**
 * Skills and rules in a workspace of one or several profiles. With several, a rule with a condition that the
 * product does not support is a skill, so that it applies no wider than its author wrote. `by`: whether the
 * product has rules by file.
 */
export function expectedTexts(
  fixture: Fixture,
  profiles: 'one' | 'several',
  by: 'file' | 'all',
): { skill: string[]; rule: string[] } {
  const skill = [...fixture.skills];
  if (profiles === 'one') return { skill, rule: expectedRules(fixture, by) };
  const isSkill = ({ scope, has_condition }: FixtureRule): boolean =>
    has_condition && (by === 'all' || scope === 'always');
  const { rules } = fixture;
  return {
    skill: [...skill, ...rules.filter(isSkill).map(({ name }) => name)],
    rule: rules
      .filter((rule) => !isSkill(rule) && rule.scope !== 'untouched')
      .map(({ name }) => name),
  };
}

/** Every rule that has a file, by name: those of authors, and one that points at each context. */
export function ruleFiles({ rules, contexts }: Fixture): string[] {
  return [...rules.map(({ name }) => name), ...contexts.map((name) => `context-${name}`)];
}

/** The names of the rules whose text some request to the model carries. */
export function loadedRules({ rules }: Fixture, requests: readonly RecordedRequest[]): string[] {
  const sent = JSON.stringify(requests);
  return rules.filter(({ text }) => sent.includes(text)).map(({ name }) => name);
}

/** What the blocking hook of the small fixture comes to. */
export const BLOCKED = 'guard blocks, with its reason';

/** Whether nothing was run although the model asked for it, and the model was told why. */
export function blocked(forbidden: string, requests: readonly RecordedRequest[]): string[] {
  const told = JSON.stringify(requests).includes('GUARD-SAYS-NO');
  return told && !existsSync(forbidden) ? [BLOCKED] : [];
}

/** What the hook of the full fixture for the end of a turn comes to: it writes a file. */
export const NOTED = 'stop was run';

export function notedStop(workspace: string): string[] {
  return existsSync(join(workspace, '.stopped')) ? [NOTED] : [];
}

/** The native event of every hook of the full fixture, whose hooks are named after their events. */
export function nativeEvents(
  profile: string,
  hooks: readonly string[],
  scope: WorkspaceScope = 'workspace',
): string[] {
  const events = new Map(Object.entries(loadAdapter(profile, scope).hook_events));
  return hooks.flatMap((name) => events.get(name.replaceAll('-', '_'))?.event ?? []);
}

/** The hooks of the full fixture that the profile has an event for, by name. */
export function takenHooks(
  profile: string,
  { hooks }: Fixture,
  scope: WorkspaceScope = 'workspace',
): string[] {
  return hooks.filter((name) => nativeEvents(profile, [name], scope).length > 0);
}

const STARTED = 'local was given its secret';

/** Every server by name, and of the one that can be started that it got what it needs. */
export function expectedServers({ servers, name }: Fixture): string[] {
  return [...servers, ...(name === 'small' ? [STARTED] : [])];
}

/** For a product that refuses a project's servers that need a secret. */
export function serversWithoutSecrets({ open_servers }: Fixture): readonly string[] {
  return open_servers;
}

export function started(server: DemoServer): string[] {
  return server.wasGivenItsSecret() ? [STARTED] : [];
}

/** What a program that has started catalog's own server comes to. */
export const CONNECTED = 'catalog is connected';

/** What the program has of its own taken out, once for each time it has it. */
export function without(names: readonly string[], own: readonly string[]): string[] {
  const rest = [...names];
  for (const name of own) {
    const index = rest.indexOf(name);
    if (index !== -1) rest.splice(index, 1);
  }
  return rest;
}

/** Whether both lists hold the same names, each equally often: a name twice is not a name once. */
export function isLoaded(expected: readonly string[], loaded: readonly string[]): boolean {
  return JSON.stringify(expected.toSorted()) === JSON.stringify(loaded.toSorted());
}

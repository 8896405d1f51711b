import { loadAdapter, type WorkspaceScope } from '@catalog/harness/registry';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoServer } from './demo-server.ts';
import type { Fixture, FixtureRule } from './fixtures.ts';
import type { RecordedRequest } from './recorder.ts';

/** Profiles that read one another's folders. */
export const TOGETHER = ['claude-code', 'codex', 'opencode', 'gemini-cli', 'pi'];

/** For a product with rules by file, only those that apply to the named file. */
export function expectedRules({ rules }: Fixture, by: 'file' | 'all'): string[] {
  return rules.filter(({ scope }) => by === 'all' || scope !== 'untouched').map(({ name }) => name);
}

/**
 * In a workspace of several profiles, a conditional rule that the product does not support becomes a
 * skill, so that it does not apply more widely than its author wrote.
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

/** Includes one rule that references each context. */
export function ruleFiles({ rules, contexts }: Fixture): string[] {
  return [...rules.map(({ name }) => name), ...contexts.map((name) => `context-${name}`)];
}

export function loadedRules({ rules }: Fixture, requests: readonly RecordedRequest[]): string[] {
  const sent = JSON.stringify(requests);
  return rules.filter(({ text }) => sent.includes(text)).map(({ name }) => name);
}

export const BLOCKED = 'guard blocks, with its reason';

/** Returns true if the forbidden command did not run, and the model received the reason. */
export function observeBlocking(forbidden: string, requests: readonly RecordedRequest[]): string[] {
  const isReported = JSON.stringify(requests).includes('GUARD-SAYS-NO');
  return isReported && !existsSync(forbidden) ? [BLOCKED] : [];
}

export const STOP_HOOK_RAN = 'stop was run';

export function observeStopHook(workspace: string): string[] {
  return existsSync(join(workspace, '.stopped')) ? [STOP_HOOK_RAN] : [];
}

export function nativeEvents(
  profile: string,
  hooks: readonly string[],
  scope: WorkspaceScope = 'workspace',
): string[] {
  const events = new Map(Object.entries(loadAdapter(profile, scope).hook_events));
  return hooks.flatMap((name) => events.get(name.replaceAll('-', '_'))?.event ?? []);
}

export function supportedHooks(
  profile: string,
  { hooks }: Fixture,
  scope: WorkspaceScope = 'workspace',
): string[] {
  return hooks.filter((name) => nativeEvents(profile, [name], scope).length > 0);
}

const STARTED = 'local was given its secret';

/** Includes the proof that the startable server received its arguments and secret. */
export function expectedServers({ servers, name }: Fixture): string[] {
  return [...servers, ...(name === 'small' ? [STARTED] : [])];
}

export function serversWithoutSecrets({ open_servers }: Fixture): readonly string[] {
  return open_servers;
}

export function observeStartedServer(server: DemoServer): string[] {
  return server.receivedSecret() ? [STARTED] : [];
}

export const CONNECTED = 'catalog is connected';

export function subtractNames(names: readonly string[], own: readonly string[]): string[] {
  const rest = [...names];
  for (const name of own) {
    const index = rest.indexOf(name);
    if (index !== -1) rest.splice(index, 1);
  }
  return rest;
}

/** The number of duplicates must also be the same. */
export function isLoaded(expected: readonly string[], loaded: readonly string[]): boolean {
  return JSON.stringify(expected.toSorted()) === JSON.stringify(loaded.toSorted());
}

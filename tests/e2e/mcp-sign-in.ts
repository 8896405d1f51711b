import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getDeviceToken } from '@catalog/testkit/provider-tokens';
import type { ProviderServer } from '@catalog/testkit/provider-users';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { connectHost, openProject, type HostOptions, type Project } from './mcp-host.ts';
import { openPlace, type Environment } from './sign-in.ts';
import { openWorkspace, skill } from './workspace.ts';

/** An artifact that only members of the organization can read. */
export const INNER = 'team/inner';

export const SEARCH = 'search_artifacts';

export async function openOrganization(provider: ProviderServer): Promise<Environment> {
  const { env } = await openPlace(provider);
  const admin = openWorkspace(skill(INNER));
  const alice = { ...env, CATALOG_TOKEN: await getDeviceToken(provider, 'alice') };
  await admin.ok(`layer register team --local-path ${admin.registry} --organization`, alice);
  return { ...env, CATALOG_TOKEN_STORE: 'file' };
}

export function hostOf(env: Environment, options: Partial<HostOptions> = {}) {
  return connectHost({ ...openProject(), ...options, env });
}

export function idsOf({ isError, structuredContent }: CallToolResult): unknown[] | undefined {
  if (isError === true) return undefined;
  const { results }: { results?: { id: string }[] } = structuredContent ?? {};
  return results?.map(({ id }) => id);
}

export function addressIn({ isError, structuredContent, content }: CallToolResult): string {
  expect(isError).toBe(true);
  expect(structuredContent).toMatchObject({ code: 'auth.sign_in_pending' });
  const [block] = content;
  const text = block?.type === 'text' ? block.text : '';
  const [, address = '', code = ''] =
    /open (https:\S+) and confirm the code ([A-Z-]+)/.exec(text) ?? [];
  expect(address).toContain(code);
  expect(code).toMatch(/^[A-Z]{4}-?[A-Z]{4}$/);
  return address;
}

/** Returns the stored sign-in, and a function that changes it to simulate expiry or revocation. */
export function keptSignIn({ home }: Project) {
  const folder = join(home, '.catalog/credentials');
  const [name = ''] = readdirSync(folder).filter((entry) => entry.endsWith('.json'));
  const file = join(folder, name);
  const kept: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
  return {
    kept,
    change: (members: Record<string, unknown>) =>
      writeFileSync(file, JSON.stringify({ ...kept, ...members })),
  };
}

export async function untilSignedIn(call: () => Promise<CallToolResult>): Promise<CallToolResult> {
  for (let tries = 0; tries < 60; tries += 1) {
    const result = await call();
    if (idsOf(result) !== undefined) return result;
    addressIn(result);
    await delay(250);
  }
  throw new Error('it never succeeded');
}

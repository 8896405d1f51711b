import type { Settings } from '@catalog/server/config/settings';
import type { ProviderServer } from '@catalog/testkit/provider-users';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { RunningCatalog } from '@catalog/testkit/packed-program';
import type { Workspace } from './workspace.ts';

export type Environment = Record<string, string>;

export interface Place {
  server: RegistryServer;
  env: Environment;
}

export async function openPlace(
  provider: ProviderServer,
  settings: Partial<Settings> = {},
): Promise<Place> {
  const callback = 'https://127.0.0.1:1/v1/ui/auth/callback';
  const server = await startRegistry({
    settings: { ...provider.settings(callback), bootstrap_admins: ['alice'], ...settings },
  });
  const [audience = ''] = provider.audience;
  const env = {
    CATALOG_REGISTRY: server.url,
    NODE_EXTRA_CA_CERTS: provider.ca_file,
    // The audience of these providers is not a URL of the registry, so the user sets it (SPEC-86).
    CATALOG_OAUTH_AUDIENCE: audience,
  };
  return { server, env };
}

export interface PendingCode {
  event: string;
  registry: string;
  issuer: string;
  audience?: string;
  verification_uri: string;
  verification_uri_complete: string;
  user_code: string;
  expires_in: number;
}

export async function pendingCode(running: RunningCatalog): Promise<PendingCode> {
  const [line] = await running.waitFor('stderr', /^\{"event".*\}$/m);
  const pending: PendingCode = JSON.parse(line);
  return pending;
}

/** Signs a user in with the device flow, and returns the resulting document. */
export async function signIn(
  workspace: Workspace,
  provider: ProviderServer,
  env: Environment,
  name: string,
  words = '--store file',
): Promise<Record<string, unknown>> {
  const running = workspace.start(`login --json ${words}`.trim(), env);
  const pending = await pendingCode(running);
  await provider.approveDevice(pending.verification_uri_complete, name);
  const { code, stdout, stderr } = await running.ended;
  if (code !== 0) throw new Error(`login: exit ${String(code)}\n${stdout}${stderr}`);
  const document: Record<string, unknown> = JSON.parse(stdout);
  return document;
}

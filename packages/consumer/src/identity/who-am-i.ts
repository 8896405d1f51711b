import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { openClient, type RegistryClient } from '@catalog/sdk/client';
import type { Transport } from '@catalog/sdk/transport';
import { readClaims } from './subject-of.ts';

/** Who a tenant of the registry takes the holder of a token for. */
interface Member {
  subject: string | undefined;
  email: string | undefined;
  admin: boolean;
}

/** Who the registry takes the holder of a token for. */
export interface Recognized extends Member {
  /** Manages the tenants of the registry, and may belong to none of them. */
  operator: boolean;
}

/** Asks the registry who the holder of a token is; one that it refuses is its error. */
export async function askWho(
  registry: string,
  token: string,
  transport: Transport,
  signal?: AbortSignal,
): Promise<Recognized> {
  const tokens = { token: () => Promise.resolve(token) };
  const client = openClient({ registry, transport, tokens });
  const tenants = await unless(
    client.listTenants(signal),
    'auth.forbidden',
    'registry.tenant_management_unavailable',
  );
  const member = askTenant(client, token, signal);
  if (tenants === undefined) return { ...(await member), operator: false };
  const nobody = { ...claimed(token), admin: false };
  return { ...((await unless(member, 'auth.tenant_unknown')) ?? nobody), operator: true };
}

/**
 * Returns the subject that the registry uses. For a registry of an earlier release that serves no
 * posture either, any response proves that the token is good, and the claims of the token name the
 * subject.
 */
async function askTenant(
  client: RegistryClient,
  token: string,
  signal?: AbortSignal,
): Promise<Member> {
  const who = await unless(client.whoami(signal), 'registry.not_found');
  if (who !== undefined) return { subject: who.subject, email: who.email, admin: who.admin };
  const posture = await unless(client.session(signal), 'registry.not_found');
  if (posture?.subject !== undefined) {
    const { subject, email, layer_capabilities } = posture;
    return { subject, email, admin: layer_capabilities.manage_any_layer };
  }
  await client.quota(signal);
  const admins = await unless(client.listAdmins(signal), 'auth.forbidden');
  return { ...claimed(token), admin: admins !== undefined };
}

function claimed(token: string): Omit<Member, 'admin'> {
  const claims = readClaims(token);
  return { subject: claims?.subject, email: claims?.email };
}

/** What was asked for; undefined where the answer is one of these errors. */
async function unless<T>(answer: Promise<T>, ...codes: string[]): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CatalogError && codes.includes(error.code)) return undefined;
    throw error;
  }
}

import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { openClient, type RegistryClient } from '@catalog/sdk/client';
import type { Transport } from '@catalog/sdk/transport';
import { readClaims } from './subject-of.ts';

interface Member {
  subject: string | undefined;
  email: string | undefined;
  admin: boolean;
}

export interface CallerIdentity extends Member {
  /** True if the user manages tenants, with or without belonging to one. */
  operator: boolean;
}

export async function fetchIdentity(
  registry: string,
  token: string,
  transport: Transport,
  signal?: AbortSignal,
): Promise<CallerIdentity> {
  const tokens = { token: () => Promise.resolve(token) };
  const client = openClient({ registry, transport, tokens });
  const tenants = await undefinedOnError(
    client.listTenants(signal),
    'auth.forbidden',
    'registry.tenant_management_unavailable',
  );
  const member = fetchTenantIdentity(client, token, signal);
  if (tenants === undefined) return { ...(await member), operator: false };
  const operator_identity = { ...identityFromClaims(token), admin: false };
  return {
    ...((await undefinedOnError(member, 'auth.tenant_unknown')) ?? operator_identity),
    operator: true,
  };
}

/**
 * Returns the subject that the registry uses. If an earlier release has no such endpoint, any successful response
 * proves that the token is valid, and the subject comes from its claims.
 */
async function fetchTenantIdentity(
  client: RegistryClient,
  token: string,
  signal?: AbortSignal,
): Promise<Member> {
  const who = await undefinedOnError(client.whoami(signal), 'registry.not_found');
  if (who !== undefined) return { subject: who.subject, email: who.email, admin: who.admin };
  const posture = await undefinedOnError(client.session(signal), 'registry.not_found');
  if (posture?.subject !== undefined) {
    const { subject, email, layer_capabilities } = posture;
    return { subject, email, admin: layer_capabilities.manage_any_layer };
  }
  await client.quota(signal);
  const admins = await undefinedOnError(client.listAdmins(signal), 'auth.forbidden');
  return { ...identityFromClaims(token), admin: admins !== undefined };
}

function identityFromClaims(token: string): Omit<Member, 'admin'> {
  const claims = readClaims(token);
  return { subject: claims?.subject, email: claims?.email };
}

/** Returns undefined after an error with one of these codes. */
async function undefinedOnError<T>(answer: Promise<T>, ...codes: string[]): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CatalogError && codes.includes(error.code)) return undefined;
    throw error;
  }
}

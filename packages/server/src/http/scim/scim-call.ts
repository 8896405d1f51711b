import { REQUEST_BODY_MAX_BYTES } from '@catalog/contract/limits';
import { SCIM_MEDIA_TYPE } from '@catalog/contract/records/scim';
import type { DirectoryResource } from '@catalog/core/ports/directory';
import type { ResourceType, ScimObject, ScimValue } from '@catalog/core/scim/attribute';
import { isObject } from '@catalog/core/scim/attribute';
import { badRequest, ScimError, shortenInput } from '@catalog/core/scim/scim-error';
import { versionTag, type DirectoryCall } from '../../registry/directory/directory-call.ts';
import type { Call, Reply } from '../route.ts';
import type { ScimAuthority } from './scim-authority.ts';

/** Authenticates a SCIM request. Call it before every other check. */
export async function admitDirectory(
  authority: ScimAuthority,
  call: Call,
  type: ResourceType,
): Promise<DirectoryCall> {
  const tenant = await authority.admit(call.registry, call.header('authorization'));
  return { tenant, trace_id: call.context.trace_id, type };
}

export function readArguments({ search }: Pick<Call, 'search'>): Map<string, ScimValue> {
  const given = new Map<string, ScimValue>();
  for (const [name, value] of new URLSearchParams(search)) {
    const key = name.toLowerCase();
    if (given.has(key))
      throw badRequest('invalidValue', `"${shortenInput(name)}" was given more than once.`);
    given.set(key, value);
  }
  return given;
}

export function readBodyArguments(body: ScimValue): Map<string, ScimValue> {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.');
  return new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
}

const JSON_TYPE = /^application\/(?:scim\+)?json\s*(?:;|$)/i;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

export async function readScimBody(call: Pick<Call, 'header' | 'readBytes'>): Promise<ScimValue> {
  const bytes = await call.readBytes(REQUEST_BODY_MAX_BYTES);
  const type = call.header('content-type');
  if (type !== undefined && !JSON_TYPE.test(type)) {
    throw new ScimError(415, `Send the body as ${SCIM_MEDIA_TYPE}.`);
  }
  try {
    const body: ScimValue = JSON.parse(UTF8.decode(bytes));
    return body;
  } catch {
    throw badRequest('invalidSyntax', 'The body is not valid JSON.');
  }
}

export function scimReply(
  value: ScimObject,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const bytes = Buffer.from(JSON.stringify(value));
  return { kind: 'bytes', status, bytes, media_type: SCIM_MEDIA_TYPE, headers };
}

export function resourceHeaders(
  document: ScimObject,
  resource: DirectoryResource,
): Record<string, string> {
  const { meta } = document;
  const location = isObject(meta) ? meta['location'] : undefined;
  return {
    ETag: versionTag(resource),
    ...(typeof location === 'string' ? { Location: location } : {}),
  };
}

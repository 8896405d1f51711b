import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { getUnmetMinimum, type ClientInfo, type MinimumClients } from './minimum-clients.ts';
import { HANDSHAKE_REVISIONS, MODERN_REVISION, OLDEST_REVISION } from './revisions.ts';

export interface RpcError {
  code: number;
  message: string;
  data: Record<string, unknown>;
}

const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;
/** Error code of protocol revision 2026-07-28 for an unsupported version. */
export const UNSUPPORTED_VERSION = -32_022;

const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';

/**
 * Rejects an unsupported host. Older protocol revisions declare the versions in `initialize`, the newest one in every
 * request.
 */
export function rejectHost(
  method: string,
  params: unknown,
  minimums: MinimumClients,
): RpcError | undefined {
  const given = membersOf(params);
  const meta = membersOf(given['_meta']);
  const claimed = meta[PROTOCOL_VERSION_KEY];
  if (typeof claimed === 'string') {
    if (claimed !== MODERN_REVISION) {
      return unsupported(UNSUPPORTED_VERSION, claimed, [MODERN_REVISION]);
    }
    return rejectClient(meta[CLIENT_INFO_KEY], minimums);
  }
  if (method !== 'initialize') return undefined;
  const requested = given['protocolVersion'];
  // Dates in ISO format can be compared as strings. A newer revision than the known ones is negotiated down.
  if (typeof requested === 'string' && requested < OLDEST_REVISION) {
    return unsupported(INVALID_PARAMS, requested, HANDSHAKE_REVISIONS);
  }
  return rejectClient(given['clientInfo'], minimums);
}

function rejectClient(info: unknown, minimums: MinimumClients): RpcError | undefined {
  const { name, version } = membersOf(info);
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  const minimum = getUnmetMinimum(minimums, { name, version });
  return minimum === undefined ? undefined : tooOld({ name, version }, minimum);
}

function unsupported(code: number, requested: string, supported: readonly string[]): RpcError {
  const shown = requested.slice(0, 64);
  const error = new CatalogError(
    'mcp.unsupported_version',
    `Unsupported protocol version ${shown}: catalog-mcp supports ${OLDEST_REVISION} to ${MODERN_REVISION}.`,
  );
  return {
    code,
    message: error.message,
    data: { supported: [...supported], requested: shown, ...error.toEnvelope() },
  };
}

function tooOld({ name, version }: ClientInfo, minimum: string): RpcError {
  const error = new CatalogError(
    'mcp.client_too_old',
    `${name} ${version} is older than ${minimum}, the minimum in CATALOG_MCP_MIN_CLIENTS.`,
    { suggested_action: `Update ${name} to ${minimum} or later.` },
  );
  return { code: INVALID_REQUEST, message: error.message, data: { ...error.toEnvelope() } };
}

export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

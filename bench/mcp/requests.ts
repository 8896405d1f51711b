export const PROTOCOL_REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type ProtocolRevision = (typeof PROTOCOL_REVISIONS)[number];

const clientInfo = { name: 'bench', version: '1.0.0' };

/** Metadata of every request in revision 2026-07-28. */
export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export function request(
  revision: ProtocolRevision,
  id: string | number,
  method: string,
  params: object = {},
) {
  const meta = revision === '2026-07-28' ? { _meta: MODERN_META } : {};
  return { jsonrpc: '2.0', id, method, params: { ...params, ...meta } };
}

export function opening(revision: ProtocolRevision, id: string | number) {
  if (revision === '2026-07-28') return request(revision, id, 'server/discover');
  return request(revision, id, 'initialize', {
    protocolVersion: revision,
    capabilities: {},
    clientInfo,
  });
}

export function toLine(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

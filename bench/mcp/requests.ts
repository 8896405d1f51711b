/** Protocol eras, each with the revision in use here. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

const clientInfo = { name: 'bench', version: '1.0.0' };

/** What every request of the newer era carries. */
export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of an era. */
export function request(era: Era, id: string | number, method: string, params: object = {}) {
  const meta = era === '2026-07-28' ? { _meta: MODERN_META } : {};
  return { jsonrpc: '2.0', id, method, params: { ...params, ...meta } };
}

/** The request a connection of an era opens with. */
export function opening(era: Era, id: string | number) {
  if (era === '2026-07-28') return request(era, id, 'server/discover');
  return request(era, id, 'initialize', { protocolVersion: era, capabilities: {}, clientInfo });
}

export function toLine(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

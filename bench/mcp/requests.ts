export const ERAS = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

const clientInfo = { name: 'bench', version: '1.0.0' };

/** Metadata of every request in the newer era. */
export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export function request(era: Era, id: string | number, method: string, params: object = {}) {
  const meta = era === '2026-07-28' ? { _meta: MODERN_META } : {};
  return { jsonrpc: '2.0', id, method, params: { ...params, ...meta } };
}

export function opening(era: Era, id: string | number) {
  if (era === '2026-07-28') return request(era, id, 'server/discover');
  return request(era, id, 'initialize', { protocolVersion: era, capabilities: {}, clientInfo });
}

export function toLine(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

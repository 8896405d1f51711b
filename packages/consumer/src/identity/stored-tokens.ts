export interface StoredTokens {
  access_token: string;
  /** Expiry in seconds since the epoch; absent if unknown. */
  expires_at?: number;
  refresh_token?: string;
  /** Issuer; absent if the endpoints were configured one by one. */
  issuer?: string;
  token_endpoint: string;
  revocation_endpoint?: string;
  client_id: string;
  resource?: string;
  subject?: string;
}

export function readStoredTokens(value: unknown): StoredTokens | undefined {
  if (!isRecord(value)) return undefined;
  const { access_token, token_endpoint, client_id, expires_at } = value;
  if (typeof access_token !== 'string' || typeof token_endpoint !== 'string') return undefined;
  if (typeof client_id !== 'string') return undefined;
  return {
    access_token,
    token_endpoint,
    client_id,
    ...(typeof expires_at === 'number' ? { expires_at } : {}),
    ...readTexts(value),
  };
}

const OPTIONAL_TEXTS = [
  'refresh_token',
  'issuer',
  'revocation_endpoint',
  'resource',
  'subject',
] as const satisfies (keyof StoredTokens)[];

function readTexts(
  value: Record<string, unknown>,
): Partial<Record<(typeof OPTIONAL_TEXTS)[number], string>> {
  const texts: Partial<Record<(typeof OPTIONAL_TEXTS)[number], string>> = {};
  for (const name of OPTIONAL_TEXTS) {
    const text = value[name];
    if (typeof text === 'string') texts[name] = text;
  }
  return texts;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tolerance for clock differences and slow requests, in seconds. */
const SKEW_SECONDS = 30;

export function isFresh({ expires_at }: StoredTokens, now_ms: number): boolean {
  return expires_at === undefined || expires_at - SKEW_SECONDS > now_ms / 1000;
}

export function hasExpired({ expires_at }: StoredTokens, now_ms: number): boolean {
  return expires_at !== undefined && expires_at <= now_ms / 1000;
}

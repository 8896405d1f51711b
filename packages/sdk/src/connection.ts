import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { fetchTransport, type Transport } from './transport.ts';

/**
 * Where the bearer tokens of a caller come from. It is asked before every request, so that it can put
 * a new token in the place of one that ends.
 */
export interface TokenSource {
  /** The token of now; undefined where the caller has none and asks as nobody. */
  token(signal?: AbortSignal): Promise<string | undefined>;
  /** Told that the registry calls a token expired; answers another one, if there is one. */
  refused?(token: string, signal?: AbortSignal): Promise<string | undefined>;
  /** What a caller can do who was refused and had no token to send. */
  advice?: string;
}

/** Where a registry is and how it is talked to. */
export interface ConnectionOptions {
  /** The address of the registry; it may have a path, as behind a proxy. */
  registry: string;
  transport?: Transport;
  /** The caller's bearer tokens; they go to the origin of the registry only. */
  tokens?: TokenSource | undefined;
  /** Told with every answer of a registry that only reads how many seconds old at most the answer is. */
  onReadOnly?: ((lag_seconds: number) => void) | undefined;
}

/** A registry that can be asked. It holds no socket: there is nothing to close. */
export interface Connection {
  /** The address without a slash at the end. */
  registry: string;
  /** `https://host:port` of it. */
  origin: string;
  transport: Transport;
  tokens: TokenSource;
  onReadOnly: (lag_seconds: number) => void;
}

const NO_TOKENS: TokenSource = { token: () => Promise.resolve(undefined) };

export function openConnection(options: ConnectionOptions): Connection {
  const { transport = fetchTransport, tokens = NO_TOKENS, onReadOnly = () => undefined } = options;
  const url = readAddress(options.registry);
  return { registry: baseUrl(url), origin: url.origin, transport, tokens, onReadOnly };
}

/** Returns the URL of a registry without a trailing slash, so that two spellings compare equal. */
export function baseUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

function readAddress(registry: string): URL {
  const url = URL.canParse(registry) ? new URL(registry) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw badAddress(registry, 'is not a URL such as https://catalog.example.com');
  }
  // The name of whoever asks is a token's to carry: an address ends up in files that are shared.
  if (url.username !== '' || url.password !== '') {
    throw badAddress(`${url.origin}${url.pathname}`, 'contains a user name or password');
  }
  if (url.search !== '' || url.hash !== '') {
    throw badAddress(baseUrl(url), 'has a query or a fragment, which a base URL cannot have');
  }
  return url;
}

function badAddress(registry: string, problem: string): CatalogError {
  return new CatalogError('config.invalid', `The registry ${registry} ${problem}.`, {
    details: { registry },
    suggested_action: 'Use the base URL of the registry, such as https://catalog.example.com.',
  });
}

import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { fetchTransport, type Transport } from './transport.ts';

/** Source of bearer tokens, called before every request so that it can replace an expiring one. */
export interface TokenSource {
  /** Returns a token; undefined for an anonymous request. */
  token(signal?: AbortSignal): Promise<string | undefined>;
  /** Called with an expired token; returns another one if there is one. */
  refused?(token: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Next step for a caller who was rejected without a token. */
  advice?: string;
}

/** Options of a connection to a registry. */
export interface ConnectionOptions {
  /** URL of the registry, which can have a path. */
  registry: string;
  transport?: Transport;
  /** Source of tokens, which are sent only to the origin of the registry. */
  tokens?: TokenSource | undefined;
  /** Called with every response in read-only mode, with its maximum age in seconds. */
  onReadOnly?: ((lag_seconds: number) => void) | undefined;
  /** Announcement that other clients of the same registry share. */
  announced?: Connection['announced'];
}

/** Connection to a registry. It holds no socket and need not be closed. */
export interface Connection {
  registry: string;
  /** Origin, as `https://host:port`. */
  origin: string;
  transport: Transport;
  tokens: TokenSource;
  onReadOnly: (lag_seconds: number) => void;
  /** Version of the key set that the registry announced last; undefined if it announced none. */
  announced: { key_set: number | undefined };
}

const NO_TOKENS: TokenSource = { token: () => Promise.resolve(undefined) };

/** Creates a connection from its options, and throws if the registry URL is invalid. */
export function openConnection(options: ConnectionOptions): Connection {
  const {
    transport = fetchTransport,
    tokens = NO_TOKENS,
    onReadOnly = () => undefined,
    announced = { key_set: undefined },
  } = options;
  const url = parseRegistryUrl(options.registry);
  return {
    registry: baseUrl(url),
    origin: url.origin,
    transport,
    tokens,
    onReadOnly,
    announced,
  };
}

/** Returns the URL of a registry without a trailing slash, so that two spellings are equal. */
export function baseUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

function parseRegistryUrl(registry: string): URL {
  const url = URL.canParse(registry) ? new URL(registry) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw invalidRegistryUrl(registry, 'is not a URL such as https://catalog.example.com');
  }
  // Credentials in a URL are rejected: URLs are stored in files that users share.
  if (url.username !== '' || url.password !== '') {
    throw invalidRegistryUrl(`${url.origin}${url.pathname}`, 'contains a user name or password');
  }
  if (url.search !== '' || url.hash !== '') {
    throw invalidRegistryUrl(
      baseUrl(url),
      'has a query or a fragment, which a base URL cannot have',
    );
  }
  return url;
}

function invalidRegistryUrl(registry: string, problem: string): CatalogError {
  return new CatalogError('config.invalid', `The registry ${registry} ${problem}.`, {
    details: { registry },
    suggested_action: 'Use the base URL of the registry, such as https://catalog.example.com.',
  });
}

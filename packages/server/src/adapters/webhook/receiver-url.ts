import { isIP } from 'node:net';

export interface ReceiverTarget {
  /** Lowercase ASCII; an IPv6 address has no brackets. */
  host: string;
  port: number;
  path: string;
  authority: string;
  servername: string;
}

export type ReceiverUrl =
  | ({ kind: 'target' } & ReceiverTarget)
  | { kind: 'invalid'; reason: string };

/** Parses the URL of a receiver by the URL standard, which recognizes every notation of an IP address. */
export function readReceiverUrl(text: string): ReceiverUrl {
  const url = URL.parse(text);
  if (url === null) return invalid('The receiver URL is not a valid URL.');
  const { host: authority, hostname } = url;
  if (url.protocol !== 'https:') {
    return invalid(`The receiver URL of ${authority || 'this scheme'} must use https.`);
  }
  if (url.username !== '' || url.password !== '') {
    return invalid(`The receiver URL of ${authority} must not contain a user name or password.`);
  }
  if (url.port === '0') return invalid(`The receiver URL of ${hostname} has the invalid port 0.`);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    kind: 'target',
    host,
    port: Number(url.port || 443),
    path: url.pathname + url.search,
    authority,
    servername: isIP(host) === 0 ? host : '',
  };
}

function invalid(reason: string): ReceiverUrl {
  return { kind: 'invalid', reason };
}

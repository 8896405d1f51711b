import { TunnelRefused } from '../egress/open-tunnel.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the receiver refused the connection'],
  ['ECONNRESET', 'the receiver closed the connection without a response'],
  ['EPIPE', 'the receiver closed the connection without a response'],
  ['ETIMEDOUT', 'the receiver did not accept the connection in time'],
  ['EHOSTUNREACH', 'the network has no route to the receiver'],
  ['ENETUNREACH', 'the network has no route to the receiver'],
  ['HPE_HEADER_OVERFLOW', 'the headers of the response are too large'],
]);

/** Describes a failed request without the IP addresses in system messages. */
export function describeFailure(cause: NodeJS.ErrnoException, host: string): string {
  if (cause instanceof TunnelRefused) return cause.message;
  if (cause.name === 'TimeoutError' || cause.name === 'AbortError') {
    return 'the receiver did not accept the connection in time';
  }
  const { code = '' } = cause;
  const known = REASONS.get(code);
  if (known !== undefined) return known;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `the certificate is not valid for ${host}`;
  if (code.startsWith('HPE_')) return `the response is not valid HTTP (${code})`;
  if (isCertificateProblem(code)) return `the certificate of ${host} is not trusted (${code})`;
  return `the connection failed (${code || cause.message})`;
}

/** Returns true for error codes of OpenSSL such as `DEPTH_ZERO_SELF_SIGNED_CERT`. */
function isCertificateProblem(code: string): boolean {
  return /CERT|UNABLE_TO|SIGNATURE|_CRL_|INVALID_CA|CHAIN/.test(code) && !code.startsWith('ERR_');
}

const USUAL_PORT = '5432';

/** A server as logs and measurements name it: where it is, and nothing of how one gets in. */
export function serverName(dsn: string): string {
  const { hostname, port } = new URL(dsn);
  return `${hostname}:${port === '' ? USUAL_PORT : port}`;
}

/** The same server under another role: what a DSN says, at the address of another one. */
export function atServerOf(dsn: string, other: string): string {
  const url = new URL(dsn);
  const { hostname, port } = new URL(other);
  url.hostname = hostname;
  url.port = port;
  return url.href;
}

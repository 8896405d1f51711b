const USUAL_PORT = '5432';

/** Contains host and port, without credentials. */
export function serverName(dsn: string): string {
  const { hostname, port } = new URL(dsn);
  return `${hostname}:${port === '' ? USUAL_PORT : port}`;
}

export function atServerOf(dsn: string, other: string): string {
  const url = new URL(dsn);
  const { hostname, port } = new URL(other);
  url.hostname = hostname;
  url.port = port;
  return url.href;
}

/**
 * Returns true if a list contains a host and port. An entry without a port matches all ports, `*.example.com` and
 * `.example.com` match all subdomains, and `*` matches everything.
 */
export function isListed(hosts: readonly string[], host: string, port: number): boolean {
  return hosts.some((entry) => matches(entry.trim().toLowerCase(), host, port));
}

const WITH_PORT = /^(?<name>[^:]+|\[[^\]]+\]):(?<port>\d+)$/;

function matches(entry: string, host: string, port: number): boolean {
  const parts = WITH_PORT.exec(entry)?.groups;
  if (parts !== undefined && parts['port'] !== String(port)) return false;
  const name = (parts?.['name'] ?? entry).replace(/^\[(.*)\]$/, '$1').replace(/^\*(?=\.)/, '');
  if (name === '*') return true;
  if (name.startsWith('.')) return host.endsWith(name) && host.length > name.length;
  return name !== '' && name === host.replace(/\.$/, '');
}

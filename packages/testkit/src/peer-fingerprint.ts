import { once } from 'node:events';
import { connect } from 'node:tls';

/** Returns the SHA-256 fingerprint of the certificate of a new connection. */
export async function peerFingerprint(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

import { once } from 'node:events';
import { connect } from 'node:tls';

/** Returns the SHA-256 fingerprint of a new connection's certificate. */
export async function peerFingerprint(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

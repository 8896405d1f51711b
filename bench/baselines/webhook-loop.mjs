/**
 * Sends bodies to an HTTPS server in a plain loop: several in parallel, over keep-alive
 * connections, with the two signatures of a webhook delivery.
 * node webhook-loop.mjs <port> <ca file> <bodies file> <concurrency> <secret>
 */
import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';

const [port, ca_file, bodies_file, concurrency, secret] = process.argv.slice(2);
const bodies = JSON.parse(readFileSync(bodies_file, 'utf8'));
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
const agent = new Agent({
  keepAlive: true,
  maxSockets: Number(concurrency),
  ca: readFileSync(ca_file),
});
let next = 0;

function send(body) {
  const id = `msg_${randomUUID()}`;
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  const digest = createHmac('sha256', secret).update(body);
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'user-agent': 'catalog',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature.digest('base64')}`,
    'x-catalog-signature': `sha256=${digest.digest('hex')}`,
  };
  return new Promise((resolve, reject) => {
    const options = { agent, method: 'POST', host: 'localhost', port, path: '/hook', headers };
    const sent = request(options, (response) => {
      if (response.statusCode !== 204) reject(new Error(`status ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function run() {
  while (next < bodies.length) await send(Buffer.from(bodies[next++]));
}

await Promise.all(Array.from({ length: Number(concurrency) }, run));
agent.destroy();
process.stdin.resume();

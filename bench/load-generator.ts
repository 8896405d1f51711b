// Sends requests for one URL on many connections, sequentially on each. Uses raw sockets: the generator
// must be cheap compared to the server, and cost the same for every server.
import { connect } from 'node:net';

export interface LoadResult {
  requests: number;
  seconds: number;
}

const [port = '', path = '', connections = '', seconds = '', atLeast = '0'] = process.argv.slice(2);
const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
const EXPECTED = 'HTTP/1.1 200 ';

/** Length of a response, which is equal for all because they differ only in ids and the date. */
let answerLength = 0;

function lengthOf(head: string): number {
  const end = head.indexOf('\r\n\r\n');
  const body = /^content-length: (\d+)\r$/im.exec(head)?.[1];
  if (!head.startsWith(EXPECTED) || end === -1 || body === undefined) {
    throw new Error(`unexpected answer: ${head.slice(0, 500)}`);
  }
  return end + 4 + Number(body);
}

/** Sends requests until `end`, and at least `least` of them. Returns the number of responses. */
function sendRequests(end: number, least: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let requests = 0;
    let received = 0;
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(request));
    socket.setNoDelay();
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      if (received === 0) {
        const isExpected = bytes.toString('latin1', 0, EXPECTED.length) === EXPECTED;
        if (!isExpected || answerLength === 0) answerLength = lengthOf(bytes.toString('latin1'));
      }
      received += bytes.length;
      if (received < answerLength) return;
      received = 0;
      requests += 1;
      if (requests < least || performance.now() < end) socket.write(request);
      else {
        socket.destroy();
        resolve(requests);
      }
    });
  });
}

const began = performance.now();
const end = began + Number(seconds) * 1000;
const least = Number(atLeast) / Number(connections);
const counts = await Promise.all(
  Array.from({ length: Number(connections) }, () => sendRequests(end, least)),
);
const result: LoadResult = {
  requests: counts.reduce((sum, count) => sum + count, 0),
  seconds: (performance.now() - began) / 1000,
};
process.stdout.write(`${JSON.stringify(result)}\n`);

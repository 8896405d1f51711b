import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');
const port = Number(process.env.PORT ?? 8085);

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
});

async function receive(request) {
  const body = await buffer(request);
  let event;
  try {
    event = webhook.verify(body, request.headers);
  } catch {
    return 400;
  }
  // Put slow work in a queue: the registry waits 30 seconds, and may deliver the same id again.
  process.stdout.write(`${request.headers['webhook-id']} ${event.event}\n`);
  return 204;
}

server.listen(port, '127.0.0.1', () => process.stdout.write(`listening on port ${port}\n`));

// Minimal HTTP server, the baseline for the startup of a registry.
import { createServer } from 'node:http';

createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"mode":"ready"}');
}).listen(Number(process.argv[2]), '127.0.0.1');

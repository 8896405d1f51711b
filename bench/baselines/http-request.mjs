// Minimal HTTP client: sends one request for each line on stdin.
import { get } from 'node:http';
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', () => {
  get(process.argv[2], async (response) => {
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    process.stdout.write(`${JSON.stringify(JSON.parse(Buffer.concat(chunks)))}\n`);
  });
});
process.stdout.write('ready\n');

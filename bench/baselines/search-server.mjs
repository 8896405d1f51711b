/**
 * Minimal search over HTTP: one `node:http` server runs the statements that read the index, adds up
 * the impacts and returns the best ten results. It has no views, shadowing, filters, checks, log or
 * metrics. Do not change it with the registry, so that a slower registry shows.
 * node search-server.mjs <database>
 * Terms are already stemmed: `/?terms=["a","b"]`; `/` has no terms. Prints its port.
 */
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

const STRETCH = 4096;
const BEST = 10;

const database = new DatabaseSync(process.argv[2], { readOnly: true });
database.exec('PRAGMA cache_size = -65536');
const layers = JSON.stringify(
  database
    .prepare('SELECT number FROM layers WHERE tenant = 1')
    .all()
    .map(({ number }) => number),
);
const readPostings = database.prepare(
  `SELECT p.layer, term.key AS term, p.stretch, p.postings
   FROM json_each(?1) visible CROSS JOIN json_each(?2) term
   CROSS JOIN search_postings p
     ON p.tenant = 1 AND p.layer = visible.value AND p.term = term.value`,
);
const countDocuments = database.prepare(
  'SELECT sum(documents) AS documents FROM search_layers WHERE tenant = 1',
);
const readHeads = database.prepare(
  `SELECT h.id, h.type, h.version, h.description, h.tags, h.sensitivity, h.frontmatter
   FROM json_each(?1) found
   CROSS JOIN search_documents d
     ON d.tenant = 1 AND d.layer = found.value ->> 0 AND d.number = found.value ->> 1
   CROSS JOIN heads h ON h.tenant = 1 AND h.layer = d.layer AND h.id = d.id`,
);

function search(terms) {
  const rows = readPostings.all(layers, JSON.stringify(terms));
  const { documents } = countDocuments.get();
  const holders = terms.map(() => 0);
  for (const row of rows) {
    row.numbers = new Uint32Array(row.postings.buffer);
    holders[row.term] += row.numbers.length;
  }
  const weights = holders.map((count) => Math.log1p((documents - count + 0.5) / (count + 0.5)));
  const { best, total } = addUp(rows, weights);
  const heads = readHeads.all(JSON.stringify(best.map(({ layer, number }) => [layer, number])));
  const results = heads.map((head, place) => ({ ...head, score: best[place].sum }));
  return { total_matched: total, results };
}

const sums = new Float64Array(STRETCH);
const touched = new Uint16Array(STRETCH);

function addUp(rows, weights) {
  const best = [];
  let least = 0;
  let total = 0;
  for (const group of Map.groupBy(rows, (row) => row.layer * 1e6 + row.stretch).values()) {
    let length = 0;
    for (const { term, numbers } of group) {
      const weight = weights[term];
      for (const posting of numbers) {
        const place = posting >>> 16;
        if (sums[place] === 0) touched[length++] = place;
        sums[place] += weight * (posting & 0xffff);
      }
    }
    total += length;
    for (let index = 0; index < length; index += 1) {
      const place = touched[index];
      const sum = sums[place];
      sums[place] = 0;
      if (sum <= least) continue;
      best.push({ layer: group[0].layer, number: group[0].stretch * STRETCH + place, sum });
      best.sort((a, b) => b.sum - a.sum);
      if (best.length < BEST) continue;
      best.length = BEST;
      least = best[BEST - 1].sum;
    }
  }
  return { best, total };
}

const server = createServer((incoming, outgoing) => {
  const terms = new URL(incoming.url, 'http://bare').searchParams.get('terms');
  const body = terms === null ? '{}' : JSON.stringify(search(JSON.parse(terms)));
  outgoing.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  outgoing.end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.on('SIGTERM', () => process.exit(0));

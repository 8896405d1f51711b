import type { S3Fault } from '@catalog/testkit/s3-proxy';
import type { Toxic } from '@catalog/testkit/toxic-proxy';

export interface StoreFault {
  name: string;
  injected?: Readonly<Partial<Record<'GET' | 'HEAD' | 'PUT' | 'POST', S3Fault>>>;
  toxics?: readonly Toxic[];
  /** True if the fault only delays requests, so that everything must succeed. */
  harmless?: true;
}

const WRONG_SUM = `${'A'.repeat(43)}=`;

export const STORE_FAULTS: readonly StoreFault[] = [
  {
    name: 'slow',
    harmless: true,
    toxics: [
      { type: 'latency', stream: 'downstream', attributes: { latency: 150, jitter: 100 } },
      { type: 'bandwidth', stream: 'upstream', attributes: { rate: 4000 } },
    ],
  },
  { name: 'refuses everything', injected: all({ kind: 'refuse', status: 503 }) },
  { name: 'denies access', injected: all({ kind: 'refuse', status: 403 }) },
  { name: 'refuses writes', injected: { PUT: { kind: 'refuse', status: 500 } } },
  { name: 'says yes and stores nothing', injected: { PUT: { kind: 'swallow' } } },
  { name: 'takes half of a write', injected: { PUT: { kind: 'halve_request' } } },
  { name: 'changes what is written', injected: { PUT: { kind: 'corrupt_request' } } },
  {
    name: 'lies about the checksum of what it has',
    injected: { HEAD: { kind: 'answer_header', name: 'x-amz-checksum-sha256', value: WRONG_SUM } },
  },
  {
    name: 'lies about the size of what it has',
    injected: { HEAD: { kind: 'answer_header', name: 'content-length', value: '7' } },
  },
  { name: 'changes what is read', injected: { GET: { kind: 'corrupt_answer' } } },
  { name: 'breaks off in a read', injected: { GET: { kind: 'cut_answer' } } },
  { name: 'ends a read early and says that is all', injected: { GET: { kind: 'halve_answer' } } },
  {
    name: 'cuts what is sent',
    toxics: [{ type: 'limit_data', stream: 'upstream', attributes: { bytes: 100_000 } }],
  },
  {
    name: 'cuts what is received',
    toxics: [{ type: 'limit_data', stream: 'downstream', attributes: { bytes: 100_000 } }],
  },
  {
    name: 'resets connections',
    toxics: [{ type: 'reset_peer', stream: 'upstream', attributes: { timeout: 5 } }],
  },
];

function all(fault: S3Fault): NonNullable<StoreFault['injected']> {
  return { GET: fault, HEAD: fault, PUT: fault, POST: fault };
}

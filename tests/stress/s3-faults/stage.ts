import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { registeredLayer } from '@catalog/contract/records/layer';
import { now } from '@catalog/server/adapters/clock';
import { makeBucket } from '@catalog/testkit/s3-bucket';
import { startS3Proxy, type S3Proxy } from '@catalog/testkit/s3-proxy';
import { openToxicProxy, type ToxicProxy } from '@catalog/testkit/toxic-proxy';
import { startRegistryProcess } from '../../../bench/registry-process.ts';
import { startS3 } from '../../../tools/services/s3.ts';
import { startToxiproxy } from '../../../tools/services/toxiproxy.ts';
import { sendAndExpect } from '../serve-kill/client.ts';
import type { StoreFault } from './faults.ts';

const BUCKET = 'catalog';
export const LAYER = 'base';
/** Large enough for files that are uploaded to the store in parts. */
const MAX_PACKAGE_BYTES = 64 * 1024 * 1024;

export interface Stage {
  url: string;
  source: string;
  line: ToxicProxy;
  /** Applies a fault to the store until the next call; undefined removes it. */
  play(fault: StoreFault | undefined): Promise<void>;
  /** Bypasses the proxies; undefined if the bytes are missing. */
  readStored(content_hash: string): string | undefined;
  close(): Promise<void>;
}

export async function openStage(folder: string): Promise<Stage> {
  const closing: (() => Promise<void>)[] = [];
  const later = <Opened>(opened: Opened, close: (opened: Opened) => Promise<void>): Opened => {
    closing.unshift(() => close(opened));
    return opened;
  };
  const close = async (): Promise<void> => {
    for (const end of closing) await end();
  };
  try {
    const store = later(await startS3({ folder: join(folder, 's3') }), (server) => server.stop());
    const toxiproxy = later(await startToxiproxy({ folder: join(folder, 'toxiproxy') }), (server) =>
      server.stop(),
    );
    const line = await openToxicProxy(toxiproxy.url, store.endpoint, 's3');
    const liar = later(await startS3Proxy(line.url), (proxy) => proxy.close());
    await makeBucket({
      bucket: BUCKET,
      endpoint: store.endpoint,
      region: 'us-east-1',
      force_path_style: true,
      credentials: store,
      prefix: '',
      presign_ttl_seconds: 300,
      egress: { proxy: { http: undefined, https: undefined, except: [] }, ca_file: undefined },
      now,
    });
    const home = join(folder, 'home');
    const source = join(folder, 'source');
    for (const path of [home, source]) mkdirSync(path);
    const registry = later(
      await startRegistryProcess(home, {
        env: {
          CATALOG_OBJECT_STORE: 's3',
          CATALOG_S3_ENDPOINT: liar.url,
          CATALOG_S3_BUCKET: BUCKET,
          CATALOG_S3_FORCE_PATH_STYLE: 'true',
          CATALOG_S3_ACCESS_KEY_ID: store.access_key_id,
          CATALOG_S3_SECRET_ACCESS_KEY: store.secret_access_key,
          CATALOG_LINT_PER_PACKAGE_SOFT_CAP_BYTES: String(MAX_PACKAGE_BYTES),
          CATALOG_LOG_LEVEL: 'silent',
        },
      }),
      (process) => process.stop(),
    );
    const { url } = registry;
    await sendAndExpect(`${url}/v1/layers`, [201, registeredLayer], {
      method: 'POST',
      json: { id: LAYER, source_type: 'local', local_path: source },
    });
    const objects = join(folder, 's3/objects', BUCKET, '1');
    return {
      url,
      source,
      line,
      play: (fault) => play(liar, line, fault),
      readStored: (content_hash) => hashOfFile(objects, content_hash),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function play(
  liar: S3Proxy,
  line: ToxicProxy,
  { injected: lies = {}, toxics = [] }: Partial<StoreFault> = {},
): Promise<void> {
  liar.fault = ({ method }) =>
    method === 'GET' || method === 'HEAD' || method === 'PUT' || method === 'POST'
      ? lies[method]
      : undefined;
  await line.setToxics(toxics);
}

function hashOfFile(objects: string, content_hash: string): string | undefined {
  const hex = content_hash.slice('sha256:'.length);
  const path = join(objects, hex.slice(0, 2), hex);
  return existsSync(path) ? bytesHash(readFileSync(path)) : undefined;
}

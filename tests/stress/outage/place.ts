import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { registeredLayer, type RegisteredLayer } from '@catalog/contract/records/layer';
import { now } from '@catalog/server/adapters/clock';
import { clusterDsn, createClusterDatabase } from '@catalog/testkit/cluster-database';
import { ollamaApi } from '@catalog/testkit/embedding-servers/ollama-api';
import { openEmbeddingServer } from '@catalog/testkit/embedding-servers/open-embedding-server';
import type { GitRepository } from '@catalog/testkit/git-repository';
import { startGitServer } from '@catalog/testkit/git-server';
import { WEB_CLIENT } from '@catalog/testkit/provider-users';
import type { ReverseProxyName } from '@catalog/testkit/reverse-proxy';
import { makeBucket } from '@catalog/testkit/s3-bucket';
import { CALLBACK } from '@catalog/testkit/sign-in-place';
import { openToxicProxy, type Toxic, type ToxicProxy } from '@catalog/testkit/toxic-proxy';
import { freePort } from '../../../tools/services/free-port.ts';
import {
  startPostgresCluster,
  type PostgresNode,
} from '../../../tools/services/postgres-cluster.ts';
import { startS3 } from '../../../tools/services/s3.ts';
import { startToxiproxy } from '../../../tools/services/toxiproxy.ts';
import { ensureWebAssets } from '../../../tools/services/web-assets.ts';
import { startReverseProxies, type ReverseProxies } from '../reverse-proxies.ts';
import { startServeProcess, stopServeProcess } from '../serve-process.ts';
import type { Dependency, Fault } from './documented.ts';
import { startIssuer, type Issuer } from './issuer.ts';

export const ADMIN = 'alice';
export const LAYERS = { small: 'small', large: 'large', git: 'git' } as const;
const BUCKET = 'catalog';
const REGISTRATION_MS = 30_000;
const RETRY_MS = 500;

export interface Switch {
  takeDown: (fault: Fault) => Promise<void>;
  bringBack: () => Promise<void>;
}

export interface Place {
  url: string;
  proxies: ReverseProxies;
  proxy: ReverseProxyName | undefined;
  folders: { small: string; large: string };
  repository: GitRepository;
  webhook: { path: string; secret: string };
  issuer: Issuer;
  dependencies: Readonly<Record<Dependency, Switch>>;
  close(): Promise<void>;
}

export async function openPlace(folder: string): Promise<Place> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closing.toReversed()) await end();
  };
  try {
    return { ...(await open(folder, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  folder: string,
  closing: (() => Promise<unknown>)[],
): Promise<Omit<Place, 'close'>> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const redirect_uri = `${url}${CALLBACK}`;
  const issuer = await startIssuer(redirect_uri);
  closing.push(() => issuer.provider.close());
  const cluster = await startPostgresCluster({ folder: join(folder, 'postgres'), standbys: 1 });
  closing.push(() => cluster.stop());
  await createClusterDatabase(cluster.primary.dsn);
  const [standby] = cluster.standbys;
  if (standby === undefined) throw new RangeError('the cluster has no standby');
  const s3 = await startS3({ folder: join(folder, 's3') });
  closing.push(() => s3.stop());
  const git = await startGitServer(join(folder, 'repositories'));
  closing.push(() => git.close());
  const embedder = await openEmbeddingServer(ollamaApi);
  closing.push(() => embedder.stop());
  const toxiproxy = await startToxiproxy({ folder: join(folder, 'toxiproxy') });
  closing.push(() => toxiproxy.stop());
  const openProxy = (upstream: string, name: string): Promise<ToxicProxy> =>
    openToxicProxy(toxiproxy.url, upstream, name);
  const proxies = {
    object_store: await openProxy(s3.endpoint, 'object_store'),
    embedding_provider: await openProxy(embedder.url, 'embedding_provider'),
    git_host: await openProxy(`http://127.0.0.1:${git.port}`, 'git_host'),
    primary: await openProxy(`http://127.0.0.1:${cluster.primary.port}`, 'primary'),
    standby: await openProxy(`http://127.0.0.1:${standby.port}`, 'standby'),
  };
  await makeBucket({
    bucket: BUCKET,
    endpoint: s3.endpoint,
    region: 'us-east-1',
    force_path_style: true,
    credentials: s3,
    prefix: '',
    presign_ttl_seconds: 300,
    egress: { proxy: { http: undefined, https: undefined, except: [] }, ca_file: undefined },
    now,
  });
  const folders = { small: join(folder, 'small'), large: join(folder, 'large') };
  for (const path of Object.values(folders)) mkdirSync(path);
  const repository = git.addRepository('skills.git');
  repository.commit({ 'README.md': 'Skills.\n' });
  const { provider } = issuer;
  const settings = {
    store: {
      type: 'postgres',
      dsn: throughProxy(clusterDsn(cluster.primary.dsn), proxies.primary),
      replica_dsns: [throughProxy(clusterDsn(standby.dsn), proxies.standby)],
    },
    trusted_proxies: ['127.0.0.1'],
    // A primary that hangs is detected after 7.6 s. Caddy hides 5 s without a ready process from
    // clients.
    read_only: { probe_interval_seconds: 2, probe_failures: 3 },
    object_store: {
      type: 's3',
      bucket: BUCKET,
      endpoint: proxies.object_store.url,
      force_path_style: true,
      access_key_id: s3.access_key_id,
      secret_access_key: s3.secret_access_key,
    },
    identity_provider: {
      type: 'oidc-jwt',
      issuer: provider.issuer,
      audience: [...provider.audience],
      // The keys are stale during most of an outage.
      jwks_cache_ttl_seconds: 5,
    },
    ca_file: provider.ca_file,
    bootstrap_admins: [ADMIN],
    web_ui: {
      enabled: true,
      auth: true,
      oauth_client_id: WEB_CLIENT.id,
      oauth_client_secret: WEB_CLIENT.secret,
      redirect_uri,
      oauth_authorization_endpoint: provider.authorization_endpoint,
      oauth_token_endpoint: provider.token_endpoint,
    },
    embedding_provider: {
      type: 'ollama',
      base_url: proxies.embedding_provider.url,
      model: 'test-model',
      dimensions: embedder.dimensions,
      timeout_seconds: 2,
    },
    egress: { allowed_hosts: ['127.0.0.1'] },
    // All requests have one caller, and a server detects a closed stream only at its next write.
    events: { max_streams_per_user: 1000 },
    git: { folder: join(folder, 'clones') },
  };
  const config = join(folder, 'registry.yaml');
  writeFileSync(config, JSON.stringify({ registry: settings }));
  await ensureWebAssets();
  const child = await startServeProcess({ folder, config, port });
  closing.push(() => stopServeProcess(child, 'SIGKILL'));
  const reverse = await startReverseProxies(folder, [port]);
  closing.push(() => reverse.close());
  setDefaultCACertificates([...getCACertificates(), reverse.ca]);

  const token = issuer.mint(ADMIN, 'known');
  const register = (id: string, source: object): Promise<RegisteredLayer> =>
    registerLayer(url, token, { id, organization: true, ...source });
  await register(LAYERS.small, { source_type: 'local', local_path: folders.small });
  await register(LAYERS.large, { source_type: 'local', local_path: folders.large });
  const { webhook_url = '', webhook_secret = '' } = await register(LAYERS.git, {
    source_type: 'git',
    repo: `${proxies.git_host.url}/skills.git`,
    ref: 'main',
  });
  const { pathname, search } = new URL(webhook_url);

  const primary = switchServer(cluster.primary, proxies.primary);
  const secondary = switchServer(standby, proxies.standby);
  return {
    url,
    proxies: reverse,
    proxy: undefined,
    folders,
    repository,
    webhook: { path: pathname + search, secret: webhook_secret },
    issuer,
    dependencies: {
      object_store: switchProxy(proxies.object_store),
      embedding_provider: switchProxy(proxies.embedding_provider),
      git_host: switchProxy(proxies.git_host),
      identity_provider: switchIssuer(issuer),
      standby: secondary,
      primary,
      database: {
        async takeDown(fault) {
          await secondary.takeDown(fault);
          await primary.takeDown(fault);
        },
        async bringBack() {
          await primary.bringBack();
          await secondary.bringBack();
        },
      },
    },
  };
}

const HANG: Toxic = { type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } };

function switchProxy(proxy: ToxicProxy): Switch {
  return {
    takeDown: (fault) => (fault === 'refuses' ? proxy.setEnabled(false) : proxy.setToxics([HANG])),
    async bringBack() {
      await proxy.setToxics([]);
      await proxy.setEnabled(true);
    },
  };
}

/** Returns a switch for a database server, which kills it, freezes it, or lets its proxy hang. */
function switchServer(node: PostgresNode, proxy: ToxicProxy): Switch {
  return {
    async takeDown(fault) {
      if (fault === 'refuses') await node.kill('SIGKILL');
      else if (fault === 'hangs') await proxy.setToxics([HANG]);
      else node.freeze();
    },
    async bringBack() {
      await proxy.setToxics([]);
      node.thaw();
      if (node.pid === undefined) await node.restart();
    },
  };
}

/** Signs with a key that no registry has fetched while the issuer is unavailable. */
function switchIssuer(issuer: Issuer): Switch {
  return {
    async takeDown(fault) {
      issuer.fail(fault);
      await issuer.rotate();
    },
    async bringBack() {
      issuer.fail(undefined);
    },
  };
}

function throughProxy(dsn: string, { url }: ToxicProxy): string {
  const through = new URL(dsn);
  through.port = new URL(url).port;
  return through.href;
}

/** A busy machine may miss the registry's timeout for the issuer's keys, so 503 is retried. */
async function registerLayer(url: string, token: string, body: object): Promise<RegisteredLayer> {
  const deadline = performance.now() + REGISTRATION_MS;
  for (;;) {
    const response = await fetch(`${url}/v1/layers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status === 201) return registeredLayer.parse(JSON.parse(text));
    if (response.status !== 503 || performance.now() > deadline) {
      throw new Error(`no layer was registered: ${text}`);
    }
    await delay(RETRY_MS);
  }
}

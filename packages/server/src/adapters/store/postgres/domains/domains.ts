import { countChanges } from '@catalog/core/domain/count-changes';
import type { DomainReader } from '@catalog/core/domain/domain-reader';
import type { DomainReads, DomainWrites } from '@catalog/core/ports/domains';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { Sql } from '../../shared/sql.ts';
import { batches } from '../pool/batches.ts';
import { countArtifacts } from './composed-counts.ts';
import { recountIds, storeCounts } from './counts.ts';
import { mergeFiles, renewTerms, replaceFiles } from './files.ts';
import { followHeads, putImports, removeImports } from './imports.ts';
import { getMembers, listMembers, listSmall, listTags } from './members.ts';
import { getNode, listChildren } from './nodes.ts';
import { describeDomains, searchDomains } from './search.ts';
import { isHidden, loadUnlisted, openDomainView, type DomainView } from './view.ts';
import type { Queries, Reads } from '../../shared/queries.ts';
import type { Transaction } from '../../shared/queries.ts';
import { forgetWaiting } from '../vectors/waiting-removals.ts';

const READ_TEXTS: Sql<{ path: string; text: string }> = `SELECT path, text FROM domain_files
  WHERE tenant = $1 AND layer = $2 AND path = ANY($3::text[])`;
const LIST_PATHS: Sql<{ path: string }> =
  'SELECT path FROM domain_files WHERE tenant = $1 AND layer = $2 ORDER BY path';

export function domainReads({ run }: Pick<Reads, 'run'>): DomainReads {
  return {
    openReader: (tenant, layers) => openReader({ run }, tenant, layers),
    readTexts: (tenant, layer, paths) =>
      run(tenant, async (queries) => {
        const texts = new Map<string, string>();
        for (const some of batches(paths)) {
          const rows = await queries.rows(READ_TEXTS, tenant, layer, some);
          for (const { path, text } of rows) texts.set(path, text);
        }
        return texts;
      }),
    listPaths: (tenant, layer) =>
      run(tenant, async (queries) => {
        const rows = await queries.rows(LIST_PATHS, tenant, layer);
        return rows.map(({ path }) => path);
      }),
    search: (tenant, layers, query) =>
      run(tenant, async (queries) =>
        searchDomains(queries, await openDomainView(queries, tenant, layers), query),
      ),
    describe: (tenant, layers, paths) =>
      run(tenant, async (queries) =>
        describeDomains(queries, await openDomainView(queries, tenant, layers), paths),
      ),
  };
}

export function domainWrites(transaction: Transaction): DomainWrites {
  const { run } = transaction;
  const reads = domainReads(transaction);
  return {
    ...reads,
    async putDomains(tenant, layer, domains) {
      if (domains.length === 0) return;
      await run(tenant, async (queries) => {
        for (const some of batches(domains, ({ text }) => text.length)) {
          const paths = some.map(({ path }) => path);
          await removeImports(queries, tenant, layer, paths);
          await replaceFiles(queries, tenant, layer, paths, some);
          for (const { path, domain } of some) {
            await putImports(queries, { tenant, layer, path }, domain.fields);
          }
        }
      });
      await transaction.touchLayer(tenant, layer);
      transaction.announce();
    },
    async removeDomains(tenant, layer, paths) {
      if (paths.length === 0) return;
      await run(tenant, async (queries) => {
        for (const some of batches(paths)) {
          await removeImports(queries, tenant, layer, some);
          await replaceFiles(queries, tenant, layer, some, []);
        }
        await forgetWaiting(queries, tenant, 'domain', layer, paths);
      });
      await transaction.touchLayer(tenant, layer);
      transaction.announce();
    },
    async renewDomains(tenant, layer) {
      const paths = await reads.listPaths(tenant, layer);
      await run(tenant, async (queries) => {
        for (const some of batches(paths)) await renewTerms(queries, tenant, layer, some);
      });
    },
    async countHeads(tenant, layer, { added, removed }) {
      const ids = [...new Set([...added, ...removed])];
      if (ids.length === 0) return;
      const gone = new Set(removed);
      const counts = countChanges();
      await run(tenant, async (queries) => {
        for (const some of batches(ids)) {
          const change = await recountIds(queries, tenant, layer, some, gone, counts);
          await followHeads(queries, tenant, layer, change);
        }
        for (const some of batches(counts.list())) await storeCounts(queries, tenant, layer, some);
      });
      await transaction.touchLayer(tenant, layer);
    },
  };
}

function openReader({ run }: Pick<Reads, 'run'>, tenant: Tenant, layers: LayerStack): DomainReader {
  let opened: DomainView | undefined;
  function read<Result>(
    answer: (queries: Queries, view: DomainView) => Promise<Result>,
  ): Promise<Result> {
    return run(tenant, async (queries) => {
      opened ??= await openDomainView(queries, tenant, layers);
      return answer(queries, opened);
    });
  }
  return {
    getNode: (path) => read((queries, view) => getNode(queries, view, path)),
    getDomain: (path) =>
      read(async (queries, view) => {
        await loadUnlisted(queries, view, [path]);
        if (isHidden(view, path)) return undefined;
        return (await mergeFiles(queries, tenant, layers, [path])).get(path);
      }),
    listChildren: (paths, limits) =>
      read((queries, view) => listChildren(queries, view, paths, limits)),
    countArtifacts: (paths) => read((queries, view) => countArtifacts(queries, view, paths)),
    listSmall: (paths, fewerThan) =>
      read((queries, view) => listSmall(queries, view, paths, fewerThan)),
    listMembers: (query, after, limit) =>
      read((queries, view) => listMembers(queries, view, query, after?.id ?? '', limit)),
    getMembers: (query, ids) => read((queries, view) => getMembers(queries, view, query, ids)),
    listTags: (path, limit) => read((queries, view) => listTags(queries, view, path, limit)),
  };
}

import { countChanges } from '@catalog/core/domain/count-changes';
import type { DomainReader } from '@catalog/core/domain/domain-reader';
import type { DomainReads, DomainWrites } from '@catalog/core/ports/domains';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { Connection, Run } from '../connection/connection.ts';
import { recountIds, storeCounts } from './counts.ts';
import { mergeFiles, putFile, removeFile, renewTerms } from './files.ts';
import { followHeads, putImports, removeImports } from './imports.ts';
import { getMembers, listMembers, listSmall, listTags } from './members.ts';
import { getNode, listChildren } from './nodes.ts';
import { describeDomains, searchDomains } from './search.ts';
import { isHidden, openDomainView, type DomainView } from './view.ts';
import { markPending, forgetVectors } from '../vectors/embedding-waiting.ts';
import { inSteps } from '../connection/steps.ts';
import type { Transaction } from '../transaction.ts';

export function domainReads(run: Run): DomainReads {
  return {
    openReader: (tenant, layers) => openReader(run, tenant, layers),
    async readTexts(tenant, layer, paths) {
      const texts = new Map<string, string>();
      await inSteps(run, paths, (connection, some) => {
        const statement = connection.statement<{ text: string }>(
          'SELECT text FROM domain_files WHERE tenant = ? AND path = ? AND layer = ?',
        );
        for (const path of some) {
          const row = statement.get(tenant, path, layer);
          if (row !== undefined) texts.set(path, row.text);
        }
      });
      return texts;
    },
    listPaths: (tenant, layer) =>
      run((connection) =>
        connection
          .statement<{ path: string }>(
            'SELECT path FROM domains WHERE tenant = ? AND layer = ? AND description IS NOT NULL',
          )
          .all(tenant, layer)
          .map(({ path }) => path),
      ),
    search: (tenant, layers, query) =>
      run((connection) =>
        searchDomains(connection, openDomainView(connection, tenant, layers), query),
      ),
    describe: (tenant, layers, paths) =>
      run((connection) =>
        describeDomains(connection, openDomainView(connection, tenant, layers), paths),
      ),
  };
}

export function domainWrites(transaction: Transaction): DomainWrites {
  const { run } = transaction;
  const reads = domainReads(run);
  return {
    ...reads,
    async putDomains(tenant, layer, domains) {
      for (const record of domains) {
        const file = { tenant, layer, path: record.path };
        await run((connection) => {
          removeImports(connection, file);
          putFile(connection, file, record);
        });
        await putImports(run, file, record.domain.fields);
      }
      const put = domains.map(({ path }) => path);
      await markPending(transaction, { tenant, layer, kind: 'domain' }, put);
      if (domains.length > 0) await transaction.touchLayer(tenant, layer);
    },
    async removeDomains(tenant, layer, paths) {
      await forgetVectors(transaction, { tenant, layer, kind: 'domain' }, paths);
      await inSteps(run, paths, (connection, some) => {
        for (const path of some) {
          removeImports(connection, { tenant, layer, path });
          removeFile(connection, { tenant, layer, path });
        }
      });
      if (paths.length > 0) await transaction.touchLayer(tenant, layer);
    },
    async renewDomains(tenant, layer) {
      const paths = await reads.listPaths(tenant, layer);
      await inSteps(run, paths, (connection, some) => {
        for (const path of some) renewTerms(connection, { tenant, layer, path });
      });
    },
    async countHeads(tenant, layer, { added, removed }) {
      const ids = [...new Set([...added, ...removed])];
      const gone = new Set(removed);
      const counts = countChanges();
      await inSteps(run, ids, (connection, some) => {
        const change = recountIds(connection, tenant, layer, some, gone, counts);
        followHeads(connection, tenant, layer, change);
      });
      await inSteps(run, counts.list(), (connection, some) => {
        storeCounts(connection, tenant, layer, some);
      });
      if (ids.length > 0) await transaction.touchLayer(tenant, layer);
    },
  };
}

function openReader(run: Run, tenant: Tenant, layers: LayerStack): DomainReader {
  let opened: DomainView | undefined;
  function read<Result>(
    answer: (connection: Connection, view: DomainView) => Result,
  ): Promise<Result> {
    return run((connection) => {
      opened ??= openDomainView(connection, tenant, layers);
      return answer(connection, opened);
    });
  }
  return {
    getNode: (path) => read((connection, view) => getNode(connection, view, path)?.node),
    countArtifacts: (paths) =>
      read((connection, view) =>
        paths.flatMap((path) => getNode(connection, view, path)?.counts ?? []),
      ),
    getDomain: (path) =>
      read((connection, view) =>
        isHidden(connection, view, path)
          ? undefined
          : mergeFiles(connection, tenant, view.ranks, path),
      ),
    listChildren: (paths, limits) =>
      read((connection, view) => listChildren(connection, view, paths, limits)),
    listSmall: (paths, fewerThan) =>
      read((connection, view) => listSmall(connection, view, paths, fewerThan)),
    listMembers: (query, after, limit) =>
      read((connection, view) => listMembers(connection, view, query, after?.id ?? '', limit)),
    getMembers: (query, ids) =>
      read((connection, view) => getMembers(connection, view, query, ids)),
    listTags: (path, limit) => read((connection, view) => listTags(connection, view, path, limit)),
  };
}

import type { Store } from '@catalog/core/ports/store';
import type { Tracing } from '@catalog/core/ports/tracing';

/** Returns a port with a span around each call. All methods except `others` must return promises. */
export function traceMethods<Port extends object>(
  tracing: Tracing,
  part: string,
  port: Port,
  others: readonly (keyof Port)[] = [],
): Port {
  const untraced: ReadonlySet<unknown> = new Set(others);
  const traced: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(port)) {
    if (typeof method !== 'function' || untraced.has(name)) continue;
    const span = { name: `${part}.${name}` };
    traced[name] = (...args: unknown[]) =>
      tracing.startSpan<unknown>(span, async () => Reflect.apply(method, port, args));
  }
  return { ...port, ...traced };
}

/** Returns a store with spans around reads and transactions; calls inside a transaction have none. */
export function traceStore(tracing: Tracing, store: Store): Store {
  return {
    ...store,
    tenants: traceMethods(tracing, 'store.tenants', store.tenants),
    grants: traceMethods(tracing, 'store.grants', store.grants),
    directory: traceMethods(tracing, 'store.directory', store.directory),
    layers: traceMethods(tracing, 'store.layers', store.layers),
    versions: traceMethods(tracing, 'store.versions', store.versions),
    search: traceMethods(tracing, 'store.search', store.search),
    domains: traceMethods(tracing, 'store.domains', store.domains, ['openReader']),
    vectors: traceMethods(tracing, 'store.vectors', store.vectors),
    jobs: traceMethods(tracing, 'store.jobs', store.jobs),
    outbox: traceMethods(tracing, 'store.outbox', store.outbox),
    audit: traceMethods(tracing, 'store.audit', store.audit),
    sessions: traceMethods(tracing, 'store.sessions', store.sessions),
    receivers: traceMethods(tracing, 'store.receivers', store.receivers),
    dispatches: traceMethods(tracing, 'store.dispatches', store.dispatches),
    transaction: (work) =>
      tracing.startSpan({ name: 'store.transaction' }, () => store.transaction(work)),
    together: (tenant, work) =>
      tracing.startSpan({ name: 'store.together' }, () => store.together(tenant, work)),
    onCommit: (listener) => store.onCommit(() => tracing.detach(listener)),
  };
}

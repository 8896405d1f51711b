import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { Failure } from './failure.tsx';

export interface QueryViewProps<Data> {
  query: UseQueryResult<Data>;
  loading: ReactNode;
  /** Content for some errors, such as a missing artifact; false for all others. */
  failed?: (error: Error) => ReactNode;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query. Earlier data stays visible during a reload or an error. */
export function QueryView<Data>({
  query,
  loading,
  failed,
  children,
}: QueryViewProps<Data>): ReactElement {
  const { data, error, isPending } = query;
  if (data !== undefined) return <>{children(data)}</>;
  if (isPending) return <>{loading}</>;
  if (error === null) return <>{loading}</>;
  const own = failed?.(error);
  if (own !== undefined && own !== null && own !== false) return <>{own}</>;
  return <Failure error={error} onRetry={() => void query.refetch()} />;
}

import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { Failure } from './failure.tsx';

export interface QueryViewProps<Data> {
  query: UseQueryResult<Data>;
  /** Shown until the first response. */
  loading: ReactNode;
  /** Shown in place of an error that has its own page, such as a missing artifact; false for others. */
  failed?: (error: Error) => ReactNode;
  children: (data: Data) => ReactNode;
}

/** Shows a response, or its loading or error state. Data that was loaded before stays visible. */
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

import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Notice } from './notice.tsx';
import * as buttonStyles from './button.module.css';

interface LazyProps {
  loading: ReactNode;
  /** Shown if loading fails; a notice with a button by default. */
  failed?: (retry: () => void) => ReactNode;
}

/**
 * Creates a component that loads when it is first shown. React's `lazy` shows a fallback for 300 ms and cannot retry.
 */
export function lazyComponent<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props & LazyProps> {
  return function Lazy({ loading, failed, ...props }: Props & LazyProps): ReactElement {
    const { data: Loaded, isError, refetch } = useQuery(toQuery(name, load));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot subtract keys
    if (Loaded !== undefined) return <Loaded {...(props as unknown as Props)} />;
    if (!isError) return <>{loading}</>;
    const retry = (): void => void refetch();
    return <>{failed === undefined ? <ChunkFailure onRetry={retry} /> : failed(retry)}</>;
  };
}

function toQuery<Value>(name: string, load: () => Promise<Value>) {
  return { queryKey: ['chunk', name], queryFn: load, staleTime: Infinity, gcTime: Infinity };
}

function ChunkFailure({ onRetry }: { onRetry: () => void }): ReactElement {
  return (
    <Notice
      kind="bad"
      title="This part of the page did not load"
      action={
        <>
          <Button className={buttonStyles.button} onPress={onRetry}>
            Try again
          </Button>{' '}
          <Button className={buttonStyles.button} onPress={() => location.reload()}>
            Reload the page
          </Button>
        </>
      }
    >
      The connection may have been interrupted. If the registry was updated since you opened this
      page, reload it.
    </Notice>
  );
}

import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import * as buttonStyles from './button.module.css';
import * as styles from './more-button.module.css';

export function MoreButton({
  query,
}: {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >;
}): ReactElement | null {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  if (!hasNextPage) return null;
  return (
    <p className={styles.more}>
      <button
        type="button"
        className={buttonStyles.button}
        disabled={isFetchingNextPage}
        onClick={() => void fetchNextPage()}
      >
        {isFetchingNextPage ? 'Loading…' : 'Show more'}
      </button>
      {isFetchNextPageError && <span role="alert">The next page did not load.</span>}
    </p>
  );
}

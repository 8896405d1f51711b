import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';

/** Loads the next page of a list; absent on the last page. */
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
    <p className="more">
      <Button
        className="button"
        isDisabled={isFetchingNextPage}
        onPress={() => void fetchNextPage()}
      >
        {isFetchingNextPage ? 'Loading…' : 'Show more'}
      </Button>
      {isFetchNextPageError && <span role="alert">The next page did not load.</span>}
    </p>
  );
}

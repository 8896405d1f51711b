import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { LAYER_KEYS } from '../../api/changes.ts';

/** Runs a change of layers and refreshes everything that depends on layers. */
export function useLayerChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
): UseMutationResult<Output, Error, Input> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [first] }) =>
          typeof first === 'string' && LAYER_KEYS.includes(first),
      }),
  });
}

import type { RejectionRecord } from '@catalog/core/ports/versions';

export type RejectionRow<More extends object = object> = Omit<RejectionRecord, 'type'> &
  More & { type: string | null };

export function toRejection<Row extends { type: string | null }>({
  type,
  ...rest
}: Row): Omit<Row, 'type'> & { type?: string } {
  return type === null ? rest : { ...rest, type };
}

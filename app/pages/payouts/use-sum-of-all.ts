import { useEffect, useState } from 'react';
import type { PendingPage } from '#features/payout-runs/model.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { type PayoutsQuery, sortParam } from './payouts-query.ts';

/**
 * What all pending payouts come to, in cents, once all are selected: asked for then, and anew with every list that is read. Null until
 * it is known.
 */
export function useSumOfAll(
  isSelected: boolean,
  pending: PendingPage | null,
  sort: PayoutsQuery['sort'],
): number | null {
  const [cents, setCents] = useState<number | null>(null);
  const order = sort ? sortParam(sort) : '';
  useEffect(() => {
    if (!isSelected || !pending) {
      setCents(null);
      return;
    }
    const abort = new AbortController();
    fetch(adminPaths.pendingSum(order), { signal: abort.signal })
      .then((answer) => (answer.ok ? (answer.json() as Promise<{ cents: number }>) : null))
      .then(
        (sum) => setCents(sum?.cents ?? null),
        // The review of the run names its sum in any case.
        () => !abort.signal.aborted && setCents(null),
      );
    return () => abort.abort();
  }, [isSelected, pending, order]);
  return cents;
}

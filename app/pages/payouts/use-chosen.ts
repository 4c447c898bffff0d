import { useEffect, useMemo, useState } from 'react';
import type { PendingPage, PendingPayout } from '#features/payout-runs/model.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { postJson } from '#ui/post-and-read.ts';

/** Sales with what their sellers are owed, in cents. */
type Chosen = ReadonlyMap<string, number>;

const none: Chosen = new Map();

/**
 * The payouts that are chosen, on the page shown and on others, where whoever pages on has left them: a change of the list asks the
 * server which of those are still pending, and for how much.
 */
export function useChosen(pending: PendingPage | null) {
  const [kept, setKept] = useState(none);
  const chosen = useMemo(() => asListed(kept, pending?.rows ?? []), [kept, pending]);
  const elsewhere = [...kept.keys()].filter((id) => !pending?.rows.some(({ saleId }) => saleId === id));
  const asked = elsewhere.join(',');
  useEffect(() => {
    // With every list that is read anew, `pending` is another one.
    if (!pending || asked === '') return;
    let current = true;
    const sales = asked.split(',');
    void postJson<{ pending: Pick<PendingPayout, 'saleId' | 'amountCents'>[] }>(adminPaths.stillPending(), {
      sales,
    }).then((answer) => {
      if (!current || !answer?.ok || !answer.body) return;
      const found = new Map(answer.body.pending.map(({ saleId, amountCents }) => [saleId, amountCents]));
      setKept((before) => {
        const next = new Map(before);
        for (const id of sales) {
          const cents = found.get(id);
          if (cents === undefined) next.delete(id);
          else if (next.has(id)) next.set(id, cents);
        }
        return isSame(before, next) ? before : next;
      });
    });
    return () => {
      current = false;
    };
  }, [pending, asked]);
  return { chosen, elsewhere, choose: setKept };
}

/** Without those that are in a run by now, at the amounts that are shown. */
function asListed(kept: Chosen, rows: readonly PendingPayout[]): Chosen {
  const chosen = new Map(kept);
  for (const { saleId, inRun, amountCents } of rows)
    if (inRun) chosen.delete(saleId);
    else if (chosen.has(saleId)) chosen.set(saleId, amountCents);
  return chosen;
}

const isSame = (one: Chosen, other: Chosen): boolean =>
  one.size === other.size && [...one].every(([id, cents]) => other.get(id) === cents);

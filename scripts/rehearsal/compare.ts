import type { Database } from '#platform/db/database.ts';
import { type ProviderFacts, readProviderFacts } from './prints.ts';

/** A checkout at a provider, as a database recorded it. */
export interface RecordedCheckout {
  saleId: string;
  provider: string;
  ref: string;
}

/** What the original knew when it was lost, as the rehearsal has it: right after the backup. */
export interface LastState {
  checkouts: RecordedCheckout[];
  facts: ProviderFacts;
}

/** Reads one snapshot of the checkouts and of the money that went through the providers. */
export const readLastState = (db: Database): Promise<LastState> =>
  db.tx(async () => {
    const rows = await db
      .q()
      .selectFrom('property_sales')
      .select(['id', 'provider', 'provider_session_id'])
      .where('provider_session_id', 'is not', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const checkouts = rows.map(({ id, provider, provider_session_id }) => ({
      saleId: id,
      provider,
      ref: provider_session_id ?? '',
    }));
    return { checkouts, facts: await readProviderFacts(db) };
  });

/** How a replayed copy compares with what the original knew when it was lost. */
export interface Comparison {
  /** checkouts that the copy does not know: of sales begun, or opened for payment, after the backup */
  unknownCheckouts: RecordedCheckout[];
  /** facts about other sales, in the original when it was lost, and those of them that the copy has */
  lost: { original: ProviderFacts; copy: ProviderFacts };
  /** entries that the copy got from a provider, and the original not even until now */
  ahead: ProviderFacts;
}

/**
 * Compares the copy with the original as it was when it was lost. What the copy knows beyond that, a provider told it later;
 * the original as it is now has usually heard of it too.
 */
export function compareStates(last: LastState, copy: LastState, now: ProviderFacts): Comparison {
  const known = new Set(copy.checkouts.map(({ saleId, ref }) => `${saleId} ${ref}`));
  const unknownCheckouts = last.checkouts.filter(({ saleId, ref }) => !known.has(`${saleId} ${ref}`));
  const unknownSales = new Set(unknownCheckouts.map(({ saleId }) => saleId));
  const lost: Comparison['lost'] = { original: new Map(), copy: new Map() };
  for (const [sale, lines] of last.facts) {
    if (unknownSales.has(sale)) continue;
    const ours = new Set(copy.facts.get(sale));
    lost.original.set(sale, lines);
    lost.copy.set(
      sale,
      lines.filter((line) => ours.has(line)),
    );
  }
  const ahead: ProviderFacts = new Map();
  for (const [sale, lines] of copy.facts) {
    const theirs = new Set([...(last.facts.get(sale) ?? []), ...(now.get(sale) ?? [])]);
    const surplus = lines.filter((line) => !theirs.has(line));
    if (surplus.length > 0) ahead.set(sale, surplus);
  }
  return { unknownCheckouts, lost, ahead };
}

/** The entries that the copy lacks, one line for each. */
export const missingEntries = ({ lost }: Comparison): string[] =>
  [...lost.original].flatMap(([sale, lines]) => {
    const ours = lost.copy.get(sale) ?? [];
    return lines
      .filter((line) => !ours.includes(line))
      .map((line) => `entry of sale ${sale}: the original has ${line}`);
  });

export const countEntries = (facts: ProviderFacts): number =>
  [...facts.values()].reduce((sum, lines) => sum + lines.length, 0);

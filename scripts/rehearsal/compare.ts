import { setTimeout as wait } from 'node:timers/promises';
import type { CtxWith } from '#gateways/ports.ts';
import type { Database } from '#platform/db/database.ts';
import { type ProviderFacts, readProviderFacts } from './prints.ts';
import { askAgain, findLostCheckouts, type LostCheckout } from './providers.ts';

/** How often the copy is compared with an original that goes on working. */
const ROUNDS = 5;

/** What the original and the restored copy say about the money that went through the providers. */
export interface Comparison {
  /** checkouts that the copy does not know; their sales are compared no further */
  lost: LostCheckout[];
  /** the facts of all other sales, each as of the moment that it was last compared */
  original: ProviderFacts;
  copy: ProviderFacts;
  /** the sales whose facts differ */
  differing: string[];
  /** entries about payments, refunds and disputes that the original holds by now, of all sales */
  originalEntries: number;
}

/**
 * Compares the copy with the original, which may have heard from a provider since the copy asked it, or not yet: sales that
 * differ are asked about and compared again.
 * @param pauseMs pause between two comparisons in milliseconds
 */
export async function compareFacts(
  copy: CtxWith<'payments'>,
  original: Database,
  pauseMs: number,
): Promise<Comparison> {
  const found: Comparison = {
    lost: [],
    original: new Map(),
    copy: new Map(),
    differing: [],
    originalEntries: 0,
  };
  for (let round = 1; ; round += 1) {
    const lost = await findLostCheckouts(original, copy.db);
    const facts = { original: await readProviderFacts(original), copy: await readProviderFacts(copy.db) };
    const unknown = new Set(lost.map(({ saleId }) => saleId));
    const all = new Set([...facts.original.keys(), ...facts.copy.keys()]);
    const compared = round === 1 ? [...all] : found.differing;
    for (const side of ['original', 'copy'] as const) {
      for (const sale of compared) found[side].set(sale, facts[side].get(sale) ?? []);
      for (const sale of unknown) found[side].delete(sale);
    }
    found.lost = lost;
    found.originalEntries = countEntries(facts.original);
    found.differing = compared.filter(
      (sale) => !unknown.has(sale) && linesOf(found.original, sale) !== linesOf(found.copy, sale),
    );
    if (found.differing.length === 0 || round === ROUNDS) return found;
    await wait(pauseMs);
    await askAgain(copy, found.differing);
  }
}

const linesOf = (facts: ProviderFacts, sale: string) => (facts.get(sale) ?? []).toSorted().join('\n');

export const countEntries = (facts: ProviderFacts): number =>
  [...facts.values()].reduce((sum, lines) => sum + lines.length, 0);

/** Says in which entries a sale differs. */
export function describeDifference({ original, copy }: Comparison, sale: string): string {
  const [ours, theirs] = [copy.get(sale) ?? [], original.get(sale) ?? []];
  const missing = theirs.filter((line) => !ours.includes(line));
  const surplus = ours.filter((line) => !theirs.includes(line));
  return [
    `sale ${sale} differs after the replay`,
    ...missing.map((line) => `only in the original: ${line}`),
    ...surplus.map((line) => `only in the copy: ${line}`),
  ].join('\n  ');
}

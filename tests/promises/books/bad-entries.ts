import { randomUUID } from 'node:crypto';
import { postEntry } from '#features/ledger/commands/post-entry.ts';
import type { Posting } from '#features/ledger/model.ts';
import { type BookedSale, type Books, randomInteger } from './books.ts';

const REFUSALS =
  /is wrong|more than is held|outside a transaction|Not authorized|violates foreign key constraint/;

const move = (from: Posting['account'], to: Posting['account'], cents: number): Posting[] => [
  { account: from, cents },
  { account: to, cents: -cents },
];

/** Tries an entry that must be refused: unbalanced, empty, zero, fractional, overdrawn, outside a transaction, or by a user. */
export async function tryBadEntry(
  { saleScenario, account, random }: Books,
  sale: BookedSale,
): Promise<string[]> {
  const { basePriceCents: base, buyerFeesCents: fees } = sale.amounts;
  const cents = randomInteger(random, 1, base);
  const bad: Posting[][] = [
    [
      { account: 'disputed', cents },
      { account: 'clearing', cents: -cents - 1 },
    ],
    [],
    [{ account: 'disputed', cents }],
    [
      { account: 'disputed', cents: 0 },
      { account: 'clearing', cents: 0 },
    ],
    [
      { account: 'disputed', cents: cents + 0.5 },
      { account: 'clearing', cents: -cents - 0.5 },
    ],
    move('escrow_held', 'clearing', base + cents),
    move('fees_held', 'clearing', fees + cents),
    move('suspense', 'clearing', 2 * (base + fees) + cents),
    move('no_such_account' as Posting['account'], 'clearing', cents),
  ];
  const at = Math.floor(random() * (bad.length + 3));
  const isWithoutAccount = at === bad.length + 2;
  const entry = {
    key: `bad:${randomUUID()}`,
    kind: 'L5' as const,
    saleId: sale.id,
    providerAccountId: isWithoutAccount ? null : account,
    memo: 'A test',
    postings: bad[at] ?? move('disputed', 'clearing', cents),
  };
  try {
    if (at === bad.length) await postEntry(saleScenario.system, entry);
    else
      await saleScenario.db.tx(() =>
        postEntry(
          at === bad.length + 1 ? saleScenario.contextFor(saleScenario.admin) : saleScenario.system,
          entry,
        ),
      );
    return [`got in: ${JSON.stringify(entry)}`];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return REFUSALS.test(reason) ? [] : [`refused for another reason: ${reason}`];
  }
}

import type { EntryKind, Posting } from '#features/ledger/model.ts';
import {
  type PayoutSide,
  payoutFeePostings,
  returnedPostings,
  sentPostings,
  unsentPostings,
} from '#features/ledger/payout-postings.ts';
import type { PayoutFailure, PayoutItem, PayoutState } from '#gateways/payouts/port.ts';
import type { PayoutRowStatus } from './model.ts';

/** A payout as it is on record. Cents. */
export interface BookedPayout {
  attempt: number;
  status: PayoutRowStatus;
  amountCents: number;
  paidCents: number;
  returnedCents: number;
  /** what we took back for a refund, or are taking back: the provider counts that as returned, too */
  takenBackCents: number;
  feeCents: number;
  items: readonly PayoutItem[];
}

/** An entry to post; its key without the sale. */
export interface PlannedEntry {
  key: string;
  kind: EntryKind;
  memo: string;
  postings: Posting[];
}

export interface PayoutPlan {
  entries: PlannedEntry[];
  items: PayoutItem[];
  status: PayoutRowStatus;
  paidCents: number;
  returnedCents: number;
  feeCents: number;
  failure: PayoutFailure | null;
  /** what came back since the last answer; cents */
  cameBackCents: number;
}

/** An answer that contradicts what is on record; nothing follows from it. */
export interface PayoutContradiction {
  contradiction: string;
}

/** What the answer of a provider means for a payout. The same answer again, or an older one, means nothing new. */
export function planPayout(booked: BookedPayout, state: PayoutState): PayoutPlan | PayoutContradiction {
  // Parts that an older answer does not name yet stay as they are.
  const items = [
    ...booked.items.filter(({ ref }) => !itemOf(state, ref)),
    ...state.items.map((item) => laterItem(itemOf(booked, item.ref), item)),
  ];
  const sum = sumOf(items);
  if (booked.status !== 'processing' && items.length > booked.items.length)
    return { contradiction: 'The provider names another part of a payout that had ended.' };
  if (sum > booked.amountCents || (state.status === 'paid' && sum < booked.amountCents))
    return { contradiction: `The provider names ${sum} cents of a payout of ${booked.amountCents}.` };
  const entries: PlannedEntry[] = [];
  const post = (key: string, memo: string, postings: Posting[]) => {
    if (postings.length > 0) entries.push({ key, kind: 'L3', memo, postings });
  };
  for (const item of items) {
    const before = itemOf(booked, item.ref);
    if (hasLeft(item) && !hasLeft(before))
      post(`payout-paid:${item.ref}`, 'Payout sent', sentPostings(item.amountCents, 'clearing'));
    if (item.status === 'failed' && before?.status !== 'failed')
      post(`payout-failed:${item.ref}`, 'Payout not sent', unsentPostings(item.amountCents));
  }
  const isOver = state.status !== 'processing' && items.every(({ status }) => status !== 'processing');
  if (isOver && booked.status === 'processing' && sum < booked.amountCents)
    post(`payout-refused:${booked.attempt}`, 'Payout refused', unsentPostings(booked.amountCents - sum));
  const returned = returnedCentsOf(booked, items);
  for (const { key, cents } of returned.parts)
    post(key, 'Payout came back', returnedPostings(cents, 'clearing'));
  const feeCents = Math.max(booked.feeCents, state.feeCents ?? 0);
  post(
    `payout-fee:${booked.attempt}:${feeCents}`,
    'Fee of the payout',
    payoutFeePostings(feeCents - booked.feeCents),
  );
  const paidCents = sumOf(items.filter(hasLeft));
  const status = statusAfter(booked, {
    isOver,
    hasArrived: paidCents === booked.amountCents && returned.totalCents === 0,
  });
  return {
    entries,
    items,
    paidCents,
    returnedCents: returned.totalCents,
    feeCents,
    // What we took back ourselves is no failure.
    failure:
      status === 'completed'
        ? null
        : (state.failure ?? items.find(({ failure }) => failure)?.failure ?? null),
    cameBackCents: returned.totalCents - booked.returnedCents,
    status,
  };
}

function statusAfter(
  { status }: BookedPayout,
  { isOver, hasArrived }: { isOver: boolean; hasArrived: boolean },
): PayoutRowStatus {
  if (status === 'failed') return 'failed';
  if (status === 'processing' && !isOver) return 'processing';
  return hasArrived ? 'completed' : 'failed';
}

const itemOf = ({ items }: { items: readonly PayoutItem[] }, ref: string) =>
  items.find((item) => item.ref === ref);

const hasLeft = (item: PayoutItem | undefined) => item?.status === 'paid' || item?.status === 'returned';

const sumOf = (items: readonly PayoutItem[]) => items.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** An item never goes back: what has left counts as returned when the provider then says that it failed. */
function laterItem(before: PayoutItem | undefined, item: PayoutItem): PayoutItem {
  if (!before) return item;
  if (before.status === 'failed') return before;
  const returnedCents = Math.max(before.returnedCents, item.returnedCents);
  if (!hasLeft(before)) return { ...item, returnedCents };
  if (item.status === 'failed') return { ...item, status: 'returned', returnedCents: item.amountCents };
  return item.status === 'processing'
    ? { ...before, returnedCents }
    : { ...item, returnedCents, status: before.status === 'returned' ? 'returned' : item.status };
}

/**
 * What came back by itself: all that the provider counts as returned, but what we took back. Each item has an entry of its own, as
 * the provider books it; together where something was taken back, which nobody says of which item.
 */
function returnedCentsOf(
  booked: BookedPayout,
  items: readonly PayoutItem[],
): { totalCents: number; parts: { key: string; cents: number }[] } {
  const all = items.reduce((sum, { returnedCents }) => sum + returnedCents, 0);
  const totalCents = Math.max(booked.returnedCents, all - booked.takenBackCents);
  if (totalCents === booked.returnedCents) return { totalCents, parts: [] };
  if (booked.takenBackCents > 0)
    return {
      totalCents,
      parts: [
        { key: `payout-returned:${booked.attempt}:${totalCents}`, cents: totalCents - booked.returnedCents },
      ],
    };
  const parts = items.map((item) => ({
    key: `payout-returned:${item.ref}:${item.returnedCents}`,
    cents: item.returnedCents - (itemOf(booked, item.ref)?.returnedCents ?? 0),
  }));
  return { totalCents, parts: parts.filter(({ cents }) => cents > 0) };
}

/** A payout by hand was carried out: it has left our bank. */
export const manualSentEntry = (attempt: number, cents: number): PlannedEntry => ({
  key: `payout-paid:manual:${attempt}`,
  kind: 'L3',
  memo: 'Payout sent by hand',
  postings: sentPostings(cents, 'bank'),
});

/** A payout by hand was not carried out, or came back to our bank. */
export function manualFailedEntry(attempt: number, cents: number, hadLeft: boolean): PlannedEntry {
  const side: PayoutSide = 'bank';
  return hadLeft
    ? {
        key: `payout-returned:manual:${attempt}`,
        kind: 'L3',
        memo: 'Payout by hand came back',
        postings: returnedPostings(cents, side),
      }
    : {
        key: `payout-failed:manual:${attempt}`,
        kind: 'L3',
        memo: 'Payout by hand not sent',
        postings: unsentPostings(cents),
      };
}

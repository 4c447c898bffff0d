import {
  lossIn,
  type Outflow,
  type Parts,
  remainderAfter,
  remainderPostings,
} from '#features/ledger/allocation.ts';
import { sumOf } from '#features/ledger/balances.ts';
import type { Account, EntryKind, Posting } from '#features/ledger/model.ts';
import type { SaleEvent } from '#features/sales/model.ts';
import { madeUpCents } from '#features/sales/sale-books.ts';
import { resolveTransition } from '#features/sales/transitions.ts';
import { decimalAmount } from '#platform/money.ts';
import { asReceived, earlyCents, isStep, outflowsOf, paymentOf } from './outflows.ts';
import {
  applyChange,
  type BreakInput,
  type Change,
  factsOfImage,
  imageBalances,
  type SaleImage,
} from './sale-image.ts';

/** What an event carries besides its name. */
interface EventDetails {
  amountCents?: number;
  again?: Parts;
}

/** Collects changes and keeps the image as it is after each, so that every step of a plan sees the ones before. */
export class Draft {
  image: SaleImage;
  readonly changes: Change[] = [];

  constructor(image: SaleImage) {
    this.image = image;
  }

  add(change: Change): void {
    this.changes.push(change);
    this.image = applyChange(this.image, change);
  }

  posted(key: string): boolean {
    return this.image.entries.some((entry) => entry.key === key);
  }

  /** The key of a step that can happen again. */
  nextKey(step: string): string {
    const number = this.image.entries.filter((entry) => isStep(entry, step)).length;
    return number === 0 ? step : `${step}:${number}`;
  }

  post(key: string, kind: EntryKind, memo: string, postings: readonly Posting[]): void {
    if (postings.length > 0 && !this.posted(key))
      this.add({ type: 'entry', entry: { key, kind, postings }, memo });
  }

  /** Posts how much of it has left the sale for good by now; a break tells of what was not there anymore. */
  settle(key: string, kind: EntryKind, memo: string, { of, outflow, to }: Settlement): void {
    const { image } = this;
    const earlier = outflowsOf(image);
    const payment = paymentOf(image);
    const postings = remainderPostings({
      amounts: image.amounts,
      balances: imageBalances(image),
      isReleased: this.posted('released'),
      before: remainderAfter(payment, [...earlier.values()]),
      after: remainderAfter(payment, [...new Map(earlier).set(of, asReceived(image, of, outflow)).values()]),
      // We made up for what was gone by then; what left later is the buyer's when it comes back.
      madeUpCents: Math.min(madeUpCents(image.entries), earlyCents(image, of)),
      to,
    });
    this.post(key, kind, memo, postings);
    const lossCents = lossIn(postings);
    if (lossCents <= 0) return;
    this.break({
      kind: 'paid_back_twice',
      subject: `${key}:${image.saleId}`,
      detail: `${decimalAmount(lossCents)} USD more went back to the buyer than was left of the payment.`,
      expectedCents: lossCents - outflow.cents,
      actualCents: -outflow.cents,
    });
  }

  /** Opens a break, once ever about the same subject. */
  break(input: BreakInput): void {
    const known = this.image.breaks.some(
      ({ kind, subject }) => kind === input.kind && subject === input.subject,
    );
    if (!known) this.add({ type: 'break', ...input });
  }

  /** Triggers an event if it is possible now. @returns whether it was */
  trigger(event: SaleEvent, note: string | null, details: EventDetails = {}): boolean {
    const { ok } = resolveTransition(this.image.state, event, 'system', factsOfImage(this.image));
    if (ok) this.add({ type: 'event', event, note, ...details });
    return ok;
  }

  /** Triggers an event that follows from a fact about money: if the sale cannot follow, that is a break. */
  follow(event: SaleEvent, note: string | null, subject: string, details: EventDetails = {}): void {
    if (this.trigger(event, note, details)) return;
    const { payment, escrow } = this.image.state;
    this.break({
      kind: 'refused_move',
      subject: `${event}:${subject}:${this.image.saleId}`,
      detail: `"${event}" is not possible for a sale that is ${payment} · ${escrow}.`,
    });
  }
}

interface Settlement {
  /** the refund's key or the dispute's reference */
  of: string;
  /** how much of it has left altogether */
  outflow: Outflow;
  /** the account on the other side */
  to: Account;
}

/** What was received for a sale, in cents. */
export const receivedCents = ({ entries }: SaleImage): number =>
  sumOf(
    entries.filter(
      ({ key, kind }) =>
        (key === 'paid' && kind === 'L1') || (kind === 'L6' && /^(?:suspense|tranche):/.test(key)),
    ),
    ['clearing'],
  );

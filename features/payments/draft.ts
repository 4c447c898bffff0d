import { allocate, type Parts, takenPostings } from '#features/ledger/allocation.ts';
import { sumOf } from '#features/ledger/balances.ts';
import type { Account, EntryKind, Posting } from '#features/ledger/model.ts';
import type { SaleEvent } from '#features/sales/model.ts';
import { resolveTransition } from '#features/sales/transitions.ts';
import {
  applyChange,
  type BreakInput,
  type Change,
  factsOfImage,
  imageBalances,
  lostDetail,
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

  post(key: string, kind: EntryKind, memo: string, postings: readonly Posting[]): void {
    if (postings.length > 0 && !this.posted(key))
      this.add({ type: 'entry', entry: { key, kind, postings }, memo });
  }

  /** Posts money that leaves the sale; a break tells of what was not there any more. */
  take(key: string, kind: EntryKind, memo: string, { cents, asked, to }: Takeout): void {
    const balances = imageBalances(this.image);
    const allocation = allocate(cents, asked, balances);
    this.post(key, kind, memo, takenPostings(this.image.amounts, balances, allocation, to));
    if (allocation.lossCents > 0)
      this.break({
        kind: 'paid_back_twice',
        subject: `${key}:${this.image.saleId}`,
        detail: lostDetail(allocation),
        expectedCents: cents - allocation.lossCents,
        actualCents: cents,
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

interface Takeout {
  cents: number;
  /** what it was to return; the rest is taken where it is */
  asked: Parts;
  /** the account that it goes to */
  to: Account;
}

/** What was received for a sale, in cents. */
export const receivedCents = ({ entries }: SaleImage): number =>
  sumOf(
    entries.filter(
      ({ key, kind }) => (key === 'paid' && kind === 'L1') || (kind === 'L6' && key.startsWith('suspense:')),
    ),
    ['clearing'],
  );

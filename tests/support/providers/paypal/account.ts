import { randomUUID } from 'node:crypto';
import { DAY } from '#platform/durations.ts';

/** The states of an item in PayPal's words. */
export type ItemState =
  | 'PENDING'
  | 'ONHOLD'
  | 'UNCLAIMED'
  | 'SUCCESS'
  | 'FAILED'
  | 'BLOCKED'
  | 'RETURNED'
  | 'REFUNDED'
  | 'REVERSED';

interface ItemRecord {
  id: string;
  senderItemId: string;
  receiver: string;
  cents: number;
  state: ItemState;
}

interface BatchRecord {
  id: string;
  senderBatchId: string;
  items: ItemRecord[];
  /** what PayPal says of the whole; by default what follows from the items */
  status?: string;
  /** in milliseconds */
  createdAt: number;
}

export interface PayPalEvent {
  id: string;
  event_version: '1.0';
  create_time: string;
  event_type: string;
  resource_type: string;
  resource: object;
}

export const ITEM_FEE_CENTS = 25;
/** An item holds its amount and fee while it is processed. */
const HOLDS: readonly ItemState[] = ['PENDING', 'ONHOLD'];
const LEFT: readonly ItemState[] = ['UNCLAIMED', 'SUCCESS'];
const CAME_BACK: readonly ItemState[] = ['RETURNED', 'REFUNDED', 'REVERSED'];
/** How long a sender's id of a batch is kept. */
const KEY_MS = 30 * DAY;

/** One account of a fake PayPal: its balance, the batches that were sent, and the messages about them. */
export class PayPalAccount {
  readonly id: string;
  totalCents = 0;
  /** in order */
  readonly batches: BatchRecord[] = [];
  readonly events: PayPalEvent[] = [];
  /** items come later than their batch while this is set */
  hidesItems = false;
  readonly #now: () => Date;
  /** Names are unique among all fakes, as among all of PayPal's. */
  readonly #prefix = randomUUID().slice(0, 6).toUpperCase();
  #count = 0;

  constructor(id: string, now: () => Date) {
    this.id = id;
    this.#now = now;
  }

  get availableCents(): number {
    const held = this.#items().filter(({ state }) => HOLDS.includes(state));
    return this.totalCents - held.reduce((sum, { cents }) => sum + cents + ITEM_FEE_CENTS, 0);
  }

  /** The batch that a sender's id names, while it is kept. */
  batchWith(senderBatchId: string): BatchRecord | undefined {
    const since = this.#now().getTime() - KEY_MS;
    return this.batches.findLast((one) => one.senderBatchId === senderBatchId && one.createdAt > since);
  }

  create(
    senderBatchId: string,
    items: Pick<ItemRecord, 'senderItemId' | 'receiver' | 'cents'>[],
  ): BatchRecord {
    const batch: BatchRecord = {
      id: this.#uniqueId(),
      senderBatchId,
      items: items.map((item) => ({ ...item, id: this.#uniqueId(), state: 'PENDING' })),
      createdAt: this.#now().getTime(),
    };
    this.batches.push(batch);
    return batch;
  }

  /** Everything of a batch that is still processed arrives. */
  process(senderBatchId: string): void {
    for (const { id, state } of this.batchWith(senderBatchId)?.items ?? [])
      if (HOLDS.includes(state)) this.settle(id, 'SUCCESS');
  }

  /** Something happens to an item, and PayPal says so. */
  settle(itemId: string, state: ItemState): void {
    const item = this.#items().find(({ id }) => id === itemId);
    const batch = this.batches.find(({ items }) => items.some(({ id }) => id === itemId));
    if (!item || !batch) throw new Error(`There is no item ${itemId}`);
    if (LEFT.includes(state) && !LEFT.includes(item.state)) this.totalCents -= item.cents + ITEM_FEE_CENTS;
    if (CAME_BACK.includes(state)) this.totalCents += item.cents;
    item.state = state;
    this.events.push({
      id: `WH-${randomUUID()}`,
      event_version: '1.0',
      create_time: this.#now().toISOString(),
      event_type: `PAYMENT.PAYOUTS-ITEM.${state === 'SUCCESS' ? 'SUCCEEDED' : state}`,
      resource_type: 'payouts_item',
      resource: this.itemJson(item, batch),
    });
  }

  itemJson({ id, senderItemId, receiver, cents, state }: ItemRecord, batch: BatchRecord): object {
    const money = (value: number) => ({ currency: 'USD', value: (value / 100).toFixed(2) });
    const name = state === 'UNCLAIMED' ? 'RECEIVER_UNREGISTERED' : null;
    return {
      payout_item_id: id,
      transaction_status: state,
      // Also of one that is held and may never cost it.
      payout_item_fee: money(ITEM_FEE_CENTS),
      ...(!HOLDS.includes(state) && { transaction_id: `T${id}` }),
      payout_batch_id: batch.id,
      payout_item: {
        recipient_type: 'EMAIL',
        amount: money(cents),
        receiver,
        sender_item_id: senderItemId,
        recipient_wallet: 'PAYPAL',
      },
      ...(name && { errors: { name, message: 'The receiver has no account.' } }),
    };
  }

  batchJson(batch: BatchRecord, { page, size }: { page: number; size: number }): object {
    const open = batch.items.some(({ state }) => HOLDS.includes(state));
    const shown = this.hidesItems ? [] : batch.items.slice((page - 1) * size, page * size);
    const sum = batch.items.reduce((total, { cents }) => total + cents, 0);
    return {
      total_items: batch.items.length,
      total_pages: Math.max(1, Math.ceil(batch.items.length / size)),
      batch_header: {
        payout_batch_id: batch.id,
        batch_status: batch.status ?? (open ? 'PROCESSING' : 'SUCCESS'),
        time_created: new Date(batch.createdAt).toISOString(),
        sender_batch_header: { sender_batch_id: batch.senderBatchId },
        amount: { currency: 'USD', value: (sum / 100).toFixed(2) },
      },
      items: shown.map((item) => this.itemJson(item, batch)),
    };
  }

  #items = (): ItemRecord[] => this.batches.flatMap(({ items }) => items);

  #uniqueId(): string {
    this.#count += 1;
    return `${this.#prefix}${String(this.#count).padStart(7, '0')}`;
  }
}

import type { BalanceTransactionRecord } from './records.ts';

/** What a balance transaction is: its category, amount, fee, and the id of what it is about. */
type Entry = Pick<BalanceTransactionRecord, 'type' | 'reporting_category' | 'amount' | 'source'> &
  Partial<Pick<BalanceTransactionRecord, 'fee' | 'available_on' | 'currency'>>;

/** The balance of a fake Stripe account and everything that changed it, in order. */
export class StripeBooks {
  readonly transactions: BalanceTransactionRecord[] = [];
  readonly #uniqueId: (prefix: string) => string;
  readonly #seconds: () => number;

  constructor(uniqueId: (prefix: string) => string, seconds: () => number) {
    this.#uniqueId = uniqueId;
    this.#seconds = seconds;
  }

  record({ fee = 0, available_on = this.#seconds(), ...entry }: Entry): BalanceTransactionRecord {
    const transaction: BalanceTransactionRecord = {
      id: this.#uniqueId('txn'),
      object: 'balance_transaction',
      available_on,
      created: this.#seconds(),
      currency: 'usd',
      fee,
      net: entry.amount - fee,
      ...entry,
    };
    this.transactions.push(transaction);
    return transaction;
  }

  /** What is available now, in US dollars. */
  get available(): number {
    return this.availableIn('usd');
  }

  /** What will be available later, in US dollars. */
  get pending(): number {
    return this.pendingIn('usd');
  }

  availableIn(currency: string): number {
    return this.#sum((one) => one.currency === currency && one.available_on <= this.#seconds());
  }

  pendingIn(currency: string): number {
    return this.#sum((one) => one.currency === currency && one.available_on > this.#seconds());
  }

  /** What is about this object, in order. */
  about(id: string): BalanceTransactionRecord[] {
    return this.transactions.filter(({ source }) => source === id);
  }

  #sum(counts: (transaction: BalanceTransactionRecord) => boolean): number {
    return this.transactions.filter(counts).reduce((sum, { net }) => sum + net, 0);
  }
}

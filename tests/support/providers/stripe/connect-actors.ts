import type { StripeAccount } from './account.ts';
import { StripeConnectApi } from './connect-api.ts';
import type { ConnectedRecord } from './records.ts';

/** A notification of version 2: it only names what it is about. */
interface ThinEvent {
  id: string;
  object: 'v2.core.event';
  created: string;
  livemode: boolean;
  type: string;
  related_object: { id: string; type: 'v2.core.account'; url: string };
}

/** Sellers at a fake Stripe, the banks behind them, and whoever uses the dashboard. */
export class StripeConnectActors {
  readonly #account: StripeAccount;
  readonly #api: StripeConnectApi;
  readonly notifications: ThinEvent[] = [];

  constructor(account: StripeAccount) {
    this.#account = account;
    this.#api = new StripeConnectApi(account);
  }

  /** A seller who can be paid; returns the name of the account. */
  openAccount(): string {
    const id = this.#account.uniqueId('acct');
    this.#account.connected.set(id, {
      id,
      created: new Date(this.#account.seconds * 1000).toISOString(),
      email: 'seller@market.example',
      name: 'Sandra Seller',
      metadata: {},
      submitted: true,
      status: 'active',
      code: '',
      balanceCents: 0,
    });
    return id;
  }

  /** The seller has completed the setup. */
  activate(id: string): void {
    this.#change(id, { submitted: true, status: 'active' });
  }

  /** Stripe wants something; `code` says what. */
  restrict(id: string, code = 'requirements_past_due'): void {
    this.#change(id, { status: 'restricted', code });
  }

  /** The seller's balance goes to the seller's bank. */
  payOut(id: string): void {
    this.#of(id).balanceCents = 0;
  }

  /** A transfer is reversed in the dashboard, whole. */
  reverse(transfer: string): void {
    this.#api.reverse(transfer);
  }

  /** Money of ours arrives in the balance. */
  topUp(amount: number): void {
    this.#account.books.record({ type: 'topup', reporting_category: 'topup', amount, source: null });
  }

  #of(id: string): ConnectedRecord {
    const account = this.#account.connected.get(id);
    if (!account) throw new Error(`There is no account ${id}`);
    return account;
  }

  #change(id: string, change: Partial<ConnectedRecord>): void {
    Object.assign(this.#of(id), change);
    this.notifications.push({
      id: this.#account.uniqueId('evt'),
      object: 'v2.core.event',
      created: new Date(this.#account.seconds * 1000).toISOString(),
      livemode: this.#account.livemode,
      type: 'v2.core.account[configuration.recipient].capability_status_updated',
      related_object: { id, type: 'v2.core.account', url: `/v2/core/accounts/${id}` },
    });
  }
}

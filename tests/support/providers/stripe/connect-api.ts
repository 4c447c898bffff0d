import type Stripe from 'stripe';
import type { StripeAccount } from './account.ts';
import { StripeApiError } from './api-error.ts';
import { metadataOf, parseStripeJson, parseStripeParameters } from './parameters.ts';
import type { ConnectedRecord, ReversalRecord, TransferRecord } from './records.ts';
import { chargeJson } from './serialization.ts';

const MAX_CENTS = 99_999_999;
/** Reversals that a transfer shows by itself. */
const SHOWN_REVERSALS = 10;

/** Requests about connected accounts and transfers to them. @throws StripeRefusal */
export class StripeConnectApi {
  readonly #account: StripeAccount;

  constructor(account: StripeAccount) {
    this.#account = account;
  }

  /** The answer, or null for requests about something else. */
  handle(method: string, segments: readonly string[], text: string): object | null {
    const [version, one, two = '', three = ''] = segments;
    if (version === 'v1' && one === 'transfers') {
      if (method === 'GET' && two === '') return this.#list(text);
      if (method === 'POST' && two === '') return this.#transfer(text);
      if (method === 'POST' && three === 'reversals') return this.#reverse(two, text);
      if (method === 'GET' && three === 'reversals') return this.#reversals(two, text);
    }
    if (method === 'POST' && version === 'v1' && one === 'accounts' && three === 'login_links')
      return this.#loginLink(two);
    if (version === 'v2' && one === 'core' && two === 'accounts')
      return method === 'POST' ? this.#createAccount(text) : this.#retrieveAccount(three, text);
    if (method === 'POST' && version === 'v2' && one === 'core' && two === 'account_links')
      return this.#accountLink(text);
    return null;
  }

  #createAccount(text: string): object {
    const params = parseStripeJson<Stripe.V2.Core.AccountCreateParams>('AccountCreate', text);
    const wanted = params.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.requested;
    if (wanted !== true || params.identity?.country !== 'us' || params.dashboard !== 'express')
      throw StripeApiError.invalidParameter('configuration', 'This double knows recipients in the US only');
    if (!/^[^\s@]+@[^\s@]+$/.test(params.contact_email ?? ''))
      throw StripeApiError.invalidParameter('contact_email', 'Invalid email address', 'email_invalid');
    const responsibilities = params.defaults?.responsibilities;
    if (!responsibilities)
      throw StripeApiError.invalidParameter('defaults', 'Somebody has to be responsible');
    const account: ConnectedRecord = {
      id: this.#account.uniqueId('acct'),
      created: new Date(this.#account.seconds * 1000).toISOString(),
      email: params.contact_email ?? '',
      name: params.display_name ?? '',
      metadata: metadataOf(params.metadata),
      submitted: false,
      status: 'restricted',
      code: 'requirements_past_due',
      balanceCents: 0,
    };
    this.#account.connected.set(account.id, account);
    return this.#accountJson(account, params.include);
  }

  #retrieveAccount(id: string, text: string): object {
    const { include } = parseStripeParameters<Stripe.V2.Core.AccountRetrieveParams>('AccountRetrieve', text);
    return this.#accountJson(this.#connected(id), include);
  }

  /** What was not asked for is left out. */
  #accountJson({ id, created, status, code }: ConnectedRecord, include: readonly string[] = []): object {
    const details = status === 'active' ? [] : [{ code, resolution: 'provide_info' }];
    return {
      id,
      object: 'v2.core.account',
      applied_configurations: ['recipient'],
      created,
      livemode: this.#account.livemode,
      ...(include.includes('configuration.recipient') && {
        configuration: {
          recipient: {
            applied: true,
            capabilities: { stripe_balance: { stripe_transfers: { status, status_details: details } } },
          },
        },
      }),
    };
  }

  #accountLink(text: string): object {
    const params = parseStripeJson<Stripe.V2.Core.AccountLinkCreateParams>('AccountLinkCreate', text);
    const { account, use_case } = params;
    this.#connected(account);
    const { return_url, refresh_url } = use_case.account_onboarding ?? {};
    for (const address of [return_url, refresh_url])
      if (!URL.canParse(address ?? '')) throw StripeApiError.invalidParameter('use_case', 'Not a valid URL');
    return {
      object: 'v2.core.account_link',
      account,
      created: new Date(this.#account.seconds * 1000).toISOString(),
      expires_at: new Date((this.#account.seconds + 300) * 1000).toISOString(),
      livemode: this.#account.livemode,
      url: `https://connect.stripe.com/setup/e/${account}/${this.#account.uniqueId('link')}`,
      use_case,
    };
  }

  #loginLink(id: string): object {
    const account = this.#account.connected.get(id);
    if (!account)
      throw new StripeApiError(403, {
        type: 'invalid_request_error',
        code: 'account_invalid',
        message: `The provided key does not have access to account '${id}' (or that account does not exist).`,
      });
    if (!account.submitted)
      throw StripeApiError.invalidState(
        'Cannot create a login link for an account that has not completed onboarding.',
      );
    const url = `https://connect.stripe.com/express/${this.#account.uniqueId('login')}`;
    return { object: 'login_link', created: this.#account.seconds, url };
  }

  #connected(id: string): ConnectedRecord {
    const account = this.#account.connected.get(id);
    if (account) return account;
    const message = `No such account: '${id}'`;
    throw new StripeApiError(404, { type: 'invalid_request_error', code: 'not_found', message });
  }

  #transfer(text: string): object {
    const params = parseStripeParameters<Stripe.TransferCreateParams>('TransferCreate', text);
    const { destination, amount = 0, source_transaction: source = null } = params;
    const account = this.#account;
    const seller = account.connected.get(destination);
    const missing = {
      type: 'invalid_request_error',
      code: 'resource_missing',
      param: 'destination',
    } as const;
    if (!seller)
      throw new StripeApiError(400, { ...missing, message: `No such destination: '${destination}'` });
    if (params.currency !== 'usd' || amount < 1)
      throw StripeApiError.invalidParameter('amount', 'This double sends dollars only');
    if (amount > MAX_CENTS) throw StripeApiError.invalidParameter('amount', 'Too much', 'amount_too_large');
    if (seller.status !== 'active')
      throw StripeApiError.invalidState(
        'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
        'insufficient_capabilities_for_transfer',
      );
    const group = params.transfer_group ?? null;
    const availableOn = this.#availability(amount, source);
    const transfer: TransferRecord = {
      id: account.uniqueId('tr'),
      object: 'transfer',
      amount,
      created: account.seconds,
      currency: 'usd',
      description: params.description ?? null,
      destination,
      livemode: account.livemode,
      metadata: metadataOf(params.metadata),
      reversals: [],
      source_transaction: source,
      transfer_group: group,
    };
    account.transfers.set(transfer.id, transfer);
    seller.balanceCents += amount;
    account.books.record({
      type: 'transfer',
      reporting_category: 'transfer',
      amount: -amount,
      source: transfer.id,
      available_on: availableOn,
    });
    account.recordEvent('transfer.created', this.transferJson(transfer, []));
    return this.transferJson(transfer, params.expand ?? []);
  }

  /** From when on a transfer is available; it draws on a charge, also on one that is not available yet, or on the balance. */
  #availability(amount: number, source: string | null): number {
    const { charges, transfers, books, seconds } = this.#account;
    const charge = source === null ? null : charges.get(source);
    if (charge === undefined) throw StripeApiError.missing('source_transaction', source ?? '');
    if (charge) {
      const drawn = [...transfers.values()]
        .filter(({ source_transaction }) => source_transaction === charge.id)
        .reduce((sum, one) => sum + one.amount - reversedCents(one), 0);
      if (drawn + amount > charge.amount)
        throw StripeApiError.invalidState(
          `Transfers using this transaction as a source must not exceed the source amount of $${charge.amount / 100}.`,
        );
      if (charge.balance_transaction.available_on > seconds) return charge.balance_transaction.available_on;
    }
    if (amount > books.available)
      throw StripeApiError.invalidState('You have insufficient available funds.', 'balance_insufficient');
    return seconds;
  }

  /** Newest first. */
  #list(text: string): object {
    const params = parseStripeParameters<Stripe.TransferListParams>('TransferList', text);
    const { transfer_group: group, limit = 10, starting_after: after, expand = [] } = params;
    if (!group) throw new Error('This double lists by group only');
    const all = [...this.#account.transfers.values()]
      .filter(({ transfer_group }) => transfer_group === group)
      .reverse();
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const page = all.slice(from, from + Number(limit));
    const paths = expand.map((path) => path.replace(/^data\./, ''));
    return {
      object: 'list',
      data: page.map((one) => this.transferJson(one, paths)),
      has_more: all.length > from + page.length,
      url: '/v1/transfers',
    };
  }

  /** Newest first. */
  #reversals(id: string, text: string): object {
    const { limit = 10, starting_after: after } = parseStripeParameters<Stripe.TransferListReversalsParams>(
      'TransferReversalList',
      text,
    );
    const all = (this.#account.transfers.get(id)?.reversals ?? []).toReversed();
    const from = after === undefined ? 0 : all.findIndex((one) => one.id === after) + 1;
    const data = all.slice(from, from + Number(limit));
    return {
      object: 'list',
      data,
      has_more: all.length > from + data.length,
      url: `/v1/transfers/${id}/reversals`,
    };
  }

  #reverse(id: string, text: string): object {
    const params = parseStripeParameters<Stripe.TransferCreateReversalParams>('TransferReversalCreate', text);
    return this.reverse(id, params.amount, metadataOf(params.metadata || {}));
  }

  /** Takes a transfer back, or a part of it, as by the dashboard. */
  reverse(id: string, cents?: number, metadata: Stripe.Metadata = {}): ReversalRecord {
    const account = this.#account;
    const transfer = account.transfers.get(id);
    if (!transfer) throw StripeApiError.missing('transfer', id);
    const left = transfer.amount - reversedCents(transfer);
    const amount = cents ?? left;
    if (amount > left)
      throw StripeApiError.invalidState('Reversal amount is greater than unreversed amount on transfer');
    const seller = account.connected.get(transfer.destination);
    if (!seller || seller.balanceCents < amount)
      throw StripeApiError.invalidState('Insufficient funds in the account.', 'balance_insufficient');
    seller.balanceCents -= amount;
    const reversal: ReversalRecord = {
      id: account.uniqueId('trr'),
      object: 'transfer_reversal',
      amount,
      created: account.seconds,
      currency: 'usd',
      metadata,
      transfer: id,
    };
    transfer.reversals.push(reversal);
    account.reversals.set(reversal.id, reversal);
    account.books.record({
      type: 'transfer_refund',
      reporting_category: 'transfer_reversal',
      amount,
      source: reversal.id,
    });
    account.recordEvent('transfer.reversed', this.transferJson(transfer, []));
    return reversal;
  }

  /** A transfer as Stripe returns it. */
  transferJson({ reversals, ...transfer }: TransferRecord, expand: readonly string[]): object {
    const reversed = reversals.reduce((sum, { amount }) => sum + amount, 0);
    const charge = this.#account.charges.get(transfer.source_transaction ?? '');
    const isExpanded = expand.includes('source_transaction.balance_transaction');
    return {
      ...transfer,
      amount_reversed: reversed,
      reversed: reversed === transfer.amount,
      reversals: {
        object: 'list',
        data: reversals.slice(-SHOWN_REVERSALS).reverse(),
        has_more: reversals.length > SHOWN_REVERSALS,
        url: `/v1/transfers/${transfer.id}/reversals`,
      },
      source_transaction:
        charge && isExpanded
          ? { ...chargeJson(this.#account, charge), balance_transaction: charge.balance_transaction }
          : transfer.source_transaction,
    };
  }
}

const reversedCents = ({ reversals }: TransferRecord): number =>
  reversals.reduce((sum, { amount }) => sum + amount, 0);

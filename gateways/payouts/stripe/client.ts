import type Stripe from 'stripe';
import {
  checkedObject,
  openSdk,
  type StripeClientOptions,
  unexpectedResponse,
} from '../../payments/stripe/client.ts';
import type { ReversalPart } from './reversal.ts';

const PAGE_SIZE = 100;
/** A transfer with the charge that funds it, and when that becomes available. */
const SOURCE = 'source_transaction.balance_transaction';

/** What an account is asked for: to receive transfers, and nothing else. */
const RECIPIENT = ['configuration.recipient', 'requirements'] as const;

/** Everything that belongs to one sale; that of its payments has to be the same. */
export const transferGroup = (saleId: string): string => `sale_${saleId}`;

/** The calls of Stripe Connect that paying sellers needs; each validates the type and mode of the response. */
export class StripeConnectClient {
  readonly #stripe: Stripe;
  readonly #livemode: boolean;

  constructor(options: StripeClientOptions, livemode: boolean) {
    this.#livemode = livemode;
    this.#stripe = openSdk(options);
  }

  /** All transfers of a sale, oldest first. */
  async transfersOf(saleId: string): Promise<Stripe.Transfer[]> {
    const transfers: Stripe.Transfer[] = [];
    for (let after: string | undefined; ; after = transfers.at(-1)?.id) {
      const list = await this.#stripe.transfers.list({
        transfer_group: transferGroup(saleId),
        limit: PAGE_SIZE,
        expand: [`data.${SOURCE}`],
        ...(after !== undefined && { starting_after: after }),
      });
      if (list.object !== 'list' || !Array.isArray(list.data)) throw unexpectedResponse(list);
      transfers.push(...list.data.map((one) => this.#ofMode(one, 'transfer')));
      if (!list.has_more) return transfers.reverse();
    }
  }

  /** What was taken back of a transfer; it shows by itself only what was taken back last. */
  async reversalsOf({ id, reversals }: Stripe.Transfer): Promise<Stripe.TransferReversal[]> {
    if (!reversals.has_more) return reversals.data;
    const all: Stripe.TransferReversal[] = [];
    for (let after: string | undefined; ; after = all.at(-1)?.id) {
      const list = await this.#stripe.transfers.listReversals(id, {
        limit: PAGE_SIZE,
        ...(after !== undefined && { starting_after: after }),
      });
      if (list.object !== 'list' || !Array.isArray(list.data)) throw unexpectedResponse(list);
      all.push(...list.data);
      if (!list.has_more) return all;
    }
  }

  async transfer(params: Stripe.TransferCreateParams, idempotencyKey: string): Promise<Stripe.Transfer> {
    const expand = params.source_transaction === undefined ? {} : { expand: [SOURCE] };
    return this.#ofMode(
      await this.#stripe.transfers.create({ ...params, ...expand }, { idempotencyKey }),
      'transfer',
    );
  }

  /** The charge of a payment, which a transfer can be drawn on. Null before it has succeeded. */
  async chargeOf(paymentRef: string): Promise<string | null> {
    if (!/^pi_\w+$/.test(paymentRef)) return null;
    const intent = this.#ofMode(await this.#stripe.paymentIntents.retrieve(paymentRef), 'payment_intent');
    const charge = intent.latest_charge;
    return typeof charge === 'string' ? charge : (charge?.id ?? null);
  }

  async reverse(
    { transfer, amountCents }: ReversalPart,
    metadata: Stripe.MetadataParam,
    idempotencyKey: string,
  ): Promise<Stripe.TransferReversal> {
    const params = { amount: amountCents, metadata };
    return checkedObject(
      await this.#stripe.transfers.createReversal(transfer, params, { idempotencyKey }),
      'transfer_reversal',
    );
  }

  /** Opens an account that can receive transfers, and whose page and losses are ours to answer for. */
  async createAccount(
    { agentId, email, name }: { agentId: string; email: string; name: string },
    idempotencyKey: string,
  ): Promise<Stripe.V2.Core.Account> {
    const account = await this.#stripe.v2.core.accounts.create(
      {
        contact_email: email,
        display_name: name,
        dashboard: 'express',
        identity: { country: 'us' },
        configuration: {
          recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
        },
        defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
        metadata: { agent_id: agentId },
        include: [...RECIPIENT],
      },
      { idempotencyKey },
    );
    return this.#ofMode(account, 'v2.core.account');
  }

  async account(ref: string): Promise<Stripe.V2.Core.Account> {
    const include = [...RECIPIENT];
    return this.#ofMode(await this.#stripe.v2.core.accounts.retrieve(ref, { include }), 'v2.core.account');
  }

  /** A link to the page that asks for what the account lacks. */
  async onboardingLink(
    account: string,
    { returnUrl, refreshUrl }: { returnUrl: string; refreshUrl: string },
  ): Promise<string> {
    const link = await this.#stripe.v2.core.accountLinks.create({
      account,
      use_case: {
        type: 'account_onboarding',
        account_onboarding: { return_url: returnUrl, refresh_url: refreshUrl },
      },
    });
    if (link.object !== 'v2.core.account_link' || !URL.canParse(link.url)) throw unexpectedResponse(link);
    return link.url;
  }

  /** A link to the seller's own dashboard. */
  async loginLink(account: string): Promise<string> {
    const link = await this.#stripe.accounts.createLoginLink(account);
    if (link.object !== 'login_link' || !URL.canParse(link.url)) throw unexpectedResponse(link);
    return link.url;
  }

  #ofMode<T extends { id: string; object: string; livemode: boolean }>(answer: T, object: T['object']): T {
    if (checkedObject(answer, object).livemode !== this.#livemode) throw unexpectedResponse(answer);
    return answer;
  }
}

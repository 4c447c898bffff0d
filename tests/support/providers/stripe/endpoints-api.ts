import type Stripe from 'stripe';
import { API_VERSION, type StripeAccount } from './account.ts';
import { StripeApiError } from './api-error.ts';
import { metadataOf, parseStripeParameters } from './parameters.ts';

/** An account has at most this many endpoints. */
const MAX_ENDPOINTS = 16;

type EndpointJson = Pick<
  Stripe.WebhookEndpoint,
  'id' | 'object' | 'api_version' | 'created' | 'enabled_events' | 'livemode' | 'metadata' | 'url'
> & { status: 'enabled' | 'disabled' };

/** The endpoints to which Stripe sends its messages. Secrets are shown once, when an endpoint is made. */
export class StripeEndpointsApi {
  /** by id */
  readonly all = new Map<string, EndpointJson>();
  readonly #account: StripeAccount;

  constructor(account: StripeAccount) {
    this.#account = account;
  }

  /** What an endpoint's messages are signed with. */
  secretOf = (id: string): string =>
    `whsec_${this.#account.id}_${this.#account.livemode ? 'live' : 'test'}_${id}`;

  create(text: string): object {
    const params = parseStripeParameters<Stripe.WebhookEndpointCreateParams>('WebhookEndpointCreate', text);
    if (!URL.canParse(params.url))
      throw StripeApiError.invalidParameter('url', 'Not a valid URL', 'url_invalid');
    if (this.all.size >= MAX_ENDPOINTS)
      throw StripeApiError.invalidState('You have reached the maximum of 16 webhook endpoints.');
    const { livemode, seconds } = this.#account;
    const endpoint: EndpointJson = {
      id: this.#account.uniqueId('we'),
      object: 'webhook_endpoint',
      api_version: params.api_version ?? API_VERSION,
      created: seconds,
      enabled_events: params.enabled_events,
      livemode,
      metadata: metadataOf(params.metadata),
      status: 'enabled',
      url: params.url,
    };
    this.all.set(endpoint.id, endpoint);
    return { ...endpoint, secret: this.secretOf(endpoint.id) };
  }

  list(text: string): object {
    parseStripeParameters<Stripe.WebhookEndpointListParams>('WebhookEndpointList', text);
    return {
      object: 'list',
      data: [...this.all.values()].reverse(),
      has_more: false,
      url: '/v1/webhook_endpoints',
    };
  }

  update(id: string, text: string): object {
    const params = parseStripeParameters<Stripe.WebhookEndpointUpdateParams>('WebhookEndpointUpdate', text);
    const endpoint = this.#find(id);
    if (params.disabled !== undefined) endpoint.status = params.disabled ? 'disabled' : 'enabled';
    if (params.enabled_events) endpoint.enabled_events = params.enabled_events;
    return endpoint;
  }

  remove(id: string): object {
    this.#find(id);
    this.all.delete(id);
    return { id, object: 'webhook_endpoint', deleted: true };
  }

  #find(id: string): EndpointJson {
    const found = this.all.get(id);
    if (!found) throw StripeApiError.missing('webhook_endpoint', id);
    return found;
  }
}

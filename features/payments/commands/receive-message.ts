import type { ProviderName } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { mayReceiveMessages } from '../rules.ts';
import { storeMessage } from '../store-message.ts';

interface ReceiveMessageInput {
  provider: ProviderName;
  rawBody: Uint8Array;
  headers: Headers;
}

/**
 * Receives a provider's message (webhook): verifies the signature on the raw body, stores it once by its id and queues its
 * processing (R3, R10). Its content is never trusted. Every configured provider is heard, whichever serves new sales.
 * @returns false when it was stored before
 * @throws PaymentError `bad_signature` when the provider did not send it
 */
export async function receiveMessage(ctx: CtxWith<'payments'>, input: ReceiveMessageInput): Promise<boolean> {
  authorize(ctx, mayReceiveMessages);
  const { rawBody, headers } = input;
  const port = ctx.payments.of(input.provider);
  const message = port.parseWebhook({ rawBody, headers, now: ctx.now() });
  return storeMessage(ctx, {
    provider: port.provider,
    event_id: message.eventId,
    event_type: message.type,
    ref: message.ref,
    payment_ref: message.paymentRef,
    rawBody,
    livemode: message.from?.livemode ?? null,
    account_ref: message.from?.account ?? null,
  });
}

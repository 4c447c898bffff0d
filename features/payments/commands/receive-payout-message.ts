import type { PayoutProviderName } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { mayReceiveMessages } from '../rules.ts';
import { storeMessage } from '../store-message.ts';

interface ReceivePayoutMessageInput {
  provider: PayoutProviderName;
  rawBody: Uint8Array;
  headers: Headers;
}

/**
 * Receives a message about a payout or a seller's account, as `receiveMessage` does those about payments. It is verified before
 * the database is used: some providers have to be asked whether it is theirs.
 * @returns false when it was stored before
 * @throws PaymentError `bad_signature` when the provider did not send it
 */
export async function receivePayoutMessage(
  ctx: CtxWith<'payouts'>,
  input: ReceivePayoutMessageInput,
): Promise<boolean> {
  authorize(ctx, mayReceiveMessages);
  const { rawBody, headers } = input;
  const port = ctx.payouts.of(input.provider);
  const message = await port.parseWebhook({ rawBody, headers, now: ctx.now() });
  return storeMessage(ctx, {
    provider: port.provider,
    event_id: message.eventId,
    event_type: message.type,
    payout_key: message.payoutKey,
    payout_account: message.account,
    rawBody,
  });
}

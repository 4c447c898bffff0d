import type { PartyMails } from './mail-template.ts';
import type { SaleEvent } from './model.ts';

type PayoutEvent = Extract<SaleEvent, `${string}_payout`>;

/** The buyer has no part in how the seller is paid. */
export const payoutMails: Record<PayoutEvent, PartyMails> = {
  start_payout: { buyer: null, seller: null },
  complete_payout: {
    buyer: null,
    seller: ({ address, amount, reason }) => ({
      subject: `Your payout for ${address} was sent`,
      text: `${amount} was sent to you.${reason && ` ${reason}`} Depending on your bank, it can take a few days to show.`,
    }),
  },
  fail_payout: {
    buyer: null,
    seller: ({ address, reason }) => ({
      subject: `Your payout for ${address} failed`,
      text: `${reason} What did not arrive is still yours. Please check your payment settings; we will send it again.`.trim(),
    }),
  },
  return_payout: {
    buyer: null,
    seller: ({ address, amount, reason }) => ({
      subject: `Your payout for ${address} came back`,
      text: `${amount} came back to us. ${reason} It is still yours. Please check your payment settings; we will send it again.`.replaceAll(
        '  ',
        ' ',
      ),
    }),
  },
  retry_payout: { buyer: null, seller: null },
  reopen_payout: {
    buyer: null,
    seller: ({ address, amount }) => ({
      subject: `Another payout for ${address} is due`,
      text: `A refund to the buyer came back, and ${amount} of it is yours. It will be paid to you.`,
    }),
  },
};

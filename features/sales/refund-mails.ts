import type { PartyMails } from './mail-template.ts';
import type { SaleEvent } from './model.ts';

/** A sale may end with its last refund, and nothing else tells of it. */
const ended = (hasEnded: boolean): string =>
  hasEnded ? ' The sale has ended, and the property is for sale again.' : '';

/** What the parties are told about refunds. */
export const refundMails = {
  request_refund: {
    buyer: ({ address, amount }) => ({
      subject: `A refund for ${address} is on its way`,
      text: `An administrator has ordered a refund of ${amount} to you. It is sent the way you paid.`,
    }),
    seller: ({ address, amount }) => ({
      subject: `Part of the payment for ${address} is being refunded`,
      text: `An administrator has ordered a refund of ${amount} to the buyer. The page of the sale shows your share now.`,
    }),
  },
  withdraw_refund: {
    buyer: ({ address, amount, reason }) => ({
      subject: `Your refund for ${address} was withdrawn`,
      text: `An administrator has withdrawn the refund of ${amount}, which had not been sent: ${reason} If you do not agree, please tell us.`,
    }),
    seller: ({ address, amount, reason }) => ({
      subject: `The refund for ${address} was withdrawn`,
      text: `An administrator has withdrawn the refund of ${amount} to the buyer, which had not been sent: ${reason} Your share is as it was before.`,
    }),
  },
  // What follows from it tells them.
  pay_refund: { buyer: null, seller: null },
  settle_partial_refund: {
    buyer: ({ address, amount, sentBy }) => ({
      subject: `Your refund for ${address} was sent`,
      text: `${amount} was sent back ${sentBy}. Depending on your bank, it can take a few days to show.`,
    }),
    seller: ({ address, amount }) => ({
      subject: `The refund for ${address} was sent`,
      text: `The buyer has been sent back ${amount}.`,
    }),
  },
  // The seller has no part in how a refund goes.
  fail_refund: {
    seller: null,
    buyer: ({ address, amount }) => ({
      subject: `Your refund for ${address} could not be sent`,
      text: `The refund of ${amount} failed. We are sending it again, and you do not need to do anything; if your account is closed, please tell us.`,
    }),
  },
  return_refund: {
    seller: null,
    buyer: ({ address, amount }) => ({
      subject: `Your refund for ${address} came back`,
      text: `Your bank returned the refund of ${amount} to us. We are sending it again, and you do not need to do anything; if your account is closed, please tell us.`,
    }),
  },
  settle_refund: {
    buyer: ({ address, amount, allSentBy, hasEnded }) => ({
      subject: `Your payment for ${address} was refunded`,
      text: `${amount} was sent back ${allSentBy}. Depending on your bank, it can take a few days to show.${ended(hasEnded)}`,
    }),
    seller: ({ address, amount, hasEnded }) => ({
      subject: `The payment for ${address} was refunded`,
      text: `The buyer has been sent back ${amount}.${ended(hasEnded)}`,
    }),
  },
} satisfies Partial<Record<SaleEvent, PartyMails>>;

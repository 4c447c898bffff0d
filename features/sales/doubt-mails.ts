import type { MailFacts, MailTemplate, PartyMails } from './mail-template.ts';
import { RELEASE_GRACE_HOURS, type SaleEvent } from './model.ts';

type DoubtEvent = Extract<SaleEvent, `${string}_dispute` | 'freeze_sale' | 'unfreeze_sale'>;

/** The same for buyer and seller. */
export const both = (template: MailTemplate): PartyMails => ({ buyer: template, seller: template });

/** When escrow is released after what kept it has ended. */
export const NEXT_RELEASE = `If the documents are delivered, escrow is released ${RELEASE_GRACE_HOURS} hours from now at the earliest, unless someone objects again.`;

/** What follows once a payment stands: a dispute may end long after the closing, and another one may still be open. */
function afterDispute({ isFrozen, isInEscrow }: { isFrozen: boolean; isInEscrow: boolean }): string {
  if (isFrozen) return 'The sale stays frozen until another open question about the payment is settled.';
  return isInEscrow ? NEXT_RELEASE : '';
}

/** What follows a hold: while the payment is not complete there is nothing to release, and the time for the rest was postponed. */
function afterHold({ isInEscrow, restDue, restLate }: Omit<MailFacts, 'address'>): string {
  if (isInEscrow) return NEXT_RELEASE;
  return restLate
    ? ''
    : `The payment can go on: what is still missing of it is due by ${restDue}, and the property is held until then.`;
}

/** The mails about a payment that a bank disputes, or about which the books and a provider disagree. */
export const doubtMails: Record<DoubtEvent, PartyMails> = {
  open_dispute: both(({ address }) => ({
    subject: `The payment for ${address} is disputed`,
    text: "The payer's bank disputes the payment. The sale is frozen until the bank decides.",
  })),
  win_dispute: both(({ address, ...now }) => ({
    subject: `The dispute about ${address} is settled`,
    text: `The payer's bank has decided that the payment stands. ${afterDispute(now)}`.trim(),
  })),
  lose_dispute: {
    buyer: ({ address, amount }) => ({
      subject: `The payment for ${address} was taken back`,
      text: `The payer's bank has decided the dispute and taken ${amount} back: it returns to the account or card that paid. If that was the whole payment, the sale ends and you get no further refund; if it was a part, the sale continues with the rest. You do not need to do anything. The page of the sale shows where it stands.`,
    }),
    seller: ({ address, amount }) => ({
      subject: `The payment for ${address} was taken back`,
      text: `The payer's bank has decided the dispute for the payer and taken ${amount} back. If that was the whole payment, the sale ends, and unless escrow was released before, the property is for sale again; if it was a part, the sale continues with the rest, and your share shrinks in proportion. What you were already paid for it is set off against your next payouts. You do not need to do anything. The page of the sale shows where it stands.`,
    }),
  },
  freeze_sale: {
    buyer: ({ address }) => ({
      subject: `Your purchase of ${address} is on hold`,
      text: 'Our records and those of the payment provider differ about your payment, and an administrator is checking why. Until that is settled, the sale cannot be closed or cancelled, and no money is released or refunded; what we hold is safe, and dates that fall into this time are postponed. You do not need to do anything. We write to you when the sale continues or has ended.',
    }),
    seller: ({ address }) => ({
      subject: `The sale of ${address} is on hold`,
      text: 'Our records and those of the payment provider differ about the payment, and an administrator is checking why. Until that is settled, the sale cannot be closed or cancelled, and nothing is released or paid out to you; dates that fall into this time are postponed. You do not need to do anything. We write to you when the sale continues or has ended.',
    }),
  },
  unfreeze_sale: both(({ address, ...now }) => ({
    subject: `The sale of ${address} continues`,
    text: `An open question about the payment is settled. ${afterHold(now)}`.trim(),
  })),
  reverse_dispute: both(({ address }) => ({
    subject: `The dispute about ${address} was decided again`,
    text: "The payer's bank has returned the payment that it had taken back. The page of the sale shows its current status.",
  })),
};

import { renderMail } from '#gateways/mail/layout.ts';
import type { Ctx } from '#platform/context.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { paths } from '#routing/paths.ts';
import { type Party, RELEASE_DAYS, RELEASE_GRACE_HOURS, type SaleEvent } from './model.ts';
import type { SaleRow } from './sale-row.ts';

interface MailText {
  subject: string;
  text: string;
}
interface MailFacts {
  address: string;
  amount: string;
}
type MailTemplate = (subject: MailFacts) => MailText;

const both = (template: MailTemplate) => ({ buyer: template, seller: template });

const NEXT_RELEASE = `If the documents are delivered, escrow is released ${RELEASE_GRACE_HOURS} hours from now at the earliest, unless somebody objects again.`;

/** The mail templates per event and recipient. Whoever triggered the event gets no mail: the page told them already. */
const mailTemplates: Partial<Record<SaleEvent, { buyer?: MailTemplate; seller?: MailTemplate }>> = {
  submit_payment: {
    buyer: ({ address, amount }) => ({
      subject: `Your payment for ${address} is on its way`,
      text: `Your payment of ${amount} was submitted. It can take some business days to arrive; the property is held for you until then.`,
    }),
    seller: ({ address }) => ({
      subject: `A payment for ${address} is on its way`,
      text: 'A buyer has submitted a payment. It can take some business days to arrive; the property is held until then.',
    }),
  },
  confirm_payment: {
    buyer: ({ address, amount }) => ({
      subject: `Payment received: ${address} is in escrow`,
      text: `Your payment of ${amount} has arrived and is held in escrow until you confirm the closing. Your receipt is ready.`,
    }),
    seller: ({ address }) => ({
      subject: `${address} is in escrow`,
      text: 'The buyer has paid. The money is held in escrow. Please deliver the closing documents and mark them as delivered.',
    }),
  },
  confirm_refused_payment: {
    buyer: ({ address, amount }) => ({
      subject: `We are sending your payment for ${address} back`,
      text: `Your payment of ${amount} arrived after the purchase had ended. We are sorry: the property could not be held for you. The whole amount is being refunded, and you need not do anything.`,
    }),
  },
  fail_payment: {
    buyer: ({ address }) => ({
      subject: `Your payment for ${address} failed`,
      text: 'The payment did not arrive, and nothing was charged. The property is no longer held for you; you can try again from its page.',
    }),
    seller: ({ address }) => ({
      subject: `The payment for ${address} failed`,
      text: "The buyer's payment did not arrive. The property is no longer held for this buyer.",
    }),
  },
  expire_checkout: {
    buyer: ({ address }) => ({
      subject: `Your checkout for ${address} has expired`,
      text: 'The checkout was not paid in time, and nothing was charged. The property is no longer held for you; you can try again from its page.',
    }),
    seller: ({ address }) => ({
      subject: `A checkout for ${address} has expired`,
      text: 'A buyer did not pay in time. The property is no longer held for this buyer.',
    }),
  },
  deliver_documents: {
    buyer: ({ address }) => ({
      subject: `The documents for ${address} are delivered`,
      text: `The seller has marked the closing documents as delivered. Please check them and confirm the closing, or report a problem. Without either, escrow is released ${RELEASE_DAYS} days from now.`,
    }),
  },
  confirm_closing: {
    seller: ({ address }) => ({
      subject: `${address} is sold`,
      text: 'The buyer has confirmed the closing. Escrow is released and your payout is next.',
    }),
  },
  release: both(({ address }) => ({ subject: `${address} is sold`, text: 'Escrow was released.' })),
  auto_release: both(({ address }) => ({
    subject: `${address} is sold`,
    text: 'The documents were delivered and no problem was reported in time. Escrow was released.',
  })),
  request_cancellation: both(({ address }) => ({
    subject: `Cancellation requested for ${address}`,
    text: 'The other side has requested to cancel the sale. Please agree or decline.',
  })),
  decline_cancellation: both(({ address }) => ({
    subject: `The sale of ${address} goes on`,
    text: `The requested cancellation was declined or withdrawn. ${NEXT_RELEASE}`,
  })),
  agree_cancellation: both(({ address }) => ({
    subject: `The sale of ${address} is cancelled`,
    text: "Both sides agreed to cancel the sale. The buyer's payment is being refunded.",
  })),
  cancel_sale: both(({ address }) => ({
    subject: `The sale of ${address} is cancelled`,
    text: "The sale was cancelled by an administrator. The buyer's payment is being refunded.",
  })),
  report_problem: both(({ address }) => ({
    subject: `A problem was reported with ${address}`,
    text: 'The other side has reported a problem. The money stays in escrow until it is settled.',
  })),
  resolve_problem: both(({ address }) => ({
    subject: `The problem with ${address} is settled`,
    text: `An administrator has closed the reported problem. The sale goes on. ${NEXT_RELEASE}`,
  })),
  open_dispute: both(({ address }) => ({
    subject: `The payment for ${address} is disputed`,
    text: "The payer's bank disputes the payment. The sale is frozen until that is decided.",
  })),
  win_dispute: both(({ address }) => ({
    subject: `The dispute about ${address} is settled`,
    text: `The payer's bank has decided that the payment stands. ${NEXT_RELEASE}`,
  })),
  lose_dispute: both(({ address }) => ({
    subject: `The payment for ${address} was taken back`,
    text: "The payer's bank has decided the dispute and taken the payment back. The page of the sale shows how things stand now.",
  })),
  hold_mismatch: {
    buyer: ({ address }) => ({
      subject: `Your payment for ${address} is being checked`,
      text: 'The payment differs from what was asked for. An administrator looks at it, and you need not do anything; your money is not lost.',
    }),
    seller: ({ address }) => ({
      subject: `A payment for ${address} is being checked`,
      text: 'A payment for this property differs from what was asked for. An administrator looks at it.',
    }),
  },
  return_refund: {
    buyer: ({ address, amount }) => ({
      subject: `Your refund for ${address} came back`,
      text: `Your bank returned the refund of ${amount} to us. We are sending it again, and you need not do anything; if your account is closed, please tell us.`,
    }),
  },
  settle_refund: {
    buyer: ({ address, amount }) => ({
      subject: `Your payment for ${address} was refunded`,
      text: `${amount} was sent back the way you paid. Depending on your bank it can take some days to show.`,
    }),
    seller: ({ address, amount }) => ({
      subject: `The payment for ${address} was refunded`,
      text: `The buyer has been sent back ${amount}.`,
    }),
  },
};

/** Queues the mails about a transition in its database transaction; each party gets each mail once. */
export async function queuePartyMails(ctx: Ctx, sale: SaleRow, event: SaleEvent, by: Party): Promise<void> {
  const template = mailTemplates[event];
  if (!template) return;
  const q = ctx.db.q();
  const facts = await q
    .selectFrom('property_sales as s')
    .innerJoin('properties as p', 'p.id', 's.property_id')
    .innerJoin('users as b', 'b.id', 's.buyer_id')
    .innerJoin('agents as a', 'a.id', 's.agent_id')
    .select(['p.address', 'b.email as buyer_email', 'b.name as buyer_name'])
    .select(['a.email as seller_email', 'a.name as seller_name'])
    .where('s.id', '=', sale.id)
    .executeTakeFirstOrThrow();
  const { at } = await q
    .selectFrom('sale_events')
    .select((max) => max.fn.max('id').as('at'))
    .where('sale_id', '=', sale.id)
    .executeTakeFirstOrThrow();
  const subject = { address: facts.address, amount: dollarsAndCents(sale.total_cents) };
  const recipients = [
    {
      party: 'buyer',
      to: { address: facts.buyer_email, name: facts.buyer_name },
      page: paths.buyerSale(sale.id),
      template: template.buyer,
    },
    {
      party: 'seller',
      to: { address: facts.seller_email, name: facts.seller_name },
      page: paths.sellerSale(sale.id),
      template: template.seller,
    },
  ] as const;
  for (const { party, to, page, template: renderText } of recipients) {
    if (!renderText || party === by) continue;
    const { subject: subjectLine, text } = renderText(subject);
    await queueMail(ctx, {
      idempotencyKey: `sale:${sale.id}:${at}:${party}`,
      to,
      subject: subjectLine,
      ...renderMail({
        heading: subjectLine,
        paragraphs: [text],
        button: { label: 'Open the sale', url: ctx.config.publicUrl + page },
      }),
    });
  }
}

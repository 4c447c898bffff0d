import { sql } from 'kysely';
import { mailLayout } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { documentsReminders, releaseRestarted } from './date-mails.ts';
import type { DocumentsReminder } from './documents.ts';
import { both, doubtMails, NEXT_RELEASE } from './doubt-mails.ts';
import { isMailDue } from './is-mail-due.ts';
import type { PartyMails } from './mail-template.ts';
import { type Party, RELEASE_DAYS, type SaleEvent } from './model.ts';
import { payoutMails } from './payout-mails.ts';
import { refundMails } from './refund-mails.ts';
import { refundOrigins, refundWays } from './refund-ways.ts';
import type { SaleRow } from './sale-row.ts';
import { receivedOf } from './sql.ts';

/** The mail templates per event and recipient. Whoever triggered the event gets no mail: the page told them already. */
const mailTemplates: Record<SaleEvent, PartyMails> = {
  // Nothing is paid yet: most of these end within the hour.
  begin: { buyer: null, seller: null },
  // By the buyer, who is told by the page; the seller was never told that it had begun.
  cancel_checkout: { buyer: null, seller: null },
  submit_payment: {
    buyer: ({ address, amount }) => ({
      subject: `Your payment for ${address} is on its way`,
      text: `Your payment of ${amount} was submitted. It can take a few business days to arrive; the property is held for you until then.`,
    }),
    seller: ({ address }) => ({
      subject: `A payment for ${address} is on its way`,
      text: 'A buyer has submitted a payment. It can take a few business days to arrive; the property is held until then.',
    }),
  },
  receive_part: {
    buyer: ({ address, amount, missing, restDue }) => ({
      subject: `Part of your payment for ${address} has arrived`,
      text: `${amount} has arrived. ${missing} is missing and due by ${restDue}; the property is held for you until then. If the payment is not complete by then, everything you have sent is refunded to you.`,
    }),
    seller: ({ address, restDue }) => ({
      subject: `Part of a payment for ${address} has arrived`,
      text: `A buyer pays by bank transfer in several parts, and one has arrived. The rest is due by ${restDue}; the property is held until then.`,
    }),
  },
  confirm_payment: {
    buyer: ({ address, amount, documentsDue }) => ({
      subject: `Payment received: ${address} is in escrow`,
      text: `Your payment of ${amount} has arrived and is held in escrow until you confirm the closing. Your receipt is ready. The seller has to deliver the closing documents by ${documentsDue}. After that, you can end the sale and get the whole payment back.`,
    }),
    seller: ({ address, documentsDue }) => ({
      subject: `${address} is in escrow`,
      text: `The buyer has paid. The money is held in escrow. Please deliver the closing documents and mark them as delivered by ${documentsDue}. After that, the buyer can end the sale.`,
    }),
  },
  confirm_refused_payment: {
    buyer: ({ address, amount }) => ({
      subject: `We are sending your payment for ${address} back`,
      text: `Your payment of ${amount} arrived after the purchase had ended. We are sorry: the property could not be held for you. The whole amount is being refunded, and you do not need to do anything.`,
    }),
    seller: ({ address }) => ({
      subject: `A payment for ${address} is being sent back`,
      text: 'A payment for this property arrived when the purchase had ended or the property was no longer for sale. The buyer gets it back, and you do not need to do anything.',
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
      text: `The seller has marked the closing documents as delivered. Please check them and confirm the closing, or report a problem. If you do neither, escrow is released automatically in ${RELEASE_DAYS} days.`,
    }),
    seller: ({ address }) => ({
      subject: `The documents for ${address} are delivered`,
      text: `An administrator has marked the closing documents as delivered. Escrow is released automatically in ${RELEASE_DAYS} days, unless the buyer confirms the closing sooner or reports a problem.`,
    }),
  },
  remove_documents: {
    buyer: ({ address, documentsDue, documentsLate }) => ({
      subject: `The documents for ${address} were removed`,
      text: `The virus scanner has found malware in the closing documents, so they were deleted; you could not download them. The money stays in escrow. ${
        documentsLate
          ? 'The date for the documents has passed: you can wait for clean ones, or end the sale on its page and get the whole payment back.'
          : `The seller has to deliver clean documents by ${documentsDue}. After that, you can end the sale and get the whole payment back.`
      }`,
    }),
    seller: ({ address, documentsDue, documentsLate }) => ({
      subject: `The documents for ${address} were removed`,
      text: `The virus scanner has found malware in the closing documents, so they were deleted, and they no longer count as delivered. ${
        documentsLate
          ? 'The date for them has passed. You can still deliver clean ones, until the buyer ends the sale.'
          : `Please deliver clean ones by ${documentsDue}. After that, the buyer can end the sale.`
      }`,
    }),
  },
  miss_documents_deadline: {
    buyer: ({ address }) => ({
      subject: `The documents for ${address} are overdue`,
      text: 'The seller has not delivered the closing documents in time. You can keep waiting, or end the sale on its page and get the whole payment back.',
    }),
    seller: ({ address }) => ({
      subject: `The documents for ${address} are overdue`,
      text: 'The date for the closing documents has passed. You can still deliver them and mark them as delivered, until the buyer ends the sale.',
    }),
  },
  cancel_undelivered: both(({ address }) => ({
    subject: `The sale of ${address} is cancelled`,
    text: "The closing documents were not delivered in time, and the buyer has ended the sale. The buyer's payment is being refunded.",
  })),
  confirm_closing: {
    buyer: null,
    seller: ({ address }) => ({
      subject: `${address} is sold`,
      text: 'The buyer has confirmed the closing. Escrow is released and your payout is next.',
    }),
  },
  release: both(({ address }) => ({
    subject: `${address} is sold`,
    text: 'An administrator has released escrow, and the sale is complete.',
  })),
  auto_release: both(({ address }) => ({
    subject: `${address} is sold`,
    text: 'The documents were delivered and no problem was reported in time. Escrow was released.',
  })),
  request_cancellation: both(({ address }) => ({
    subject: `Cancellation requested for ${address}`,
    text: 'The other side has requested to cancel the sale. Please agree or decline.',
  })),
  decline_cancellation: both(({ address }) => ({
    subject: `The sale of ${address} continues`,
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
    text: `An administrator has closed the reported problem. The sale continues. ${NEXT_RELEASE}`,
  })),
  withdraw_problem: both(({ address }) => ({
    subject: `The problem report for ${address} was withdrawn`,
    text: `The other side has withdrawn its problem report. The sale continues. ${NEXT_RELEASE}`,
  })),
  hold_mismatch: {
    buyer: ({ address }) => ({
      subject: `Your payment for ${address} is being checked`,
      text: 'Your payment could not be matched to your purchase right away, for instance because the amount differs, and an administrator is checking it. Your money is safe. Next, either the payment is accepted: the sale continues, and anything you paid too much is refunded to you. Or it is not: everything you paid is refunded, and the purchase ends. We write to you when it is decided; please do not pay again until then.',
    }),
    seller: ({ address }) => ({
      subject: `A payment for ${address} is being checked`,
      text: 'A payment for this property could not be matched to its purchase right away, for instance because the amount differs, and an administrator is checking it. The property is not sold yet: please do not deliver any documents. Next, either the payment is accepted and the money goes to escrow, or it is sent back and the purchase ends. We write to you when it is decided; you do not need to do anything.',
    }),
  },
  accept_mismatch: {
    buyer: ({ address, documentsDue }) => ({
      subject: `Payment received: ${address} is in escrow`,
      text: `Your payment was checked and accepted, and is held in escrow until you confirm the closing. If you paid too much, the difference is on its way back. Your receipt is ready. The seller has to deliver the closing documents by ${documentsDue}. After that, you can end the sale and get the whole payment back.`,
    }),
    seller: ({ address, documentsDue }) => ({
      subject: `${address} is in escrow`,
      text: `The buyer's payment was checked and accepted. The money is held in escrow. Please deliver the closing documents and mark them as delivered by ${documentsDue}. After that, the buyer can end the sale.`,
    }),
  },
  return_mismatch: {
    buyer: ({ address }) => ({
      subject: `We are sending your payment for ${address} back`,
      text: 'Your payment was checked and could not be accepted, because it differs from the amount due. Everything you paid is being refunded, and you do not need to do anything.',
    }),
    seller: ({ address }) => ({
      subject: `The payment for ${address} was not accepted`,
      text: "The buyer's payment was checked and is being sent back. The property is no longer held for this buyer.",
    }),
  },
  dismiss_mismatch: {
    buyer: ({ address }) => ({
      subject: `Your purchase of ${address} has ended`,
      text: 'Your payment was checked and could not be accepted. We hold no money of yours for it. You can try again from the page of the property.',
    }),
    seller: ({ address }) => ({
      subject: `The payment for ${address} was not accepted`,
      text: "The buyer's payment was checked and could not be accepted. The property is no longer held for this buyer.",
    }),
  },
  return_incomplete: {
    buyer: ({ address, amount }) => ({
      subject: `We are sending your payment for ${address} back`,
      text: `Your payment was not complete in time. The ${amount} that has arrived is being refunded in full, and you do not need to do anything. The property is no longer held for you.`,
    }),
    seller: ({ address }) => ({
      subject: `The payment for ${address} was not complete in time`,
      text: 'The buyer gets back what has arrived. The property is no longer held for this buyer.',
    }),
  },
  // The seller has no part in it.
  return_surplus: {
    seller: null,
    buyer: ({ address, amount }) => ({
      subject: `We are sending ${amount} for ${address} back`,
      text: `${amount} arrived in addition to the amount due. It is being refunded, and you do not need to do anything.`,
    }),
  },
  recognise_refund: both(({ address }) => ({
    subject: `A refund for ${address} was recorded`,
    text: 'A refund of the payment was made outside the sale and has been recorded. The page of the sale shows its current status.',
  })),
  ...doubtMails,
  ...payoutMails,
  ...refundMails,
};

interface PartyMailsInput {
  event: SaleEvent;
  by: Party;
  amountCents: number;
  note: string | null;
  /** whether the sale was frozen before the event */
  wasFrozen?: boolean;
  /** whether the sale ended with the event */
  hasEnded?: boolean;
}

/** Queues the mails about a transition in its database transaction; each party gets each mail once. */
export async function queuePartyMails(
  ctx: Ctx,
  sale: SaleRow,
  { event, by, amountCents, note, wasFrozen = false, hasEnded = false }: PartyMailsInput,
): Promise<void> {
  if (!(await isMailDue(ctx, sale, { event, wasFrozen, amountCents }))) return;
  const { at } = await ctx.db
    .q()
    .selectFrom('sale_events')
    .select((max) => max.fn.max('id').as('at'))
    .where('sale_id', '=', sale.id)
    .executeTakeFirstOrThrow();
  const { buyer, seller } = mailTemplates[event];
  await queueMails(ctx, sale, {
    about: String(at),
    amountCents,
    note,
    hasEnded,
    buyer: by === 'buyer' ? null : buyer,
    seller: by === 'seller' ? null : seller,
  });
}

/** Reminds both parties of the documents, once for each date on which they are due. */
export const queueDocumentsReminder = (ctx: Ctx, sale: SaleRow, due: DocumentsReminder): Promise<void> =>
  queueMails(ctx, sale, {
    about: `documents-${due}:${sale.documents_due_at?.toISOString()}`,
    amountCents: sale.total_cents,
    note: null,
    ...documentsReminders[due],
  });

/** Tells both parties the later date of the automatic release: the mail about the delivery counted its days from then. */
export const queueReleaseRestarted = (ctx: Ctx, sale: SaleRow): Promise<void> =>
  queueMails(ctx, sale, {
    about: `release:${sale.release_due_at?.toISOString()}`,
    amountCents: sale.total_cents,
    note: null,
    ...releaseRestarted,
  });

interface MailsInput extends PartyMails {
  /** with the sale and the party, what makes each mail unique */
  about: string;
  amountCents: number;
  note: string | null;
  hasEnded?: boolean;
}

async function queueMails(
  ctx: Ctx,
  sale: SaleRow,
  { about, amountCents, note, hasEnded = false, ...templates }: MailsInput,
): Promise<void> {
  if (!templates.buyer && !templates.seller) return;
  const facts = await ctx.db
    .q()
    .selectFrom('property_sales as s')
    .innerJoin('properties as p', 'p.id', 's.property_id')
    .innerJoin('users as b', 'b.id', 's.buyer_id')
    .innerJoin('agents as a', 'a.id', 's.agent_id')
    .select(['p.address', 'b.email as buyer_email', 'b.name as buyer_name'])
    .select(['a.email as seller_email', 'a.name as seller_name'])
    .select(receivedOf(sql.ref('s.id')).as('received'))
    .select(refundOrigins(sql.ref('s.id')).as('refunds'))
    .where('s.id', '=', sale.id)
    .executeTakeFirstOrThrow();
  const subject = {
    address: facts.address,
    amount: dollarsAndCents(amountCents),
    reason: note ?? '',
    documentsDue: sale.documents_due_at?.toUTCString() ?? '',
    documentsLate: sale.documents_due_at !== null && sale.documents_due_at <= ctx.now(),
    releaseDue: sale.release_due_at?.toUTCString() ?? '',
    missing: dollarsAndCents(Math.max(0, sale.total_cents - facts.received)),
    restDue: sale.locked_until?.toUTCString() ?? '',
    restLate: sale.locked_until === null || sale.locked_until <= ctx.now(),
    isFrozen: sale.frozen_at !== null,
    isInEscrow: sale.escrow_status === 'in_escrow',
    ...refundWays(facts.refunds),
    hasEnded,
  };
  const recipients = [
    {
      party: 'buyer',
      to: { address: facts.buyer_email, name: facts.buyer_name },
      page: purchasePaths.buyerSale(sale.id),
    },
    {
      party: 'seller',
      to: { address: facts.seller_email, name: facts.seller_name },
      page: sellerPaths.sale(sale.id),
    },
  ] as const;
  const layout = await mailLayout(ctx);
  for (const { party, to, page } of recipients) {
    const template = templates[party];
    if (!template) continue;
    const { subject: subjectLine, text } = template(subject);
    await queueMail(ctx, {
      idempotencyKey: `sale:${sale.id}:${about}:${party}`,
      to,
      subject: subjectLine,
      ...layout({
        heading: subjectLine,
        paragraphs: [text],
        button: { label: 'Open the sale', url: ctx.config.publicUrl + page },
      }),
    });
  }
}

import { DAY } from '#platform/durations.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { documentsOverdue } from './documents.ts';
import {
  type ComingStep,
  type NextStep,
  type PartsReceived,
  type Party,
  RELEASE_DAYS,
  type SaleState,
} from './model.ts';
import type { SaleFacts } from './transition.ts';

/** What decides the steps of a sale, and who reads them. */
export interface StepFacts {
  state: SaleState;
  facts: SaleFacts;
  /** when an unpaid hold ends */
  lockedUntil: Date | null;
  /** what has arrived of a payment in parts; null for one in one piece */
  parts: PartsReceived | null;
  viewer: Party;
}

const BEING_CHECKED: NextStep = { text: 'The payment is being checked.', who: 'admin', by: null };

const iso = (date: Date | null) => date?.toISOString() ?? null;

/**
 * What comes next, by when, and who must act, in words for the viewer; null when nothing is left to do that concerns the
 * viewer: for a buyer, the sale is over once escrow is released.
 */
export function nextStepOf(sale: StepFacts): NextStep | null {
  const { payment, escrow } = sale.state;
  if (escrow === 'pending') return paymentStep(sale);
  // Money that differs may arrive for a purchase that had ended.
  if (escrow === 'cancelled' && payment === 'failed' && sale.facts.frozen) return BEING_CHECKED;
  if (escrow === 'cancelled')
    return payment === 'completed'
      ? {
          text:
            sale.viewer === 'buyer'
              ? 'Your refund is on its way.'
              : 'The refund is on its way back to the buyer.',
          who: 'system',
          by: null,
        }
      : null;
  return escrow === 'completed' ? payoutStep(sale) : escrowStep(sale);
}

function paymentStep({ state, facts, lockedUntil, parts, viewer }: StepFacts): NextStep {
  if (facts.frozen) return BEING_CHECKED;
  const by = iso(lockedUntil);
  const mine = viewer === 'buyer';
  if (parts) return { text: partsText(parts, mine), who: 'buyer', by };
  if (state.payment === 'processing')
    return {
      text: 'The payment is on its way. Bank transfers take up to four business days.',
      who: 'system',
      by,
    };
  const text = mine
    ? 'Complete your payment on the checkout page.'
    : 'The buyer has started a purchase and has not paid yet.';
  return { text, who: 'buyer', by };
}

function partsText({ receivedCents, totalCents }: PartsReceived, mine: boolean): string {
  if (receivedCents > 0)
    return `Part of the payment has arrived: ${dollarsAndCents(receivedCents)} of ${dollarsAndCents(totalCents)}. The rest is due.`;
  return mine
    ? 'Send your first bank transfer. The rest is due within seven days after it arrives.'
    : 'The buyer pays by bank transfer. The first transfer is due; the rest follows within seven days.';
}

function payoutStep({ state, viewer }: StepFacts): NextStep | null {
  if (viewer === 'buyer' || state.payout === 'completed' || state.payment === 'refunded') return null;
  const mine = viewer === 'seller';
  if (state.payout === 'processing')
    return {
      text: mine ? 'Your payout is on its way.' : "The seller's payout is on its way.",
      who: 'system',
      by: null,
    };
  if (state.payout === 'failed')
    return {
      text: mine ? 'Your payout failed, and we are looking into it.' : "The seller's payout failed.",
      who: 'admin',
      by: null,
    };
  return { text: mine ? 'Your payout is next.' : "The seller's payout is next.", who: 'admin', by: null };
}

const overdueText = (viewer: Party) =>
  viewer === 'buyer'
    ? 'The closing documents are overdue. You can end the sale and get the whole payment back.'
    : 'The closing documents are overdue. The buyer can end the sale and get the whole payment back.';

function escrowStep(sale: StepFacts): NextStep {
  const { facts, viewer } = sale;
  if (facts.frozen)
    return {
      text: facts.chargebackOpen
        ? "The buyer's bank is deciding a dispute about the payment. Until then, nothing moves."
        : 'The sale is under review. Until the review ends, nothing moves.',
      who: facts.chargebackOpen ? 'system' : 'admin',
      by: null,
    };
  const overdue = documentsOverdue(facts);
  if (overdue && (facts.problemOpen || facts.cancellationAskedBy))
    return { text: overdueText(viewer), who: 'buyer', by: null };
  if (facts.problemOpen)
    return {
      text:
        facts.problemOpenedBy === viewer
          ? 'An administrator is settling the problem you reported. You can withdraw your report.'
          : 'An administrator settles the reported problem. Whoever reported it can withdraw it.',
      who: 'admin',
      by: null,
    };
  if (facts.cancellationAskedBy) return cancellationStep(facts.cancellationAskedBy, viewer);
  if (facts.documentsDelivered)
    return {
      text:
        viewer === 'buyer'
          ? 'Check the closing documents, then confirm the closing or report a problem. If you do neither, escrow is released automatically.'
          : 'The buyer confirms the closing or reports a problem. Otherwise escrow is released automatically.',
      who: 'buyer',
      by: iso(facts.releaseDueAt),
    };
  return overdue
    ? {
        text: `${overdueText(viewer)} Until then, the documents can still be delivered.`,
        who: 'seller',
        by: null,
      }
    : {
        text:
          viewer === 'seller'
            ? 'Deliver the closing documents to the buyer, then mark them as delivered.'
            : 'The seller delivers the closing documents.',
        who: 'seller',
        by: iso(facts.documentsDueAt),
      };
}

function cancellationStep(askedBy: 'buyer' | 'seller' | 'admin', viewer: Party): NextStep {
  const who = askedBy === 'buyer' ? 'seller' : 'buyer';
  const text =
    viewer === who
      ? 'Agree to the cancellation or decline it.'
      : `The ${who} agrees to the cancellation or declines it.`;
  return { text, who, by: null };
}

/** What the words of coming steps need besides. */
interface Terms {
  /** days from the payment until the closing documents are due */
  documentsDueDays: number;
}

/**
 * The steps that follow the next one, in order, with the latest dates where they are certain already: none where something has to
 * be settled first, because dates move when it is. Empty when the sale is over or ends with the next step.
 */
export function comingSteps(sale: StepFacts, { documentsDueDays }: Terms): ComingStep[] {
  const { state, facts, viewer } = sale;
  if (state.escrow !== 'pending' && state.escrow !== 'in_escrow') return [];
  const unpaid = state.escrow === 'pending';
  const blocked = !unpaid && (facts.frozen || facts.problemOpen || facts.cancellationAskedBy !== null);
  const documents: ComingStep = {
    title:
      viewer === 'seller' ? 'You deliver the closing documents' : 'The seller delivers the closing documents',
    detail: unpaid ? `Within ${documentsDueDays} days of the payment.` : 'Once this is settled.',
    who: 'seller',
    by: null,
  };
  const latest =
    unpaid || blocked || facts.documentsDueAt === null || documentsOverdue(facts)
      ? null
      : new Date(facts.documentsDueAt.getTime() + RELEASE_DAYS * DAY);
  const closing: ComingStep = {
    title: viewer === 'buyer' ? 'You confirm the closing' : 'The buyer confirms the closing',
    detail: facts.documentsDelivered
      ? 'Once this is settled.'
      : `Within ${RELEASE_DAYS} days of delivery. After that, escrow is released automatically unless a problem is reported.`,
    who: 'buyer',
    by: iso(latest),
  };
  const payout: ComingStep = {
    title: viewer === 'seller' ? 'You are paid' : 'The seller is paid',
    detail: 'After the closing, from escrow.',
    who: 'admin',
    by: null,
  };
  const steps = [payout];
  if (!facts.documentsDelivered || blocked) steps.unshift(closing);
  if (unpaid || (blocked && !facts.documentsDelivered)) steps.unshift(documents);
  return steps;
}

import { dollarsAndCents } from '#platform/money.ts';
import './outcome.css';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { Clock } from '#ui/detail-glyphs.ts';
import { CircleAlert, CircleCheck } from '#ui/glyphs.ts';
import { Icon, type IconDrawing } from '#ui/icon.tsx';
import type { SaleView } from '../model.ts';
import { TestModeNotice } from './test-mode-notice.tsx';

interface OutcomeMessage {
  tone: 'ok' | 'wait' | 'bad';
  title: string;
  text: string;
}

const icons: Record<OutcomeMessage['tone'], IconDrawing> = { ok: CircleCheck, wait: Clock, bad: CircleAlert };

/** The outcome of a payment, for buyers returning from the provider's page. Their return proves nothing. */
export function SaleOutcome({ sale }: { sale: SaleView }) {
  const { tone, title, text } = outcomeOf(sale);
  const { id, property, state, receiptNumber } = sale;
  return (
    <section className={`sheet outcome outcome-${tone}`} aria-labelledby="outcome" aria-live="polite">
      <Icon of={icons[tone]} size={20} />
      <div>
        <h2 id="outcome">{title}</h2>
        <p>{text}</p>
        {sale.testMode && (
          <div className="mt-3">
            <TestModeNotice />
          </div>
        )}
        <div className="outcome-acts">
          {sale.checkoutUrl && (
            <a className="btn" href={sale.checkoutUrl}>
              {sale.receivedCents === null ? 'Continue payment' : 'Transfer instructions'}
            </a>
          )}
          {state.payment === 'failed' && !sale.frozen && (
            <ButtonLink to={paths.property(property.id)}>Try again</ButtonLink>
          )}
          <ButtonLink to={purchasePaths.buyerSale(id)} variant={tone === 'ok' ? 'primary' : 'outline'}>
            View your purchase
          </ButtonLink>
          {receiptNumber !== null && (
            <ButtonLink to={purchasePaths.receipt(id)} variant="outline">
              Receipt
            </ButtonLink>
          )}
          {state.payment !== 'failed' && (
            <ButtonLink to={paths.property(property.id)} variant="ghost">
              Open property
            </ButtonLink>
          )}
        </div>
      </div>
    </section>
  );
}

function whatGoesBack({ receivedCents, leftCents, sentBackCents }: SaleView): string {
  if (sentBackCents > 0 && leftCents === 0) return 'All that you have paid has been sent back.';
  if (sentBackCents > 0)
    return `The ${dollarsAndCents(leftCents)} that is left of your payment is being refunded.`;
  const whole =
    receivedCents === null ? `The whole ${dollarsAndCents(leftCents)}` : 'Everything you have paid';
  return `${whole} is being refunded.`;
}

function outcomeOf(sale: SaleView): OutcomeMessage {
  const { state, method, property, totalCents, failureReason, receivedCents } = sale;
  const amount = dollarsAndCents(totalCents);
  const { address } = property;
  if (sale.frozen && state.payment !== 'completed' && state.payment !== 'refunded')
    return {
      tone: 'wait',
      title: 'Your payment is being checked',
      text: `An administrator is checking your payment for ${address}. Please do not pay again until that is decided.`,
    };
  if (state.payment === 'failed')
    return {
      tone: 'bad',
      title: 'The payment was not completed',
      text: `${failureReason ?? 'The checkout was not paid.'} ${address} is no longer held for you.`,
    };
  if (state.payment === 'refunded')
    return {
      tone: 'wait',
      title: 'Payment refunded',
      text: `${dollarsAndCents(sale.sentBackCents)} for ${address} was refunded to you.`,
    };
  if (state.payment === 'completed')
    return state.escrow === 'cancelled'
      ? {
          tone: 'wait',
          title: 'Your payment is on its way back',
          text: `The purchase of ${address} was not completed. ${whatGoesBack(sale)}`,
        }
      : {
          tone: 'ok',
          title: 'Payment received',
          text: `${amount} for ${address} has arrived and is held in escrow.`,
        };
  if (receivedCents !== null && (state.payment === 'pending' || state.payment === 'processing'))
    return {
      tone: 'wait',
      title: receivedCents > 0 ? 'Part of your payment has arrived' : 'We are waiting for your transfer',
      text: `${dollarsAndCents(receivedCents)} of ${amount} for ${address} has arrived. The property is held for you; if the payment is not complete in time, all of it is refunded to you.`,
    };
  if (state.payment === 'processing')
    return method === 'card'
      ? {
          tone: 'wait',
          title: 'Your bank transfer is on its way',
          text: `${amount} for ${address} was submitted. Bank transfers take up to four business days; the property is held for you.`,
        }
      : {
          tone: 'wait',
          title: 'Your transaction is on its way',
          text: `${amount} for ${address} was seen on the network. The property is held for you until it is confirmed.`,
        };
  return {
    tone: 'wait',
    title: "We are waiting for the provider's confirmation.",
    text: `The provider has not confirmed your payment of ${amount} for ${address} yet. This page updates as soon as it does.`,
  };
}

import { dollarsAndCents } from '#platform/money.ts';
import './sale.css';
import { paths } from '#routing/paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { BackLink } from '#ui/page-head.tsx';
import { PriceBreakdown } from '#ui/price-breakdown.tsx';
import type { Party, SaleEvent, SaleView } from '../model.ts';
import { escrowLabel, escrowTone, NO_RECEIPT_YET, paymentLabel, paymentTone } from '../rules.ts';
import { eventLabel } from '../timeline.ts';
import { Fact } from './fact.tsx';
import { SaleActionButtons } from './sale-action-buttons.tsx';
import { TestModeNotice } from './test-mode-notice.tsx';

interface Props {
  sale: SaleView;
  page: string;
  back: { href: string; label: string };
  openDialog: SaleEvent | null;
  answer: ActionData | undefined;
}

/** The page of a sale for its buyer or seller: status, next step, actions, amounts and history. */
export function SalePage({ sale, page, back, openDialog, answer }: Props) {
  const { property, state } = sale;
  return (
    <>
      <div className="crumbline">
        <BackLink {...back} />
      </div>
      <header className="sale-head">
        <div>
          <h1>{property.address}</h1>
          <p className="town">{property.town}</p>
        </div>
        <dl className="sale-states">
          <Fact of="Payment">
            <Badge tone={paymentTone[state.payment]}>{paymentLabel[state.payment]}</Badge>
          </Fact>
          <Fact of="Escrow">
            <Badge tone={escrowTone[state.escrow]}>{escrowLabel[state.escrow]}</Badge>
          </Fact>
        </dl>
      </header>
      {sale.testMode && (
        <div className="mb-6">
          <TestModeNotice />
        </div>
      )}
      <div className="sale">
        <div>
          <NextStepPanel sale={sale} page={page} openDialog={openDialog} answer={answer} />
          <section aria-labelledby="story">
            <h2 id="story" className="sale-title">
              What happened
            </h2>
            <SaleHistory history={sale.history} />
          </section>
        </div>
        <aside aria-label="Sums and papers">
          <section className="sheet" aria-labelledby="sums">
            <h2 id="sums">Sums</h2>
            <SalePrices sale={sale} />
          </section>
          <div className="sale-links">
            <ReceiptLink sale={sale} />
            <ButtonLink to={paths.property(property.id)} variant="outline" wide>
              Open property
            </ButtonLink>
          </div>
          {sale.sandbox && <p className="total-note">Sandbox – no real money</p>}
        </aside>
      </div>
    </>
  );
}

const nextActorLabels: Record<Party, string> = {
  buyer: 'The buyer acts next',
  seller: 'The seller acts next',
  admin: 'An administrator acts next',
  system: 'This happens by itself',
};

/** The next step, who must act and by when, with the viewer's actions. */
function NextStepPanel({ sale, page, openDialog, answer }: Omit<Props, 'back'>) {
  const { next, party, checkoutUrl, state, failureReason } = sale;
  const mine = next?.who === party;
  return (
    <section className="sheet sale-next" aria-labelledby="next">
      <h2 id="next">What happens next</h2>
      {next ? (
        <>
          <p className="sale-next-text">{next.text}</p>
          <p className="sale-who">
            {mine ? 'It is your turn' : nextActorLabels[next.who]}
            {next.by && (
              <>
                , at the latest <LocalTime of={next.by} />
              </>
            )}
            .
          </p>
        </>
      ) : (
        <p className="sale-next-text">{endText(sale)}</p>
      )}
      {state.payment === 'failed' && failureReason && <Notice tone="warn">{failureReason}</Notice>}
      {checkoutUrl && (
        <a className="btn" href={checkoutUrl}>
          {sale.receivedCents === null ? 'Continue payment' : 'Transfer instructions'}
        </a>
      )}
      {state.payment === 'failed' && party === 'buyer' && (
        <ButtonLink to={paths.property(sale.property.id)}>Try again</ButtonLink>
      )}
      <SaleActionButtons sale={sale} page={page} openDialog={openDialog} answer={answer} />
    </section>
  );
}

function endText({ state, party }: SaleView): string {
  if (state.payment === 'refunded') return 'The sale is over. The whole payment was refunded.';
  if (state.payment === 'failed') return 'The purchase is over. Nothing was charged.';
  return party === 'buyer' ? 'The sale is complete. The house is yours.' : 'The sale is complete.';
}

function SalePrices({ sale }: { sale: SaleView }) {
  return (
    <>
      <PriceBreakdown
        rows={[
          { label: 'Base price', amount: dollarsAndCents(sale.basePriceCents) },
          ...sale.lines.map(({ label, cents }) => ({ label, amount: dollarsAndCents(cents) })),
        ]}
        total={{ label: 'Total price', amount: dollarsAndCents(sale.totalCents) }}
      />
      {sale.receivedCents !== null && sale.state.escrow === 'pending' && (
        <p className="sale-share">
          <span>Arrived so far</span>
          <b>{dollarsAndCents(sale.receivedCents)}</b>
        </p>
      )}
      {sale.refundedCents > 0 && (
        <p className="sale-share">
          <span>Gone back to the buyer</span>
          <b>{dollarsAndCents(sale.refundedCents)}</b>
        </p>
      )}
      {sale.sellerShareCents !== null && (
        <p className="sale-share">
          <span>Your share of the base price</span>
          <b>{dollarsAndCents(sale.sellerShareCents)}</b>
        </p>
      )}
    </>
  );
}

function ReceiptLink({ sale }: { sale: SaleView }) {
  if (sale.receiptNumber !== null) {
    return (
      <ButtonLink to={paths.receipt(sale.id)} variant="outline" wide>
        Receipt
      </ButtonLink>
    );
  }
  return (
    <div>
      <Button variant="outline" wide disabled aria-describedby="no-receipt">
        Receipt
      </Button>
      <p className="hint mt-2 text-center" id="no-receipt">
        {NO_RECEIPT_YET}
      </p>
    </div>
  );
}

function SaleHistory({ history }: Pick<SaleView, 'history'>) {
  return (
    <ol className="story">
      {history.toReversed().map(({ id, event, who, note, at }) => (
        <li key={id}>
          <b>{eventLabel(event)}</b>
          <p>
            {who} · <LocalTime of={at} />
          </p>
          {note && <blockquote>{note}</blockquote>}
        </li>
      ))}
    </ol>
  );
}

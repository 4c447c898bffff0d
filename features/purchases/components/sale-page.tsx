import './sale.css';
import type { ReactNode } from 'react';
import { paths } from '#app/paths.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { Ledger } from '#ui/ledger.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { BackLink } from '#ui/page-head.tsx';
import type { DeedAnswer, Party, SaleEvent, SaleView } from '../model.ts';
import {
  dollarsAndCents,
  escrowLabel,
  escrowTone,
  NO_RECEIPT_YET,
  paymentLabel,
  paymentTone,
} from '../rules.ts';
import { eventLine, partyText } from '../timeline.ts';
import { SaleDeeds } from './sale-deeds.tsx';

interface Props {
  sale: SaleView;
  page: string;
  back: { href: string; label: string };
  asked: SaleEvent | null;
  answer: DeedAnswer | undefined;
}

/** A sale for its buyer or seller: how it stands, what comes next, what can be done, the sums, and what happened (B-077). */
export function SalePage({ sale, page, back, asked, answer }: Props) {
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
          <State of="Payment">
            <Badge tone={paymentTone[state.payment]}>{paymentLabel[state.payment]}</Badge>
          </State>
          <State of="Escrow">
            <Badge tone={escrowTone[state.escrow]}>{escrowLabel[state.escrow]}</Badge>
          </State>
        </dl>
      </header>
      <div className="sale">
        <div>
          <Standing sale={sale} page={page} asked={asked} answer={answer} />
          <section aria-labelledby="story">
            <h2 id="story" className="sale-title">
              What happened
            </h2>
            <Story history={sale.history} />
          </section>
        </div>
        <aside aria-label="Sums and papers">
          <section className="sheet" aria-labelledby="sums">
            <h2 id="sums">Sums</h2>
            <Sums sale={sale} />
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

function State({ of, children }: { of: string; children: ReactNode }) {
  return (
    <div>
      <dt>{of}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const actors: Record<Party, string> = {
  buyer: 'The buyer acts next',
  seller: 'The seller acts next',
  admin: 'An administrator acts next',
  system: 'This happens by itself',
};

/** What happens next, who must act and by when, with the buttons for it. */
function Standing({ sale, page, asked, answer }: Omit<Props, 'back'>) {
  const { next, party, checkoutUrl, state, failureReason } = sale;
  const mine = next?.who === party;
  return (
    <section className="sheet sale-next" aria-labelledby="next">
      <h2 id="next">What happens next</h2>
      {next ? (
        <>
          <p className="sale-next-text">{next.text}</p>
          <p className="sale-who">
            {mine ? 'It is your turn' : actors[next.who]}
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
          Continue payment
        </a>
      )}
      {state.payment === 'failed' && party === 'buyer' && (
        <ButtonLink to={paths.property(sale.property.id)}>Try again</ButtonLink>
      )}
      <SaleDeeds sale={sale} page={page} asked={asked} answer={answer} />
    </section>
  );
}

function endText({ state, party }: SaleView): string {
  if (state.payment === 'refunded') return 'The sale is over. The whole payment was refunded.';
  if (state.payment === 'failed') return 'The purchase is over. Nothing was charged.';
  return party === 'buyer' ? 'The sale is complete. The house is yours.' : 'The sale is complete.';
}

function Sums({ sale }: { sale: SaleView }) {
  return (
    <>
      <Ledger
        rows={[
          { label: 'Base price', amount: dollarsAndCents(sale.basePriceCents) },
          ...sale.lines.map(({ label, cents }) => ({ label, amount: dollarsAndCents(cents) })),
        ]}
        total={{ label: 'Total price', amount: dollarsAndCents(sale.totalCents) }}
      />
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

function Story({ history }: Pick<SaleView, 'history'>) {
  return (
    <ol className="story">
      {history.toReversed().map(({ id, event, by, note, at }) => (
        <li key={id}>
          <b>{eventLine(event)}</b>
          <p>
            {partyText[by] ?? partyText.system} · <LocalTime of={at} />
          </p>
          {note && <blockquote>{note}</blockquote>}
        </li>
      ))}
    </ol>
  );
}

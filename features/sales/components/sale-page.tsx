import './sale.css';
import type { ReactNode } from 'react';
import type { SaleDocument } from '#features/documents/model.ts';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { BackLink } from '#ui/page-head.tsx';
import type { SaleView } from '../model.ts';
import { escrowLabel, escrowTone, NO_RECEIPT_YET, paymentLabel, paymentTone } from '../rules.ts';
import { eventLabel } from '../timeline.ts';
import { Fact } from './fact.tsx';
import { NextSteps, type NextStepsProps } from './next-steps.tsx';
import { SaleDocuments } from './sale-documents.tsx';
import { SaleMoney } from './sale-money.tsx';
import { SaleParties } from './sale-parties.tsx';
import { TestModeNotice } from './test-mode-notice.tsx';

interface Props extends NextStepsProps {
  documents: readonly SaleDocument[];
  /** the URL opens the dialog that adds documents */
  adding: boolean;
  back: { href: string; label: string };
  /** where the seller's payout stands, above the amounts */
  payout?: ReactNode;
  /** the buyer's token, below the documents */
  token?: ReactNode;
}

/** The page of a sale for its buyer or seller: picture, status, what comes, actions, documents, parties, amounts and history. */
export function SalePage({ back, payout, token, documents, adding, ...steps }: Props) {
  const { sale, page, answer } = steps;
  const { property, state } = sale;
  return (
    <>
      <div className="crumbline">
        <BackLink {...back} />
      </div>
      <header className="sale-head">
        <div className="sale-place">
          <ListingPictureView
            listingId={property.id}
            type={property.type}
            picture={property.picture}
            sizes="120px"
            eager
          />
          <div>
            <h1>{property.address}</h1>
            <p className="town">{property.town}</p>
          </div>
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
          <NextSteps {...steps} />
          <SaleDocuments sale={sale} documents={documents} page={page} adding={adding} answer={answer} />
          {token}
          <section aria-labelledby="story">
            <h2 id="story" className="sale-title">
              History
            </h2>
            <SaleHistory history={sale.history} />
          </section>
        </div>
        <aside aria-label="Amounts and parties">
          {payout}
          <SaleMoney sale={sale} />
          <SaleParties sale={sale} />
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

function ReceiptLink({ sale }: { sale: SaleView }) {
  if (sale.receiptNumber !== null) {
    return (
      <>
        <ButtonLink to={purchasePaths.receipt(sale.id)} variant="outline" wide>
          Receipt
        </ButtonLink>
        <a className="btn btn-outline btn-wide" href={purchasePaths.receiptPdf(sale.id)}>
          Receipt as PDF
        </a>
      </>
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

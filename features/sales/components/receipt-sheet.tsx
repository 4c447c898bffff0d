import { dollarsAndCents } from '#platform/money.ts';
import './receipt.css';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { BrandMark } from '#ui/brand-mark.tsx';
import { Button } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { BackLink } from '#ui/page-head.tsx';
import { PriceBreakdown } from '#ui/price-breakdown.tsx';
import { checkReceipt } from '../display.ts';
import type { Receipt } from '../model.ts';
import { paymentMethodNames, transactionUrl } from '../rules.ts';
import { Fact } from './fact.tsx';

/** The receipt of a paid sale, for screen and print. */
export function ReceiptSheet({ receipt, brand }: { receipt: Receipt; brand: string }) {
  const { property, buyer, seller, party, saleId } = receipt;
  const back =
    party === 'buyer'
      ? { href: purchasePaths.buyerSale(saleId), label: 'Back to the sale' }
      : party === 'seller'
        ? { href: sellerPaths.sale(saleId), label: 'Back to the sale' }
        : { href: paths.property(property.id), label: 'Open property' };
  return (
    <>
      <div className="crumbline receipt-tools">
        <BackLink {...back} />
        <div className="receipt-acts">
          <a className="btn btn-outline btn-sm" href={purchasePaths.receiptPdf(saleId)}>
            Download PDF
          </a>
          <Button className="needs-js" variant="outline" size="sm" onClick={() => window.print()}>
            Print
          </Button>
        </div>
      </div>
      <article className="sheet receipt">
        <header>
          <p className="brand">
            <BrandMark />
            <span>{brand}</span>
          </p>
          <div>
            <h1>Receipt</h1>
            <p className="receipt-number">{receipt.number}</p>
          </div>
        </header>
        <div className="receipt-marks">
          {receipt.sandbox && <Badge tone="warn">Sandbox – no real money</Badge>}
          {receipt.testMode && <Badge tone="warn">Test mode – no real money</Badge>}
          {receipt.state.payment === 'refunded' && <Badge tone="mute">Refunded in full</Badge>}
        </div>
        <dl className="receipt-facts">
          <Fact of="Date">
            <LocalTime of={receipt.paidAt} as="day" />
          </Fact>
          {receipt.closedAt && (
            <Fact of="Closed">
              <LocalTime of={receipt.closedAt} as="day" />
            </Fact>
          )}
          <Fact of="Property">
            {property.address}
            <br />
            {property.town}
          </Fact>
          <Fact of="Buyer">
            {buyer.name}
            <br />
            {buyer.email}
          </Fact>
          <Fact of="Seller">
            {seller.name}
            <br />
            {seller.email}
          </Fact>
        </dl>
        <PriceBreakdown
          rows={[
            { label: 'Base price', amount: dollarsAndCents(receipt.basePriceCents) },
            ...receipt.lines.map(({ label, cents }) => ({ label, amount: dollarsAndCents(cents) })),
          ]}
          total={{ label: 'Total paid', amount: dollarsAndCents(receipt.totalCents) }}
        />
        {receipt.refunds.length > 0 && <Refunds refunds={receipt.refunds} />}
        <Payment receipt={receipt} />
        <Check receipt={receipt} />
      </article>
    </>
  );
}

function Refunds({ refunds }: Pick<Receipt, 'refunds'>) {
  return (
    <dl className="receipt-facts">
      {refunds.map(({ cents, at }) => (
        <Fact key={`${at} ${cents}`} of="Refunded">
          {dollarsAndCents(cents)}, <LocalTime of={at} as="day" />
        </Fact>
      ))}
    </dl>
  );
}

function Payment({ receipt }: { receipt: Receipt }) {
  const { method, paymentRef, network, txHash, providerReceiptUrl } = receipt;
  return (
    <dl className="receipt-facts receipt-payment">
      <Fact of="Paid by">{paymentMethodNames[method]}</Fact>
      {paymentRef && <Fact of="Payment">{paymentRef}</Fact>}
      {network && <Fact of="Network">{network}</Fact>}
      {txHash && (
        <Fact of="Transaction">
          <a className="link" href={transactionUrl(network, txHash)} target="_blank" rel="noreferrer">
            {txHash}
          </a>
        </Fact>
      )}
      {providerReceiptUrl && (
        <Fact of="Provider">
          <a className="link" href={providerReceiptUrl} target="_blank" rel="noreferrer">
            The provider's own receipt
          </a>
        </Fact>
      )}
    </dl>
  );
}

function Check({ receipt: { checkUrl, checkCode } }: { receipt: Receipt }) {
  return (
    <section className="receipt-check" aria-labelledby="receipt-check">
      <svg
        role="img"
        aria-label="QR code of the address at its right"
        viewBox={`0 0 ${checkCode.size} ${checkCode.size}`}
        shapeRendering="crispEdges"
      >
        <path d={checkCode.path} fill="#000" />
      </svg>
      <div>
        <h2 id="receipt-check">{checkReceipt.title}</h2>
        <p>{checkReceipt.text}</p>
        <a className="link" href={checkUrl}>
          {checkUrl}
        </a>
      </div>
    </section>
  );
}

import './sale-drawer.css';
import type { ReactNode } from 'react';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { adminPaths } from '#routing/admin-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import type { SaleDetails } from '../details-model.ts';
import { actionText, refusalText } from './action-texts.ts';
import type { DrawerHref } from './drawer-href.ts';
import { SaleDisputes } from './sale-disputes.tsx';
import { SaleMoneyColumns, SaleParties, SaleStates } from './sale-facts.tsx';
import { SaleNotices } from './sale-notices.tsx';
import { SaleDocuments, SaleMessages, SaleRefundsAndPayouts } from './sale-records.tsx';
import { SaleTimeline } from './sale-timeline.tsx';

/** What a drawer shows of a sale; `history` is its `RecordHistory`. */
export function saleDrawer(sale: SaleDetails, href: DrawerHref, history: ReactNode) {
  const { property } = sale;
  return {
    title: property.address,
    text: `${sale.receipt ? `Sale ${sale.receipt}` : 'Not paid yet'} · ${property.town}`,
    picture: (
      <ListingPictureView
        listingId={property.id}
        type={property.type}
        picture={property.picture ? { ...property.picture, alt: '' } : null}
        sizes="84px"
      />
    ),
    children: (
      <>
        <SaleStates sale={sale} />
        <SaleNotices sale={sale} />
        <SaleDisputes disputes={sale.disputes} own={sale.own} href={href} />
        <SaleParties sale={sale} />
        <SaleMoneyColumns sale={sale} />
        <SaleTimeline sale={sale} />
        <SaleMessages messages={sale.messages} saleId={sale.id} />
        <SaleRefundsAndPayouts sale={sale} />
        <SaleDocuments sale={sale} />
        <section className="drawer-section">{history}</section>
      </>
    ),
    actions: <Acts sale={sale} href={href} />,
  };
}

/** The actions that are possible now, and below them what stands in the way of the others. */
function Acts({ sale, href }: { sale: SaleDetails; href: DrawerHref }) {
  const possible = sale.actions.filter(({ refusal }) => refusal === null);
  const blocked = sale.actions.flatMap(({ action, refusal }) => (refusal ? [{ action, refusal }] : []));
  return (
    <>
      {possible.map(({ action }, index) => {
        const { label, danger } = actionText(action, sale);
        return (
          <ButtonLink
            key={action}
            to={href({ do: action })}
            variant={!danger && index === 0 && action !== 'deliver_documents' ? 'primary' : 'outline'}
            className={danger ? 'act-danger' : undefined}
            preventScrollReset
          >
            {label}
          </ButtonLink>
        );
      })}
      <ButtonLink to={adminPaths.properties({ details: sale.property.id })} variant="ghost">
        Open property
      </ButtonLink>
      {sale.own && <p className="acts-note">{refusalText('not_yours')}</p>}
      {blocked.length > 0 && (
        <ul className="acts-note" aria-label="Not possible now">
          {blocked.map(({ action, refusal }) => (
            <li key={action}>
              <b>{actionText(action, sale).label.replace('…', '')}</b>: {refusalText(refusal)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

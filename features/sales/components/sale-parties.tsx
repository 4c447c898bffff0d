import { paths } from '#routing/paths.ts';
import { Avatar } from '#ui/avatar.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { MessageSquare } from '#ui/detail-glyphs.ts';
import type { SaleContact, SaleView } from '../model.ts';

/** Buyer and seller with their addresses, and their conversation about the property. */
export function SaleParties({ sale: { buyer, seller, party, inquiryId } }: { sale: SaleView }) {
  return (
    <section className="sheet" aria-labelledby="parties">
      <h2 id="parties">Parties</h2>
      <ul className="sale-parties">
        <Person as="Seller" who={seller} you={party === 'seller'} />
        {buyer && <Person as="Buyer" who={buyer} you={party === 'buyer'} />}
      </ul>
      {inquiryId !== null && party !== 'admin' && (
        <ButtonLink to={threadPath(party, inquiryId)} variant="outline" wide icon={MessageSquare}>
          {party === 'seller' ? 'Message the buyer' : 'Message the seller'}
        </ButtonLink>
      )}
    </section>
  );
}

const threadPath = (party: SaleView['party'], inquiry: string) =>
  party === 'seller'
    ? paths.sellerInquiries({ inquiry })
    : paths.buyerActivity({ tab: 'inquiries', inquiry });

function Person({ as, who, you }: { as: 'Buyer' | 'Seller'; who: SaleContact; you: boolean }) {
  return (
    <li className="sale-person">
      <Avatar name={who.name} />
      <div>
        <p className="sale-name">
          {who.name}
          {you && ' (you)'}
        </p>
        <p className="sale-role">
          {as}
          {!you && (
            <>
              {' · '}
              <a className="link" href={`mailto:${who.email}`}>
                {who.email}
              </a>
            </>
          )}
        </p>
      </div>
    </li>
  );
}

import { Avatar } from '#ui/avatar.tsx';
import type { ListingDetail } from '../model.ts';

/** The seller's name and e-mail address. */
export function SellerPanel({ seller }: { seller: Pick<ListingDetail['seller'], 'name' | 'email'> }) {
  const name = seller.name || 'Property Seller';
  return (
    <section className="sheet">
      <h2>Seller Information</h2>
      <div className="seller">
        <Avatar name={name} large />
        <div>
          <p className="name">{name}</p>
          <a className="link" href={`mailto:${seller.email}`}>
            {seller.email}
          </a>
        </div>
      </div>
    </section>
  );
}

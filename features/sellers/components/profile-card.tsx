import { formatCount } from '#platform/format-count.ts';
import { Avatar } from '#ui/avatar.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Panel } from '#ui/panel.tsx';
import type { SellerProfile } from '../model.ts';

/** A seller's public profile with the number of their listings. */
export function ProfileCard({ seller }: { seller: SellerProfile }) {
  return (
    <Panel title="Your public profile" inset>
      <div className="seller">
        <Avatar name={seller.name} large />
        <div>
          <p className="name">{seller.name}</p>
          <a className="link" href={`mailto:${seller.email}`}>
            {seller.email}
          </a>
        </div>
      </div>
      <dl className="specs">
        {seller.registeredAt && (
          <Fact name="Seller since">
            <LocalTime of={seller.registeredAt} as="day" />
          </Fact>
        )}
        <Fact name="Active listings">{formatCount(seller.activeListings)}</Fact>
        <Fact name="Sold">{formatCount(seller.soldListings)}</Fact>
      </dl>
    </Panel>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

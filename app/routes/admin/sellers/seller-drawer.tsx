import { RecordHistory } from '#features/audit/components/record-history.tsx';
import type { RecordHistoryPage } from '#features/audit/model.ts';
import { DataRequests } from '#features/personal-data/components/data-request-dialogs.tsx';
import { rateText } from '#features/sellers/commission.ts';
import { SellerBadges } from '#features/sellers/components/seller-badges.tsx';
import type { SellersHref } from '#features/sellers/components/seller-card.tsx';
import { type ManagedSeller, NOT_SET, paymentMethodLabels } from '#features/sellers/management.ts';
import { phoneText } from '#features/sellers/phone.ts';
import { StatementLinks } from '#features/statements/components/statement-links.tsx';
import type { StatementOverview } from '#features/statements/reads.ts';
import { formatCount } from '#platform/format-count.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Drawer, DrawerFacts, DrawerSection } from '#ui/drawer.tsx';
import { LocalTime } from '#ui/local-time.tsx';

interface Props {
  /** null while the drawer is closed; `history` is null when it could not be loaded */
  shown: {
    seller: ManagedSeller;
    defaultRate: number;
    history: RecordHistoryPage | null;
    /** the months that have a statement; null when they could not be loaded */
    months: StatementOverview['months'] | null;
  } | null;
  href: SellersHref;
  /** the link of an export that was prepared */
  exported: string | null;
}

/** The details of a seller and what was done about them, in a drawer. */
export function SellerDrawer({ shown, href, exported }: Props) {
  return (
    <Drawer
      closeHref={href({})}
      content={
        shown && {
          title: shown.seller.name,
          text: shown.seller.email,
          children: (
            <>
              <DrawerSection>
                <SellerBadges seller={shown.seller} />
                <DrawerFacts facts={factsOf(shown.seller, shown.defaultRate)} />
              </DrawerSection>
              {shown.seller.userId && (
                <DataRequests link={exported} exportHref={href({ details: shown.seller.id, do: 'export' })} />
              )}
              <DrawerSection title="Statements">
                <StatementLinks sellerId={shown.seller.id} months={shown.months} />
              </DrawerSection>
              <DrawerSection>
                <RecordHistory
                  history={shown.history}
                  href={(before) =>
                    href({ details: shown.seller.id, before: before === null ? undefined : String(before) })
                  }
                />
              </DrawerSection>
            </>
          ),
        }
      }
    />
  );
}

const factsOf = (seller: ManagedSeller, defaultRate: number) =>
  [
    ['Phone', seller.phone ? phoneText(seller.phone) : NOT_SET],
    ['Commission rate', rateText(seller.commissionRate, defaultRate)],
    ['Payment method', seller.payment.method ? paymentMethodLabels[seller.payment.method] : NOT_SET],
    ['Listings', formatCount(seller.listings)],
    ['Sales', `${formatCount(seller.sales.count)} · ${dollarsAndCents(seller.sales.cents)}`],
    [seller.registered ? 'Seller since' : 'Invited', <LocalTime key="since" of={seller.since} as="date" />],
    ['Suspended because', seller.statusReason],
    ['Archived', seller.archivedAt && <LocalTime key="archived" of={seller.archivedAt} as="date" />],
    ['Still to be withdrawn', seller.withdrawing > 0 ? formatCount(seller.withdrawing) : null],
  ] as const;

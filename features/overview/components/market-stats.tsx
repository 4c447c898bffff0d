import { House, ReceiptText, Star, Users } from 'lucide-react';
import { countText } from '#platform/counts.ts';
import { formatCount, plural } from '#platform/format-count.ts';
import { wholeDollars } from '#platform/money.ts';
import { StatStrip } from '#ui/stat-strip.tsx';
import type { MarketplaceTotals } from '../model.ts';

interface Props {
  totals: MarketplaceTotals;
  /** where the figures lead; none where there is no such page */
  links: {
    sellers?: string | undefined;
    properties?: string | undefined;
    sales?: string | undefined;
    featured?: string | undefined;
  };
}

/** The four figures at the head of the administrators' dashboard. */
export function MarketStats({ totals, links }: Props) {
  const { count, cents } = totals.sales;
  return (
    <StatStrip
      stats={[
        { label: 'Total Sellers', value: formatCount(totals.sellers), icon: Users, href: links.sellers },
        {
          label: 'Total Properties',
          value: countText(totals.properties),
          icon: House,
          href: links.properties,
        },
        {
          label: 'Total Sales',
          value: wholeDollars(cents),
          note: plural(count, 'sale', 'sales'),
          icon: ReceiptText,
          href: links.sales,
        },
        {
          label: 'Featured Properties',
          value: String(totals.featured),
          of: '/5',
          icon: Star,
          href: links.featured,
        },
      ]}
    />
  );
}

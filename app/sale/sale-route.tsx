import { SalePage } from '#features/purchases/components/sale-page.tsx';
import type { DeedAnswer, SaleEvent, SaleView } from '#features/purchases/model.ts';
import { useCurrentSale } from './keep-current.ts';

interface Props {
  loaded: { sale: SaleView; asked: SaleEvent | null };
  answer: DeedAnswer | undefined;
  page: string;
  back: { href: string; label: string };
}

/** The page of a sale, kept current. */
export function SaleRoute({ loaded: { sale, asked }, answer, page, back }: Props) {
  const { payment, escrow } = sale.state;
  const refunding = payment === 'completed' && escrow === 'cancelled';
  useCurrentSale(sale.id, payment === 'pending' || payment === 'processing' || refunding);
  return <SalePage sale={sale} page={page} back={back} asked={asked} answer={answer} />;
}

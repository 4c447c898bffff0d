import type { ReactNode } from 'react';
import { SalePage } from '#features/sales/components/sale-page.tsx';
import type { SaleEvent, SaleView } from '#features/sales/model.ts';
import type { ActionData } from '#ui/action-data.ts';
import { useLiveSale } from '../../live/live-sale.ts';

interface Props {
  loaded: { sale: SaleView; openDialog: SaleEvent | null };
  answer: ActionData | undefined;
  page: string;
  back: { href: string; label: string };
  /** shown above the amounts */
  payout?: ReactNode;
}

/** The page of a sale, kept up to date. */
export function LiveSalePage({ loaded: { sale, openDialog }, answer, page, back, payout }: Props) {
  const { payment, escrow } = sale.state;
  const refunding = payment === 'completed' && escrow === 'cancelled';
  useLiveSale(sale.id, payment === 'pending' || payment === 'processing' || refunding);
  return (
    <SalePage sale={sale} page={page} back={back} openDialog={openDialog} answer={answer} payout={payout} />
  );
}

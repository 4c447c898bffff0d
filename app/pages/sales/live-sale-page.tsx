import type { ReactNode } from 'react';
import type { SaleDocument } from '#features/documents/model.ts';
import { SalePage } from '#features/sales/components/sale-page.tsx';
import type { SaleEvent, SaleView } from '#features/sales/model.ts';
import type { ActionData } from '#ui/action-data.ts';
import { useLiveSale } from '../../live/live-sale.ts';

interface Props {
  loaded: {
    sale: SaleView;
    openDialog: SaleEvent | null;
    documents: readonly SaleDocument[];
    adding: boolean;
  };
  answer: ActionData | undefined;
  page: string;
  back: { href: string; label: string };
  /** shown above the amounts */
  payout?: ReactNode;
  /** shown below the documents */
  token?: ReactNode;
  /** something else of the page changes soon, without an event */
  moving?: boolean;
}

/** The page of a sale, kept up to date. */
export function LiveSalePage({ loaded, answer, page, back, payout, token, moving = false }: Props) {
  const { sale } = loaded;
  const { payment, escrow } = sale.state;
  const refunding = payment === 'completed' && escrow === 'cancelled';
  useLiveSale(sale.id, payment === 'pending' || payment === 'processing' || refunding || moving);
  return <SalePage {...loaded} page={page} back={back} answer={answer} payout={payout} token={token} />;
}

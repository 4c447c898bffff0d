import { useNavigate } from 'react-router';
import { mayHaveMissed, useLiveEvents } from '#app/live/live-events.ts';
import { isAboutSale } from '#app/live/live-sale.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import { RecordHistory } from '#features/audit/components/record-history.tsx';
import { AdminActionDialog, DisputeDialog } from '#features/transactions/components/admin-action-dialog.tsx';
import { saleDrawer } from '#features/transactions/components/sale-drawer.tsx';
import type { ActionData } from '#ui/action-data.ts';
import { Drawer, DrawerSection } from '#ui/drawer.tsx';
import type { LoadedDrawer } from './load-drawer.ts';

type Change = { do?: string; dispute?: string; before?: string };

interface Props {
  drawer: LoadedDrawer;
  answer: ActionData | undefined;
  /** the page's URL with the drawer of a sale, or without one */
  href: (saleId: string | undefined, change?: Change) => string;
}

/** The opened sale and its dialog; what others do with it is shown at once. */
export function SaleDrawer({ drawer, answer, href }: Props) {
  const navigate = useNavigate();
  const revalidate = useRevalidate();
  useLiveEvents((message) => {
    if (drawer && (isAboutSale(message, drawer.id) || mayHaveMissed(message))) void revalidate();
  }, drawer !== null);
  const sale = drawer?.sale ?? null;
  const here = (change: Change = {}) => href(drawer?.id, change);
  const close = () => void navigate(here(), { replace: true, preventScrollReset: true });
  const action = sale?.actions.find(
    ({ action, refusal }) => action === drawer?.dialog && refusal === null,
  )?.action;
  const dispute = sale && !sale.own && sale.disputes.find(({ id, open }) => open && id === drawer?.disputeId);
  const disputeAction =
    drawer?.dialog === 'answer_dispute' || drawer?.dialog === 'concede_dispute' ? drawer.dialog : null;
  return (
    <>
      <Drawer closeHref={href(undefined)} content={drawer && contentOf(drawer, here)} />
      {sale && action && (
        <AdminActionDialog key={action} action={action} sale={sale} answer={answer} onClose={close} />
      )}
      {sale && dispute && disputeAction && (
        <DisputeDialog
          key={disputeAction}
          action={disputeAction}
          disputeId={dispute.id}
          evidence={drawer?.evidence ?? null}
          sale={sale}
          answer={answer}
          onClose={close}
        />
      )}
    </>
  );
}

function contentOf({ sale, history }: NonNullable<LoadedDrawer>, here: (change?: Change) => string) {
  if (!sale)
    return {
      title: 'Sale not found',
      children: <DrawerSection>It does not exist, or the address is incomplete.</DrawerSection>,
    };
  return saleDrawer(
    sale,
    here,
    <RecordHistory
      history={history}
      href={(before) => here(before === null ? {} : { before: String(before) })}
    />,
  );
}

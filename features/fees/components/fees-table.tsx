import { Form, Link } from 'react-router';
import { ButtonLink } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { SwitchButton } from '#ui/switch.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { useRetry } from '#ui/use-retry.ts';
import { appliesToText, feeAmountText, feeMessages, feeTypeNames, type ManagedFee } from '../managed.ts';

/** The intent of the form that switches a fee on or off. */
export const SET_FEE_STATUS = 'fee-status';

interface Props {
  /** null when they could not be read */
  fees: readonly ManagedFee[] | null;
  editHref: (id: string) => string;
  detailsHref: (id: string) => string;
}

/** All service fees, each with the switch that activates it. */
export function FeesTable({ fees, editHref, detailsHref }: Props) {
  const retry = useRetry();
  const columns: readonly Column<ManagedFee>[] = [
    {
      id: 'name',
      header: 'Name',
      cell: ({ id, name }) => (
        <Link className="font-medium" to={detailsHref(id)} preventScrollReset>
          {name}
        </Link>
      ),
    },
    { id: 'amount', header: 'Amount', right: true, cell: feeAmountText },
    { id: 'type', header: 'Type', cell: ({ type }) => feeTypeNames[type] },
    { id: 'sides', header: 'Applies To', cell: ({ appliesTo }) => appliesToText(appliesTo) },
    { id: 'status', header: 'Status', cell: (fee) => <StatusSwitch fee={fee} /> },
    {
      id: 'actions',
      header: 'Actions',
      right: true,
      cell: ({ id, name }) => (
        <div className="rowacts">
          <ButtonLink variant="ghost" size="sm" to={editHref(id)} preventScrollReset>
            Edit<span className="vh"> {name}</span>
          </ButtonLink>
        </div>
      ),
    },
  ];
  return (
    <Table
      label="Service Fees"
      columns={columns}
      rows={fees ?? undefined}
      rowKey={({ id }) => id}
      loading="Loading service fees..."
      empty="No service fees. Buyers pay the base price, and sellers are paid their whole share."
      error={fees === null ? { title: feeMessages.loadFailed, ...retry } : null}
    />
  );
}

function StatusSwitch({ fee: { id, name, active } }: { fee: ManagedFee }) {
  const pending = usePendingForm(SET_FEE_STATUS);
  const busy = pending?.get('id') === id;
  return (
    <Form method="post" preventScrollReset>
      <IntentField is={SET_FEE_STATUS} />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="active" value={active ? '' : '1'} />
      <SwitchButton
        label={`Active: ${name}`}
        on={busy ? !active : active}
        aria-busy={busy || undefined}
        onClick={(event) => busy && event.preventDefault()}
      />
    </Form>
  );
}

import { Form } from 'react-router';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { CommissionFields, type CommissionStart, useCommission } from './commission-fields.tsx';

interface Props extends CommissionStart {
  sellerId: string;
  /** the URL that handles the form */
  action: string;
}

/** A seller's commission rate, edited in place. */
export function CommissionForm({ action, ...start }: Props) {
  const commission = useCommission(start);
  const saving = usePendingForm('rate')?.get('id') === start.sellerId;
  return (
    <Form method="post" action={action} preventScrollReset noValidate>
      <IntentField is="rate" />
      <CommissionFields {...start} commission={commission}>
        <Button type="submit" variant={commission.changed ? 'soft' : 'outline'} busy={saving}>
          Save
        </Button>
        {commission.changed && (
          <Button className="needs-js" variant="ghost" onClick={commission.reset}>
            Cancel
          </Button>
        )}
      </CommissionFields>
    </Form>
  );
}

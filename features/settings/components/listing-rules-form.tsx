import { Form } from 'react-router';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Panel } from '#ui/panel.tsx';
import { Switch } from '#ui/switch.tsx';
import { usePendingForm } from '#ui/use-pending.ts';

/** The intent of the form. */
export const LISTING_RULES = 'listing-rules';

interface Props {
  ownershipRequired: boolean;
  onDirty: (dirty: boolean) => void;
}

/** What a listing needs before it goes live. */
export function ListingRulesForm({ ownershipRequired, onDirty }: Props) {
  const busy = usePendingForm(LISTING_RULES) !== null;
  return (
    <Panel title="Listings" inset>
      <Form method="post" className="grid max-w-[560px] gap-5" preventScrollReset>
        <IntentField is={LISTING_RULES} />
        <Switch
          name="ownershipRequired"
          label="Ownership proof needed before a listing goes live"
          hint="An administrator verifies the seller’s proof of ownership first. Listings that are live already stay live."
          defaultChecked={ownershipRequired}
          onChange={({ currentTarget }) => onDirty(currentTarget.checked !== ownershipRequired)}
        />
        <Button type="submit" busy={busy} className="justify-self-start">
          Save Changes
        </Button>
      </Form>
    </Panel>
  );
}

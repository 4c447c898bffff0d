import { useState } from 'react';
import { SellerField, sellerLabel } from '#features/listing-form/components/seller-field.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Panel } from '#ui/panel.tsx';
import { Radio } from '#ui/radio.tsx';
import type { ImportDetails } from '../model.ts';

interface Props {
  details: ImportDetails;
  typed: Readonly<Record<string, string>>;
  error: string | undefined;
}

/** What an administrator decides about an import: whose listings they are, and their status. */
export function OfficeFields({ details, typed, error }: Props) {
  const { agentId, seller, sellerEmail } = details;
  const known = seller && sellerEmail ? sellerLabel({ name: seller, email: sellerEmail }) : '';
  const [chosen, setChosen] = useState({
    value: typed.seller ?? agentId ?? '',
    label: typed.sellerText ?? known,
    suspended: details.sellerSuspended,
  });
  const firstStatus = typed.firstStatus ?? details.firstStatus;
  return (
    <Panel title="Seller and status" inset>
      <SellerField
        {...chosen}
        error={error}
        readOnly={false}
        onChoose={(one) => setChosen({ value: one.id, label: sellerLabel(one), suspended: one.suspended })}
        onType={(label) => setChosen({ value: '', label, suspended: false })}
      />
      <fieldset className="import-choices">
        <legend>Status of new listings</legend>
        <Radio
          name="firstStatus"
          value="pending"
          defaultChecked={firstStatus !== 'Active'}
          label="Pending"
          hint="They wait for approval."
        />
        <Radio
          name="firstStatus"
          value="Active"
          defaultChecked={firstStatus === 'Active'}
          label="Active"
          hint="They are on the market right away, unless listings need a verified ownership."
        />
        <Checkbox
          name="activateTypes"
          value="yes"
          defaultChecked={typed.seller === undefined ? details.activateTypes : typed.activateTypes === 'yes'}
          label="Activate property types that the file needs"
          hint="Such as Condo/Co-op, Townhouse and Mobile/Manufactured."
        />
      </fieldset>
    </Panel>
  );
}

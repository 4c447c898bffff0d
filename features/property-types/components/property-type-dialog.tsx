import { useState } from 'react';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { FieldError } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Switch } from '#ui/switch.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { affectsText, deactivationText } from '../display.ts';
import type { PropertyTypeField, PropertyTypeInput, PropertyTypeRow, TypeUse } from '../model.ts';
import { propertyTypeMessages, TYPE_NAME_LIMIT } from '../rules.ts';

/** What the dialog is open for: a type with its use, or a new one. */
export type EditedType = { type: PropertyTypeRow; use: TypeUse } | 'new';

interface Props {
  edited: EditedType | null;
  onClose: () => void;
  errors: Partial<Record<PropertyTypeField, string>> | undefined;
  /** why it could not be saved, where no field is wrong */
  failure: string | undefined;
  /** what somebody else saved meanwhile */
  newer: PropertyTypeInput | undefined;
  /** the refused input */
  typed: Readonly<Record<string, string>> | undefined;
}

/** Adds or edits a property type. Opened by the URL, so that it works without JavaScript. */
export function PropertyTypeDialog({ edited, onClose, errors, failure, newer, typed }: Props) {
  const pending = usePendingForm('save') !== null;
  const isNew = edited === 'new';
  const stored = edited && edited !== 'new' ? edited : null;
  const base = newer ?? stored?.type;
  return (
    <ActionDialog
      open={edited !== null}
      onClose={onClose}
      title={isNew ? 'Add Property Type' : 'Edit Property Type'}
      text={stored && affectsText(stored.use)}
      confirmLabel={isNew ? 'Add Property Type' : 'Save Changes'}
      intent="save"
      fields={{
        id: stored ? String(stored.type.id) : '',
        baseName: base?.name ?? '',
        baseActive: base?.isActive ? '1' : '',
      }}
      pending={pending}
      noValidate
      error={errors?.name ?? errors?.active ?? failure}
    >
      {() => (
        <TypeFields
          key={stored?.type.id ?? 'new'}
          stored={stored}
          errors={errors}
          failure={failure}
          newer={newer}
          typed={typed}
        />
      )}
    </ActionDialog>
  );
}

function TypeFields({
  stored,
  errors,
  failure,
  newer,
  typed,
}: Omit<Props, 'edited' | 'onClose'> & { stored: { type: PropertyTypeRow; use: TypeUse } | null }) {
  const initially = typed ? typed.active === '1' : (stored?.type.isActive ?? true);
  const [active, setActive] = useState(initially);
  return (
    <div className="grid gap-4">
      {newer && (
        <Notice tone="bad" title={propertyTypeMessages.newer}>
          It is now ‘{newer.name}’ and {newer.isActive ? 'active' : 'inactive'}. Save again to replace that,
          or close this window to keep it.
        </Notice>
      )}
      <TextInput
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={TYPE_NAME_LIMIT}
        required
        defaultValue={typed?.name ?? stored?.type.name ?? ''}
        error={errors?.name}
      />
      <div className="f">
        <Switch
          name="active"
          value="1"
          label="Active"
          hint={stored ? deactivationText(stored.use) : 'While it is off, it cannot be chosen.'}
          checked={active}
          aria-invalid={errors?.active ? true : undefined}
          aria-describedby={errors?.active ? 'type-active-error' : undefined}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
        {errors?.active && <FieldError id="type-active-error">{errors.active}</FieldError>}
      </div>
      {failure && !newer && (
        <p className="err" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}

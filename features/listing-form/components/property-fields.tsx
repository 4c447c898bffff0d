import { statusLabel } from '#features/listings/display.ts';
import { SHORT_REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import { Field } from '#ui/field.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { maxLengths, type TextField } from '../form.ts';
import type { FormChoices, SellerChoice } from '../form-mapping.ts';
import type { PropertyErrors, PropertyForm, SettableStatus } from '../property-form.ts';
import type { EditedProperty } from '../reads.ts';
import { CountedText } from './counted-text.tsx';
import { PriceField } from './price-field.tsx';
import { SellerField } from './seller-field.tsx';
import { SurveyField } from './survey-field.tsx';

interface Props {
  form: PropertyForm;
  errors: PropertyErrors;
  choices: FormChoices;
  statuses: readonly SettableStatus[];
  property: EditedProperty | null;
  seller: { label: string; suspended: boolean };
  reason: string;
  /** the form's status is another than the property's */
  statusChanges: boolean;
  onType: (name: TextField | 'status', text: string) => void;
  onLeave: (name: TextField | 'seller' | 'status' | 'reason') => void;
  onSeller: (seller: SellerChoice | string) => void;
  onReason: (text: string) => void;
  onSurvey: (chosen: boolean) => void;
}

/** The administrators' fields, in the order of the specification. */
export function PropertyFields(props: Props) {
  const { form, errors, choices, property, onType, onLeave } = props;
  // A sale holds what its buyer agreed to.
  const fixed = property?.held ?? false;
  const text = (name: TextField) => ({
    name,
    value: form[name],
    error: errors[name],
    onType: (typed: string) => onType(name, typed),
    onLeave: () => onLeave(name),
  });
  const number = (name: TextField, label: string, hint?: string) => (
    <TextInput
      label={label}
      name={name}
      value={form[name]}
      error={errors[name]}
      optional
      hint={hint}
      inputMode={name === 'squareFeet' || name === 'lotSquareFeet' ? 'decimal' : 'numeric'}
      autoComplete="off"
      fieldClass="f-third"
      onChange={(event) => onType(name, event.currentTarget.value)}
      onBlur={() => onLeave(name)}
    />
  );
  return (
    <>
      <div className="fs">
        <div className="f-row">
          <CountedText
            label="Address"
            max={maxLengths.address}
            className="f-two-thirds"
            readOnly={fixed}
            {...text('address')}
          />
          <PriceField label="Price" className="f-third" readOnly={fixed} {...text('price')} />
          <CountedText
            label="Description"
            max={maxLengths.description}
            multiline
            readOnly={false}
            {...text('description')}
          />
          <SellerField
            value={form.seller}
            label={props.seller.label}
            suspended={props.seller.suspended}
            error={errors.seller}
            readOnly={fixed}
            onChoose={props.onSeller}
            onType={props.onSeller}
          />
          <StatusField {...props} fixed={fixed} />
          {number('bedrooms', 'Bedrooms')}
          {number('bathrooms', 'Bathrooms')}
          {number('squareFeet', 'Square Feet')}
          <Field label="Property Type" error={errors.type} optional className="f-third">
            {(control) => (
              <>
                <SelectControl
                  {...control}
                  name="type"
                  value={form.type}
                  disabled={fixed}
                  placeholder="No type"
                  options={choices.types.map(({ id, name }) => ({ value: id, label: name }))}
                  onChange={(event) => onType('type', event.currentTarget.value)}
                />
                {/* Disabled controls are not submitted. */}
                {fixed && <input type="hidden" name="type" value={form.type} />}
              </>
            )}
          </Field>
          {number('yearBuilt', 'Year Built')}
          <SurveyField survey={property?.survey ?? null} error={errors.survey} onChange={props.onSurvey} />
        </div>
      </div>
      <div className="fs">
        <div className="f-row">
          <CountedText
            label="Property Title"
            max={maxLengths.title}
            hint="Left blank, the address is the title."
            isOptional
            readOnly={false}
            {...text('title')}
          />
          {number('halfBaths', 'Half Bathrooms')}
          {number('lotSquareFeet', 'Lot Size', 'Square feet')}
          <CountedText
            label="Neighborhood"
            max={maxLengths.neighborhood}
            className="f-third"
            isOptional
            readOnly={false}
            {...text('neighborhood')}
          />
        </div>
      </div>
    </>
  );
}

/** The status, and why it changes. */
function StatusField({
  form,
  errors,
  statuses,
  property,
  reason,
  statusChanges,
  fixed,
  onType,
  onLeave,
  onReason,
}: Props & { fixed: boolean }) {
  const own = property?.form.status;
  const options = statuses.map((status) => ({ value: status as string, label: statusLabel[status] }));
  // One that only other steps lead to, such as Withdrawn, stays until another one is chosen.
  if (own !== undefined && !options.some(({ value }) => value === own))
    options.unshift({ value: own, label: own in statusLabel ? statusLabel[own as SettableStatus] : own });
  return (
    <>
      <Field label="Status" error={errors.status} className="f-third">
        {(control) => (
          <>
            <SelectControl
              {...control}
              name="status"
              value={form.status}
              disabled={fixed}
              options={options}
              onChange={(event) => onType('status', event.currentTarget.value)}
              onBlur={() => onLeave('status')}
            />
            {fixed && <input type="hidden" name="status" value={form.status} />}
          </>
        )}
      </Field>
      {property && !fixed && (
        <div className={statusChanges ? 'f-two-thirds' : 'f-two-thirds no-js'}>
          <TextInput
            label="Reason for the new status"
            name="reason"
            value={reason}
            maxLength={SHORT_REASON_MAX_LENGTH}
            autoComplete="off"
            required={statusChanges}
            error={errors.reason}
            hint="The seller gets it by email. Buyers who watch the property are notified."
            onChange={(event) => onReason(event.currentTarget.value)}
            onBlur={() => onLeave('reason')}
          />
        </div>
      )}
    </>
  );
}

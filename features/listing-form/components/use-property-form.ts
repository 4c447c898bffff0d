import { useState } from 'react';
import type { FormChoices, SellerChoice } from '../form-mapping.ts';
import {
  blankPropertyForm,
  mergePropertyForms,
  type PropertyField,
  type PropertyForm,
  withPropertyField,
} from '../property-form.ts';
import type { EditedProperty } from '../reads.ts';
import type { NewerProperty, PropertyActionData } from './property-action-data.ts';
import { sellerLabel } from './seller-field.tsx';

interface PropertyFormState {
  form: PropertyForm;
  /** the property that the changes are made to: as it was loaded, or as somebody else saved it meanwhile */
  base: PropertyForm;
  reason: string;
  seller: { label: string; suspended: boolean };
  /** what somebody else changed, too, and nothing was decided about */
  conflicting: readonly PropertyField[];
  edited: boolean;
}

export interface PropertyFormStart {
  property: EditedProperty | null;
  choices: FormChoices;
  actionData: PropertyActionData | undefined;
}

/** The state of an administrators' form, with what somebody else saved meanwhile merged in. */
export function usePropertyForm({ property, actionData }: PropertyFormStart) {
  const [state, setState] = useState<PropertyFormState>(() => initial(property, actionData));
  const [answered, setAnswered] = useState(actionData);
  if (answered !== actionData) {
    setAnswered(actionData);
    if (actionData?.newer) setState(merged(state, actionData.newer));
  }
  const change = (changes: Partial<PropertyFormState>) =>
    setState((before) => ({ ...before, edited: true, ...changes }));
  return {
    ...state,
    edit: (name: PropertyField, value: string | string[]) =>
      // Not on the rendered state: geocoding may finish after other fields have changed.
      setState((before) => ({ ...before, edited: true, form: { ...before.form, [name]: value } })),
    setReason: (reason: string) => change({ reason }),
    /** a seller, or a text that does not name one yet */
    setSeller: (chosen: SellerChoice | string) =>
      setState((before) => ({
        ...before,
        edited: true,
        form: { ...before.form, seller: typeof chosen === 'string' ? '' : chosen.id },
        seller:
          typeof chosen === 'string'
            ? { label: chosen, suspended: false }
            : { label: sellerLabel(chosen), suspended: chosen.suspended },
      })),
    /** ends a conflict with the other value, or with ours */
    decide: (name: PropertyField, takeTheirs: boolean) =>
      setState((before) => ({
        ...before,
        form: takeTheirs ? withPropertyField(before.form, name, before.base) : before.form,
        conflicting: before.conflicting.filter((other) => other !== name),
      })),
  };
}

function initial(
  property: EditedProperty | null,
  actionData: PropertyActionData | undefined,
): PropertyFormState {
  const base = property?.form ?? blankPropertyForm;
  const typed = actionData?.input;
  const state: PropertyFormState = {
    form: typed?.form ?? base,
    base,
    reason: typed?.reason ?? '',
    seller: {
      label: typed?.sellerLabel ?? (property ? sellerLabel(property.seller) : ''),
      suspended: property?.seller.suspended ?? false,
    },
    conflicting: [],
    edited: typed !== undefined,
  };
  return actionData?.newer ? merged(state, actionData.newer) : state;
}

function merged(state: PropertyFormState, { current }: NewerProperty): PropertyFormState {
  const { form, conflicting } = mergePropertyForms(state.base, state.form, current);
  return { ...state, form, base: current, conflicting };
}

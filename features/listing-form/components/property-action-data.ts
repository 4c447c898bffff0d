import type { ActionData } from '#ui/action-data.ts';
import type { PropertyErrors, PropertyField, PropertyForm } from '../property-form.ts';

/** What an administrator typed, to show it again; a chosen file stays in the browser alone. */
export interface TypedProperty {
  form: PropertyForm;
  reason: string;
  /** as shown in the field of the seller */
  sellerLabel: string;
}

/** Somebody else has changed the same fields: the property as it is now. */
export interface NewerProperty {
  current: PropertyForm;
  conflicting: PropertyField[];
}

/** Action data of an administrators' form that was refused. */
export interface PropertyActionData extends ActionData<keyof PropertyErrors, TypedProperty> {
  newer?: NewerProperty;
  /** the session has ended */
  signedOut?: boolean;
}

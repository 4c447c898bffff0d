import type { TypedProperty } from '#features/listing-form/components/property-action-data.ts';
import { propertyFormFromData } from '#features/listing-form/property-form.ts';
import { formText } from './form-data.ts';

/** What an administrator typed into the form of a property; a chosen file stays in the browser. */
export const typedProperty = (form: FormData): TypedProperty => ({
  form: propertyFormFromData(form),
  reason: formText(form, 'reason'),
  sellerLabel: formText(form, 'sellerText'),
});

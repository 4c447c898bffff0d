import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { IntentField } from '#ui/intent-field.tsx';

interface StripeFormProps {
  intent: string;
  /** the page that handles the form */
  action: string;
  fields: Readonly<Record<string, string | number>>;
  children: ReactNode;
}

/** A form of hidden fields around the button that sends it. */
export const StripeForm = ({ intent, action, fields, children }: StripeFormProps) => (
  <Form method="post" action={action} preventScrollReset>
    <IntentField is={intent} />
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    {children}
  </Form>
);

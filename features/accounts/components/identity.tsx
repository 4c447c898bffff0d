import { Form } from 'react-router';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { useBusy } from './sign-in-form.tsx';

interface Props {
  viewer: { name: string; email: string };
  errors: Partial<Record<string, string>>;
  /** the rejected input */
  typed: Readonly<Record<string, string>> | undefined;
}

/** The forms that change the user's own name and, with the password, e-mail address. */
export function Identity({ viewer, errors, typed }: Props) {
  const renaming = useBusy('name');
  const moving = useBusy('email');
  return (
    <div className="grid gap-8">
      <Form method="post" noValidate className="grid gap-5">
        <IntentField is="name" />
        <TextInput
          label="Name"
          name="name"
          autoComplete="name"
          large
          required
          maxLength={120}
          key={viewer.name}
          defaultValue={typed?.name ?? viewer.name}
          error={errors.name}
        />
        <Button type="submit" variant="outline" size="lg" busy={renaming}>
          Save name
        </Button>
      </Form>
      <Form method="post" noValidate className="grid gap-5">
        <IntentField is="email" />
        <TextInput
          label="New email"
          name="email"
          type="email"
          autoComplete="email"
          large
          required
          hint={`Now ${viewer.email}. We mail a link to the new address; it changes when you open it.`}
          defaultValue={typed?.email}
          error={errors.email}
        />
        <PasswordInput
          label="Password"
          name="emailPassword"
          autoComplete="current-password"
          large
          required
          error={errors.emailPassword}
        />
        <Button type="submit" variant="outline" size="lg" busy={moving}>
          Change email
        </Button>
      </Form>
    </div>
  );
}

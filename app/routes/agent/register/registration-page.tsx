import { Form, Link } from 'react-router';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { ConfirmPassword, NewPassword } from '#features/accounts/components/new-password-fields.tsx';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { Acceptance } from '#features/policies/components/acceptance.tsx';
import type { RegistrationState } from '#features/sellers/model.ts';
import { registrationMessages } from '#features/sellers/rules.ts';
import { paths } from '#routing/paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { TextInput } from '#ui/text-input.tsx';

/** Shown until the invitation link has been checked. */
export function VerifyingLink() {
  return (
    <AuthCard title={registrationMessages.title}>
      <p className="registration-check" role="status">
        <Spinner />
        {registrationMessages.verifying}
      </p>
    </AuthCard>
  );
}

const messages = {
  invalid: registrationMessages.invalid,
  unknown: registrationMessages.unknown,
  fault: registrationMessages.fault,
};

/** Says why an invitation link cannot be used. */
export function InvalidLink({ state }: { state: Exclude<RegistrationState['state'], 'ready'> }) {
  if (state === 'registered')
    return (
      <AuthCard
        {...{
          title: registrationMessages.alreadyRegistered.title,
          lead: registrationMessages.alreadyRegistered.text,
        }}
      >
        <ButtonLink to={paths.sellerLogin()} size="lg" wide>
          Seller Login
        </ButtonLink>
      </AuthCard>
    );
  return (
    <AuthCard title={registrationMessages.invalidTitle}>
      <Notice tone="bad">
        <p>{messages[state]}</p>
      </Notice>
      <ButtonLink to={paths.home()} size="lg" wide>
        Return Home
      </ButtonLink>
    </AuthCard>
  );
}

interface FormProps {
  /** null for a link that names nobody: the form then mails the one that does */
  invited: { name: string; email: string } | null;
  answer: ActionData | undefined;
}

/** Name and email come from the invitation and cannot be changed; the seller only chooses a password. */
export function RegistrationForm({ invited, answer }: FormProps) {
  const busy = useBusy('register');
  const errors = answer?.errors;
  useFocusInvalid(errors);
  return (
    <AuthCard
      title={registrationMessages.title}
      lead={registrationMessages.lead}
      foot={
        <p>
          Already have an account?{' '}
          <Link className="link" to={paths.sellerLogin()}>
            Sign In
          </Link>
        </p>
      }
    >
      <Form method="post" noValidate>
        <IntentField is="register" />
        {!invited && (
          <Notice>
            <p>{registrationMessages.byMail}</p>
          </Notice>
        )}
        <TextInput
          label="Name"
          name="name"
          value={invited?.name ?? ''}
          placeholder={invited ? undefined : registrationMessages.asInvited}
          readOnly
          large
          error={errors?.name}
          autoComplete="name"
        />
        <TextInput
          label="Email"
          name="email"
          type="email"
          value={invited?.email ?? ''}
          placeholder={invited ? undefined : registrationMessages.asInvited}
          readOnly
          large
          autoComplete="username"
          error={errors?.email}
        />
        <NewPassword error={errors?.password} />
        <ConfirmPassword error={errors?.confirm} />
        <Acceptance />
        <Button type="submit" size="lg" wide busy={busy}>
          Complete Registration
        </Button>
      </Form>
    </AuthCard>
  );
}

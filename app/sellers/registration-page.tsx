import { Form, Link } from 'react-router';
import { paths } from '#app/paths.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import type { FormAnswer } from '#app/sign-in/answer.ts';
import { ConfirmPassword, NewPassword } from '#features/accounts/components/new-password-fields.tsx';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import type { Registration } from '#features/sellers/model.ts';
import { registration } from '#features/sellers/rules.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { Notice } from '#ui/notice.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { TextInput } from '#ui/text-input.tsx';

/** Until the link is checked. */
export function VerifyingSeller() {
  return (
    <AuthCard title={registration.title}>
      <p className="registration-check" role="status">
        <Spinner />
        {registration.verifying}
      </p>
    </AuthCard>
  );
}

const complaints = {
  invalid: registration.invalid,
  unknown: registration.unknown,
  fault: registration.fault,
};

/** A link that opens nothing, and why (S0 §8). */
export function InvalidLink({ state }: { state: Exclude<Registration['state'], 'ready'> }) {
  if (state === 'registered')
    return (
      <AuthCard
        {...{ title: registration.alreadyRegistered.title, lead: registration.alreadyRegistered.text }}
      >
        <ButtonLink to={paths.agentLogin()} size="lg" wide>
          Seller Login
        </ButtonLink>
      </AuthCard>
    );
  return (
    <AuthCard title={registration.invalidTitle}>
      <Notice tone="bad">
        <p>{complaints[state]}</p>
      </Notice>
      <ButtonLink to={paths.home()} size="lg" wide>
        Return Home
      </ButtonLink>
    </AuthCard>
  );
}

interface FormProps {
  name: string;
  email: string;
  answer: FormAnswer | undefined;
}

/** Name and address are the invited ones and cannot be changed; what is chosen is the password (S0 §2, §5). */
export function RegistrationForm({ name, email, answer }: FormProps) {
  const busy = useBusy('register');
  const errors = answer?.errors;
  useFocusInvalid(errors);
  return (
    <AuthCard
      title={registration.title}
      lead={registration.lead}
      foot={
        <p>
          Already have an account?{' '}
          <Link className="link" to={paths.agentLogin()}>
            Sign in
          </Link>
        </p>
      }
    >
      <Form method="post" noValidate>
        <input type="hidden" name="form" value="register" />
        <TextInput
          label="Name"
          name="name"
          value={name}
          readOnly
          large
          error={errors?.name}
          autoComplete="name"
        />
        <TextInput
          label="Email"
          name="email"
          type="email"
          value={email}
          readOnly
          large
          autoComplete="username"
          error={errors?.email}
        />
        <NewPassword error={errors?.password} />
        <ConfirmPassword error={errors?.confirm} />
        <Button type="submit" size="lg" wide busy={busy}>
          Complete Registration
        </Button>
      </Form>
    </AuthCard>
  );
}

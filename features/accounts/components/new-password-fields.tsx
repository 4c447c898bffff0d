import { useState } from 'react';
import { PasswordInput } from '#ui/password-input.tsx';
import { passwordStrength } from '../rules.ts';

interface NewPasswordProps {
  label?: string;
  error?: string | undefined;
  disabled?: boolean;
}

/** A new password with a strength meter that advises and never rejects. */
export function NewPassword({ label = 'Password', error, disabled }: NewPasswordProps) {
  const [typed, setTyped] = useState('');
  return (
    <PasswordInput
      label={label}
      name="password"
      autoComplete="new-password"
      hint="At least 8 characters"
      large
      required
      disabled={disabled}
      error={error}
      strength={typed === '' ? null : passwordStrength(typed)}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

/** The repeated password. */
export function ConfirmPassword({ error, disabled }: { error?: string | undefined; disabled?: boolean }) {
  return (
    <PasswordInput
      label="Confirm Password"
      name="confirm"
      autoComplete="new-password"
      large
      required
      disabled={disabled}
      error={error}
    />
  );
}

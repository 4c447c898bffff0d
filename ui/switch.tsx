import type { ComponentProps, ReactNode } from 'react';
import { ChoiceLabel } from './choice-label.tsx';

/** A checkbox with the role of a switch; it still submits with its form. */
export function Switch({
  label,
  hint,
  ...rest
}: Omit<ComponentProps<'input'>, 'type' | 'role'> & { label?: ReactNode; hint?: ReactNode }) {
  // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its own state
  const input = <input {...rest} type="checkbox" role="switch" className="switch" />;
  return label === undefined ? input : <ChoiceLabel input={input} label={label} hint={hint} />;
}

interface SwitchButtonProps extends Omit<ComponentProps<'button'>, 'role' | 'type' | 'children'> {
  /** the accessible name: what is switched */
  label: string;
  on: boolean;
}

/** A switch that acts when it is pressed: the submit button of a form, so that it works without scripts too. */
export function SwitchButton({ label, on, ...rest }: SwitchButtonProps) {
  return (
    <button {...rest} type="submit" role="switch" aria-checked={on} aria-label={label} className="switch" />
  );
}

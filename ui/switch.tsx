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

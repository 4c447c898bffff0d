import type { ComponentProps, ReactNode } from 'react';
import { ChoiceLabel } from './choice-label.tsx';

/** A native radio button with its label. */
export function Radio({
  label,
  hint,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode }) {
  return <ChoiceLabel input={<input {...rest} type="radio" className="radio" />} label={label} hint={hint} />;
}

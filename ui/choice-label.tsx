import type { ReactNode } from 'react';

/** Words and hint beside a checkbox, radio button or switch; all of it is the target. */
export function ChoiceLabel({
  input,
  label,
  hint,
}: {
  input: ReactNode;
  label: ReactNode;
  hint?: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the `input` handed in
    <label className="option">
      {input}
      <span>
        {label}
        {hint && <span className="hint">{hint}</span>}
      </span>
    </label>
  );
}
